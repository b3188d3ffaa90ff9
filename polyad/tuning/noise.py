"""Telling a difference from noise."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median, quantiles

__all__ = ["FEWEST", "is_faster", "is_hopeless"]

FEWEST = 5
"""Measurements of each that are compared."""

_HOPELESS = 3
"""Measurements of each after which what was slower each time is given up."""


def is_faster(old: Sequence[float], new: Sequence[float]) -> bool:
    """Whether times measured in turns show that the new one is faster, beyond noise.

    The new median is smaller, and the middle halves of the two do not meet: three of four new times are smaller than
    three of four old ones.
    """
    if min(len(old), len(new)) < FEWEST:
        return False
    return median(new) < median(old) and quantiles(new, n=4)[2] < quantiles(old, n=4)[0]


def is_hopeless(old: Sequence[float], new: Sequence[float]) -> bool:
    """Whether measuring on is a waste: every new time so far is larger than every old one."""
    return min(len(old), len(new)) >= _HOPELESS and min(new) > max(old)
