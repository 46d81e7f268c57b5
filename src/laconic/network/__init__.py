"""One small network that parses and scores in a single pass, and what trains it.

`shape`, `pieces` and `run` are needed to use a network; `prepare`, `fit`, `torch_model` and `export` to make one, and
only these need torch, spaCy or onnx.
"""
