"""Layouts of memory: what neighbours in vectors, or threads, read lies side by side."""
