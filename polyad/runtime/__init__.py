"""Running: compiling generated C (compiler.py, library.py), keeping it on disk (cache.py), preparing its calls.

Nothing is imported here: `polyad doctor` has to work where half of what kernels need is missing.
"""
