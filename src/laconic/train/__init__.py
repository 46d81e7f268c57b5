"""Training of the two classifiers, from corpora to a model that ships."""
