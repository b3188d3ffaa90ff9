"""Affine expressions as JSON values: {"constant": 1, "terms": [["T", 2], [{"numerator": ..., "divisor": 3}, 1]]}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from polyad.ir.affine import Affine, Atom, FloorDiv

__all__ = ["affine_from_json", "affine_to_json"]


def affine_to_json(value: Affine) -> dict[str, Any]:
    """The expression as dicts, lists, names and numbers."""

    def atom(a: Atom) -> Any:
        return a if isinstance(a, str) else {"numerator": affine_to_json(a.numerator), "divisor": a.divisor}

    return {"constant": value.constant, "terms": [[atom(a), c] for a, c in value.terms]}


def affine_from_json(data: Mapping[str, Any]) -> Affine:
    """The inverse of `affine_to_json`."""

    def atom(a: Any) -> Atom:
        return a if isinstance(a, str) else FloorDiv(affine_from_json(a["numerator"]), int(a["divisor"]))

    return Affine(tuple((atom(a), int(c)) for a, c in data["terms"]), int(data["constant"]))
