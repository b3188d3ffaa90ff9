"""Programs as tutorials of JAX have them, after their imports were renamed; a changed line keeps JAX's in a comment."""
