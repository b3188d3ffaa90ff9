"""A plan that was certified in this process is not certified again: many tests ask about one program.

Plans are compared by all that they hold, so that one which anything makes different is certified. Texts are read back
each time (polyad/codegen/certify/read_back/), and what is refused is refused each time.
"""

from __future__ import annotations

import hashlib
import io
import pickle
from dataclasses import fields
from typing import Any

from polyad.codegen.certify.certify import Certificate, certify
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.plan import Plan

__all__ = ["certified_once", "content_of"]

_certified: dict[str, Certificate] = {}


class _Content(pickle.Pickler):
    """Writes what a value holds."""

    def reducer_override(self, value: Any) -> Any:
        """As pickle does, but for a table by where objects lie in memory, which is made of `touches`, and for isl.

        What isl has is its text: islpy's own way of pickling wants names of dimensions that differ.
        """
        if type(value).__module__.startswith("islpy"):
            return str, (f"{type(value).__name__} {value}",)
        if isinstance(value, StoredProgram):
            return StoredProgram, tuple(getattr(value, f.name) for f in fields(value) if f.name != "indices")
        return NotImplemented


def content_of(*values: Any) -> str:
    """A checksum of all that values hold."""
    written = io.BytesIO()
    _Content(written).dump(values)
    return hashlib.sha256(written.getvalue()).hexdigest()


def certified_once(plan: Plan, **asked: int) -> Certificate:
    """`certify`, or what it said of the same plan."""
    key = content_of(plan, asked)
    if key not in _certified:
        _certified[key] = certify(plan, **asked)
    return _certified[key]
