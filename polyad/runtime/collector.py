"""Fewer runs of Python's collector of cycles while a kernel is made.

What compiling makes has hardly a cycle in it, and tens of thousands of objects stay until it is through: the collector
would walk over all of them again and again, a twentieth of the time.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["few_collections"]

_OBJECTS = 50_000
"""That many more objects than were there, and it runs; by itself after some hundred."""


@contextmanager
def few_collections() -> Iterator[None]:
    """Within, the collector waits for longer; for one thread at a time (islx.LOCK). Thresholds are restored behind."""
    kept = gc.get_threshold()
    if 0 < kept[0] < _OBJECTS:
        gc.set_threshold(_OBJECTS, *kept[1:])
    try:
        yield
    finally:
        gc.set_threshold(*kept)
