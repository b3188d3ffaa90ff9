"""Schedule trees as text for people.

parallel for b
└─ for t (reversed)
   ├─ simd for k
   │  └─ z_bar[t, b, k]
   └─ h_bar_u[t, b, j, n]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, Atom, FloorDiv
from polyad.schedule.tree.marks import LaunchMark, MeetMark, StayMark, SyncMark
from polyad.schedule.tree.nodes import Band, Mark, Node, Order

__all__ = ["REVERSED", "Forest", "draw", "forest", "loop_text", "statement_dims"]

Dims = dict[str, tuple[str, ...]]  # statement name -> dimension names
_Way = tuple[str, Affine]  # (which kind of loop, by how many iterations its row is shifted)
REVERSED = "reversed"
Forest = list[tuple[str, "Forest"]]  # (a line, what stands below it)


def statement_dims(domain: isl.UnionSet) -> Dims:
    """Statement name -> dimension names, of { S[t, b]; ... }, in alphabetical order of statements."""
    found: Dims = {}
    for part in islx.sets(domain):
        names = [part.get_dim_name(isl.dim_type.set, i) for i in range(part.dim(isl.dim_type.set))]
        found[part.get_tuple_name()] = tuple(name or f"i{i}" for i, name in enumerate(names))
    return dict(sorted(found.items()))


def draw(domain: isl.UnionSet, tree: Node) -> str:
    """The tree, one loop or statement a line."""
    lines: list[str] = []
    for line, below in forest(domain, tree):
        lines.append(line)
        lines += _branches(below)
    return "\n".join(lines) + "\n"


def forest(domain: isl.UnionSet, tree: Node) -> Forest:
    """The lines of the drawing, each with the lines of what it runs."""
    return _forest(tree, statement_dims(domain), "")


def _branches(trees: Forest) -> list[str]:
    lines = []
    for i, (line, below) in enumerate(trees):
        last = i == len(trees) - 1
        lines.append(f"{'└' if last else '├'}─ {line}")
        lines += [f"{' ' if last else '│'}  {deeper}" for deeper in _branches(below)]
    return lines


def _forest(node: Node, dims: Dims, words: str) -> Forest:
    """The drawing of a node; `dims` holds the statements that reach it, `words` the marks directly above it."""
    match node:
        case Mark(MeetMark() | SyncMark() as kind, child):
            # Threads meet behind it, so it stands behind it.
            below = _forest(child, dims, words)
            if len(below) != 1:
                below = [(f"{words}in this order", below)]
            ((line, below),) = below
            return [(f"{line}, then {kind}", below)]
        case Mark(LaunchMark() | StayMark() as kind, child):
            return _forest(child, dims, f"{words}{kind}: ")
        case Mark(kind, child):
            return _forest(child, dims, f"{words}{kind} ")
        case Band():
            below = _forest(node.child, dims, "")
            for i in reversed(range(node.size)):
                below = [(f"{words if i == 0 else ''}for {loop_text(node, i, dims)}", below)]
            return below
        case Order(children, ordered):
            parts: Forest = []
            for part, child in children:
                inside = statement_dims(part)
                parts += _forest(child, {n: d for n, d in dims.items() if n in inside}, "")
            # Children of a sequence stand one under the other; only what is unusual needs a line.
            if ordered and not words:
                return parts
            return [(words + ("in this order" if ordered else "in any order"), parts)]
        case _:
            return [(f"{words}{name}[{', '.join(names)}]", []) for name, names in dims.items()]


def loop_text(band: Band, member: int, dims: Dims) -> str:
    """A loop by the dimensions it runs over: `t`, `n/k`, `t + i`, and what is said of it in brackets.

    `t (reversed)`, `i (tiles of 32)`, `i (in tile)`, `t, i + t (waves of tiles of 16 x 64)`; where statements of one
    loop run in different iterations `t (P 1 later)`, and in different directions `t (P reversed)`.
    """
    texts: dict[str, None] = {}
    ways: dict[_Way, dict[str, None]] = {}  # -> the statements that run so
    single: dict[str, None] = {}  # of statements that run in one iteration: said only where no other runs
    for name, function in sorted(band.functions(member).items()):
        if name not in dims:
            continue
        for _, aff in function.get_pieces():
            row = Affine.from_aff(aff, dims[name])
            text, way = _row_text(row, dims[name])
            if row.names() & set(dims[name]):
                texts[text] = None
                ways.setdefault(way, {})[name] = None
            else:
                single[text] = None
    texts = texts or single
    said = _said(ways)
    return "/".join(sorted(texts)) + (f" ({said})" if said else "")


def _said(ways: Mapping[_Way, Iterable[str]]) -> str:
    """How a loop runs: as most of its statements do, then those that differ from them."""
    if not ways:
        return ""
    names = {way: list(found) for way, found in ways.items()}
    kinds = {kind for kind, _ in ways}
    if len(kinds) > 1 and not kinds <= {"", REVERSED}:
        return ""
    # Of as many statements each: those that are not shifted, or run first, whatever they are called.
    usual = max(names, key=lambda way: (len(names[way]), not way[1].terms, way == ("", Affine()), -way[1].constant))
    parts = [usual[0]] if usual[0] else []
    for way, found in names.items():
        turned = "" if way[0] == usual[0] else way[0] or "forwards"
        differs = [text for text in (turned, _later(way[1] - usual[1])) if text]
        if differs:
            who = "/".join(found) if len(found) < 4 else f"{len(found)} statements"
            parts.append(f"{who} {' and '.join(differs)}")
    return ", ".join(parts)


def _later(offset: Affine) -> str:
    """By how many iterations a statement is shifted."""
    if offset == Affine():
        return ""
    leading = offset.terms[0][1] if offset.terms else offset.constant
    return f"{offset} later" if leading > 0 else f"{-offset} earlier"


def _in_order(row: Affine, dims: tuple[str, ...]) -> Affine:
    """The same sum, in the order of the dimensions: their names decide nothing."""

    def place(term: tuple[Atom, int]) -> tuple[bool, int]:
        atom = term[0]
        return isinstance(atom, FloorDiv), dims.index(atom) if isinstance(atom, str) and atom in dims else len(dims)

    inside = (
        (FloorDiv(_in_order(a.numerator, dims), a.divisor) if isinstance(a, FloorDiv) else a, c) for a, c in row.terms
    )
    return Affine(tuple(sorted(inside, key=place)), row.constant)


def _row_text(row: Affine, dims: tuple[str, ...]) -> tuple[str, _Way]:
    row = _in_order(row, dims)
    inside = [(atom, c) for atom, c in row.terms if isinstance(atom, FloorDiv) or atom in dims]
    divisions = [atom for atom, _ in inside if isinstance(atom, FloorDiv)]
    if len(divisions) > 1:
        rows = ", ".join(str(Affine(atom.numerator.terms, 0)) for atom in divisions)
        return rows, (f"waves of tiles of {' x '.join(str(atom.divisor) for atom in divisions)}", Affine())
    if divisions:
        kind = f"tiles of {divisions[0].divisor}" if len(inside) == len(divisions) else "in tile"
        return str(divisions[0].numerator), (kind, Affine())
    if len(inside) == 1 and abs(inside[0][1]) == 1:
        offset = Affine(tuple(term for term in row.terms if term not in inside), row.constant)
        return str(inside[0][0]), (REVERSED if inside[0][1] < 0 else "", offset)
    return str(row), ("", Affine())
