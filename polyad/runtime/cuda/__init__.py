"""Kernels on NVIDIA GPUs: NVIDIA's compilers and driver, found when they are asked for, and calls."""
