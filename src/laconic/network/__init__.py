"""One small network that parses and scores in a single pass, and the code that trains it.

`shape`, `pieces` and `runtime` are needed to run a network. The rest is for training, and may need torch, spaCy or
onnx.
"""
