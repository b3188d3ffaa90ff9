"""Threads of kernels: in forked children, where they wait for each other, and beside other programs."""
