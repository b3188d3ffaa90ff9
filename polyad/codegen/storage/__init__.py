"""Memory of values: C variables, circular buffers, shared workspace, copies of threads."""
