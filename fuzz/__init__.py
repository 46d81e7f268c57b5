"""Random texts, documents and options, and what must hold for whatever comes back: see `python -m fuzz --help`."""
