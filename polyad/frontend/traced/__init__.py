"""Further transformations of functions of pytrees, in JAX's words."""
