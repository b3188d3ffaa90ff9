"""Values that inlined functions return, kept apart: pet may give one name to two that are needed at once.

    static inline double chain(double v) { double a; a = sq(v); return a; }
    y = chain(x) + sq(y);

Here sq(y) and, inside of chain, sq(v) are both `__pet_ret_0`: what sq(y) gave is lost. Of each such variable pet says
where it begins and where it ends, by two statements that are numbered next to each other; between these two, and
outside of a pair that stands between them, the name means this variable.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import islpy as isl

from polyad.pet.refusal import refusal
from polyad.pet.rewrite import rewrite
from polyad.pet.scop import Access, Node, Operation, Scop, ScopStatement

__all__ = ["separate_returned_values"]

_NAMES = ("__pet_ret_", "__pet_arg_")


def separate_returned_values(scop: Scop) -> Scop:
    """The scop in which each name means one value at a time.

    Raises:
        ExtractionError: where a value begins and ends cannot be told.
    """
    for name in [n for n in scop.arrays if n.startswith(_NAMES)]:
        inner = _nested(scop, name)
        for number, (first, last) in enumerate(inner, 1):
            fresh = f"{name}_{number}"
            while fresh in scop.arrays:
                fresh += "_"
            statements = list(scop.statements)
            own = [(a, b) for a, b in inner if first < a and b < last]
            for i in range(first, last + 1):
                if not any(a <= i <= b for a, b in own):
                    statements[i] = _renamed(statements[i], name, fresh)
            known = scop.arrays[name]
            extent = known.extent.set_tuple_name(fresh)
            arrays = {**scop.arrays, fresh: replace(known, name=fresh, extent=extent)}
            scop = replace(scop, arrays=arrays, statements=tuple(statements))
    return scop


def _nested(scop: Scop, name: str) -> list[tuple[int, int]]:
    """Return the ranges in the list of statements of values that have the name of one around them."""
    ends = [i for i, s in enumerate(scop.statements) if s.kills and _killed(s) == name]
    ends.sort(key=lambda i: _number(scop.statements[i]))
    pairs = list(zip(ends[::2], ends[1::2], strict=False))
    crossing = any(
        a[0] < b[0] <= a[1] < b[1] or b[0] < a[0] <= b[1] < a[1] for a, b in itertools.combinations(pairs, 2)
    )
    if len(ends) % 2 or crossing or any(first >= last for first, last in pairs):
        raise refusal(
            scop.path,
            scop.lines[0],
            "call",
            "several calls of functions in one statement, and what they return cannot be told apart; write each call "
            "as a statement of its own, `s = f(x);`",
        )
    return sorted(p for p in pairs if any(q[0] < p[0] and p[1] < q[1] for q in pairs))


def _killed(statement: ScopStatement) -> str:
    match statement.body:
        case Operation("kill", (Access(array),)):
            return array
        case _:
            return ""


def _number(statement: ScopStatement) -> int:
    """The number that pet gave it: 3 of `S_3`."""
    return int(statement.name.removeprefix("S_")) if statement.name.removeprefix("S_").isdecimal() else 0


def _renamed(statement: ScopStatement, name: str, fresh: str) -> ScopStatement:
    guards = tuple((_with_name(c, name, fresh), wanted) for c, wanted in statement.guards)
    return replace(statement, body=_with_name(statement.body, name, fresh), guards=guards)


def _with_name(node: Node, name: str, fresh: str) -> Node:
    def change(found: Node) -> Node:
        if not isinstance(found, Access) or found.array != name:
            return found
        return replace(found, array=fresh, index=found.index.set_tuple_name(isl.dim_type.out, fresh))

    return rewrite(node, change)
