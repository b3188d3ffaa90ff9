"""C as people write it, rewritten as the C that pet reads: the same function, and the same numbers of lines.

Nothing is imported here: who reads no C needs no parser.
"""
