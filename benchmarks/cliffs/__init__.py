"""The cliff detector: programs in three wordings each, at sizes around what vectors, blocks and caches hold."""
