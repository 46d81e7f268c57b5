"""What laconic knows of English, all of it in tables.

- `grammar`: the meaning of labels, tags and entity types for the transformation and the guard;
- `word_lists`: lists of words, each with its purpose;
- `coreference`: number and gender of nouns, names and pronouns.

Tokenisation and lemmatisation belong to the parser: `laconic.parse.words`, `laconic.parse.lemmas`.
"""
