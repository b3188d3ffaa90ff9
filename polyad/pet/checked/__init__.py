"""What pet saw, checked: what polyad does not have is refused, and what is left has types and dimensions.

Nothing is imported here: who reads no C needs none of it.
"""
