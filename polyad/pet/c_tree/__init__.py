"""C as one tree: statements and loops as people write them, as those that pet reads.

A function is parsed once, changed as a tree, and printed once, each statement on the line where it was written.
"""
