"""Control flow in JAX's words: loops, branches, and associative scans."""
