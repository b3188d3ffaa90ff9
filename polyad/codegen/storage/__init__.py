"""Where values live: C variables, circular buffers, shared workspace, copies of threads."""
