"""Complex numbers: pairs of real tensors, of which the rest of polyad knows nothing."""
