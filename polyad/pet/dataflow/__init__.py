"""Dataflow of a loop nest: the writes that reads see, and the assignments that make sums."""
