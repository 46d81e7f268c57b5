"""Components for retrieval frameworks: a module for each, with an extra of its own."""
