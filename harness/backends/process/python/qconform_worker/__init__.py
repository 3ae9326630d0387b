"""A worker of qconform in Python: the protocol, and wrappers of backends and functions."""
