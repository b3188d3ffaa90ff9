"""Sums as sums of sums: by parts, by rows."""
