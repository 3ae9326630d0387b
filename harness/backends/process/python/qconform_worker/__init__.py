"""A worker of qconform in Python: protocol, and a wrapper of ONNX backends."""
