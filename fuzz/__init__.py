"""Random texts, documents and options, and what must hold for every result: see `python -m fuzz --help`."""
