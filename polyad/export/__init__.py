"""Handing kernels over to C projects: library.py writes them, marker.py keeps other people's files from harm."""
