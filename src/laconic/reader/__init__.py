"""The reader: a small network that reads what could be printed and says where something is missing.

"The bridge could stand in the way" → "The bridge could stand": whoever reads only the second feels that something is
missing; of "She left on Friday" → "She left" nobody does. The decoder's scores add up over the edges of a tree, so they
cannot see that; the reader sees the sentence as it would be printed, and prefers, of the best candidates, one in which
nothing is missing.
"""
