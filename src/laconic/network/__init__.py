"""One small network that parses and scores in a single pass, and what trains it.

`shape`, `pieces` and `run` are needed to use a network; the rest makes one, and may need torch, spaCy or onnx.
"""
