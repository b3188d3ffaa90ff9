"""Reasons for a refused proof, with sizes at which it fails."""

from __future__ import annotations

import islpy as isl

__all__ = ["UnprovedError"]


class UnprovedError(Exception):
    """A proof fails.

    Attributes:
        where: a set that is not empty, and would be; its parameters are sizes at which the proof fails.
    """

    def __init__(self, where: isl.Set | isl.Map, message: str) -> None:
        super().__init__(message)
        self.sizes: isl.Set = where.params()
