"""Kernels for NVIDIA GPUs: the loop passes that make launches of nests, and the text of both."""
