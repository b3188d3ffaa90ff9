"""C as text: what a file defines, functions as trees, and what is refused before pet is asked.

Nothing is imported here: who reads no C needs no parser.
"""
