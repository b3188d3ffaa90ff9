"""Loops of recurrences: rows along which no dependence points backwards."""
