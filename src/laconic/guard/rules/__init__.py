"""The rules of the guard, a module each: its words, the names of its pins, a function, and `RULE`, which declares it.

A module in this folder is a rule: none is listed anywhere else.
"""
