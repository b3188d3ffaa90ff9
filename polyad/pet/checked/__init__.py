"""Checks of the loop nest from pet: unsupported constructs are refused, the rest gets types and dimensions.

Nothing is imported here: who reads no C needs none of it.
"""
