"""Moves: transforms of schedules as values, and those that can be made from a schedule."""
