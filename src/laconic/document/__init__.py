"""Documents: a text of any length fitted into one budget, its structure intact."""
