"""Batches: a function of one example, for all examples at once (`vmap`)."""
