"""What laconic knows of English, all of it as tables: labels and tags, words, pronouns.

- `grammar`: what labels, tags and entity types mean to the transformation and to the guard;
- `words`: lists of words, each with what it is asked for;
- `coreference`: number and gender of nouns, names and pronouns.

How words are cut and brought to their lemmas is the parser's business: `laconic.parse.words`, `laconic.parse.lemmas`.
"""
