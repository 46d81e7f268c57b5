"""The reader: a small network that sees what has become of a sentence and says which deletions an editor would undo.

"The singer took to the stage to thank the nurses" may lose "to the stage" or "to thank the nurses", but not both. The
decoder's scores add up over the edges of a tree, so they cannot see that. The reader is shown, for each of the best
results, which words are printed and which are gone, on top of what the network has understood of the sentence; the
result in which nothing had better be undone is preferred.
"""
