"""The names that C has in the scope of a kernel, with their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from polyad.codegen.certify.read_back.terms import Term, atom, number
from polyad.codegen.names import NARROW, WIDE

__all__ = [
    "INTEGERS",
    "LIMITS",
    "OWN",
    "RANKS",
    "RETURNED",
    "SHORT",
    "SUFFIXED",
    "Typed",
    "names_of",
    "plain",
    "typed",
]


SHORT = ("int8_t", "uint8_t", "int16_t", "uint16_t")
"""What C makes an int of, wherever it computes with it."""

INTEGERS = ("int", "uint32_t", "int64_t", "size_t")
RANKS = {t: n for n, t in enumerate((*INTEGERS, "float", "double"))}
SUFFIXED = {"f32": "float", "f64": "double", "i32": "int", "i64": "int64_t", "u32": "uint32_t"}
RETURNED = {
    "pa_is_size": "int", "pa_and": "int", "pa_or": "int",
    "pa_times": "size_t", "pa_after": "size_t", "pa_reach": "size_t", "pa_plus": "size_t",
    "pa_copies": "int64_t", "pa_copy": "int64_t", "pa_threads": "int64_t", "pa_min_i64": "int64_t",
    "pa_count": "int64_t", "pa_scan_segments": "int64_t", "atomicExch": "int",
    "pa_f16_of_f32": "uint16_t", "pa_f32_of_f16": "float", "pa_bf16_of_f32": "uint16_t", "pa_f32_of_bf16": "float",
}  # fmt: skip
LIMITS = {"int": 31, "int64_t": 63, "size_t": 64}
OWN = ("int", "uint32_t")
"""Types whose arithmetic stays as it is written: the one may overflow, the other wraps around."""


class Typed(NamedTuple):
    """A value and its C type, without qualifiers."""

    term: Term
    type: str


def typed(term: Term, kind: str) -> Typed:
    """A value of which nothing is known but what it is."""
    return Typed(atom(term) if kind in ("int64_t", "size_t") else term, kind)


_STATUS = ("POLYAD_OK", *(f"POLYAD_ERROR_{what}" for what in ("NULL", "WORKSPACE", "SIZE", "INDEX")))

_THREADS = ("PA_GRID_THREAD", "PA_GRID_THREADS", "PA_BLOCK", "PA_BLOCKS", "PA_THREAD", "PA_THREADS")
_TEAMS = ("PA_TEAM_THREAD", "PA_TEAM_THREADS", "PA_TEAM_BLOCK", "PA_TEAM_BLOCKS", "PA_PASSING", "pa_blocks")
_TILES = ("pa_m", "pa_n", "pa_k", "pa_batch")
_SCANS = ("pa_row", "pa_at")

HEADER = {
    **{n: Typed(atom(("v", n)), "int64_t") for n in ("PA_SCAN_STEPS", "PA_PARTS", "PA_ALIGNMENT")},
    **{n: Typed(atom(("v", n)), "int64_t") for n in (*_THREADS, *_TEAMS, *_TILES, *_SCANS)},
    "PA_TILE_SUM": Typed(("v", "PA_TILE_SUM"), "double"),
    **{n: Typed(("v", n), "double") for n in ("PA_STEP_SUM", "PA_STEP_START")},
    **{n: Typed(atom(("v", n)), "int") for n in _STATUS},
    "SIZE_MAX": Typed(atom(("v", "SIZE_MAX")), "size_t"),
    "NULL": Typed(("v", "NULL"), "void *"),
    "INT32_MAX": Typed(number(2**31 - 1), "int"),
    "INT32_MIN": Typed(number(-(2**31)), "int"),
    "INT64_MIN": Typed(number(-(2**63)), "int64_t"),
    **{n: Typed(("v", n), "suffix") for n in ("f32", "f64", "sum", "prod", "affine")},
    **{n: Typed(("v", n), "float") for n in ("pa_before_f32", "pa_after_f32")},
    **{n: Typed(("v", n), "double") for n in ("pa_before_f64", "pa_after_f64")},
    "NAN": Typed(("number", "float", "nan"), "float"),
    "INFINITY": Typed(("number", "float", "inf"), "float"),
}
"""What the runtime header and those of C define."""


def plain(words: str) -> str:
    """A type without its qualifiers; int32_t is the int of all machines that polyad knows.

    Integers that count with 32 bits are those that count with 64: no size at which they would not be is taken.
    """
    kept = [w for w in words.split() if w not in ("const", "PA_RESTRICT", "PA_INLINE")]
    return " ".join({"int32_t": "int", NARROW: WIDE}.get(w, w) for w in kept)


def names_of(kinds: Mapping[str, str]) -> dict[str, Typed]:
    """A scope with variables of these types, beside what headers define."""
    found = dict(HEADER)
    for name, words in kinds.items():
        kind = plain(words)
        found[name] = typed(("v", name), kind)
    return found
