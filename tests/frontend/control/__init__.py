"""Tests of control flow in JAX's words."""
