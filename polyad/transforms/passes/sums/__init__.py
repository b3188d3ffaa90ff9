"""Sums made of sums, so that loops, blocks or threads have some each."""
