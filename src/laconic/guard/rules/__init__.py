"""The rules of the guard. A module has its word lists, the names of its pins, a function, and `RULE`.

Every module in this folder is a rule; there is no list of them elsewhere.
"""
