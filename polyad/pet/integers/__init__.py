"""C's arithmetic of integers: which type each expression has, and where a conversion changes its value."""

__all__: list[str] = []
