"""The passes of polyad/passes.py, one a file."""
