"""libpet: finding it, asking it in a process of its own, and what it says.

Nothing is imported here: `polyad doctor` asks only where it is.
"""
