"""Contractions that become boxes, so that the macro-kernel computes them."""
