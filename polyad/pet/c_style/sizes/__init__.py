"""Sizes that a function computes from its parameters: exact quotients, products, and loops over blocks of them."""
