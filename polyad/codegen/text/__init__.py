"""C: how each node of the loop IR is spelled."""
