"""Contractions, recognised by their access relations: c[m, n] += a[m, k] * b[k, n], whatever the operands are called.

The dimensions of a sum of products of two reads fall into groups by who uses them:

    batch   c, a and b
    m       c and a            n       c and b
    k       a and b, or one of them alone

Matrix products, transposed and batched ones, and convolutions are of this kind. A statement whose batch dimensions have
loops already, and whose other dimensions form a box, goes to the macro-kernel of polyad_contraction.h as a whole; its
loops stand in one band under the mark `contraction`. Where the domain is no box (a convolution with padding, say), it
becomes one once the dimensions of the sum that spoil it are fixed by loops outside: `peeled`. Stairs
(transforms/stairs.py) are a box for each block of rows: `blocked`.
Source: K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import islpy as isl

from polyad import islx
from polyad.ir.expr import Apply, Const, Expr, Read
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.plain_axes import is_linear, used_dims
from polyad.transforms.stairs import is_box_in_blocks

__all__ = ["Contraction", "contraction_of", "operands"]


@dataclass(frozen=True, slots=True)
class Contraction:
    """The dimensions of a contraction that still need loops, by what they do.

    Attributes:
        batch: index all three arrays; loops around the rest.
        peeled: dimensions of the sum that must be fixed for the rest to form a box.
        blocked: the dimension of the result whose blocks get a loop outside, so that the rest forms a box, or "".
        rows: m.
        columns: n.
        sums: k.
    """

    batch: tuple[str, ...]
    peeled: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    sums: tuple[str, ...]
    blocked: str = ""

    @property
    def inner(self) -> tuple[str, ...]:
        """The dimensions that the macro-kernel runs over."""
        return (*self.rows, *self.columns, *self.sums)


def operands(statement: Statement) -> tuple[Read, Read, float] | None:
    """(a, b, factor) when the statement sums factor * a[...] * b[...] with affine reads of its own floating type."""
    if statement.reduction != "sum" or not is_linear(statement.write):
        return None
    factors = _factors(statement.body)
    if factors is None:
        return None
    reads = [f for f in factors if isinstance(f, Read)]
    numbers = [float(f.value) for f in factors if isinstance(f, Const)]
    if len(reads) != 2 or len(reads) + len(numbers) != len(factors):
        return None
    first, second = reads
    if not all(r.dtype == statement.body.dtype and is_linear(r.access) for r in reads):
        return None
    if statement.body.dtype not in ("float32", "float64"):
        return None
    scale = 1.0
    for number in numbers:
        scale *= number
    return first, second, scale


def _factors(expr: Expr) -> list[Expr] | None:
    """The factors of a product, signs as numbers."""
    match expr:
        case Apply("mul", (left, right)):
            first, second = _factors(left), _factors(right)
            return first + second if first is not None and second is not None else None
        case Apply("neg", (inner,)):
            found = _factors(inner)
            return None if found is None else [Const(-1.0, expr.dtype), *found]
        case Read() | Const():
            return [expr]
        case _:
            return None


def contraction_of(
    statement: Statement,
    domain: isl.Set,
    left: Sequence[str],
    around: isl.Map,
    repeated: bool,
    machine: Machine = MACHINE,
) -> Contraction | None:
    """The contraction that a statement is, or None.

    Args:
        statement: any statement.
        domain: { S[dims] } its instances.
        left: dimensions that still need loops.
        around: { S[dims] -> [rows] } the loops around.
        repeated: a recurrence is around, in which an operand that does not change is used again and again.
        machine: says what is enough to do for the macro-kernel.
    """
    found = operands(statement)
    if found is None or not isinstance(statement.write, isl.MultiAff):
        return None
    a, b, _ = found
    dims = statement.dims
    c_uses, a_uses, b_uses = ({dims[d] for d in used_dims(x)} for x in (statement.write, a.access, b.access))
    groups: dict[str, list[str]] = {"batch": [], "rows": [], "columns": [], "sums": []}
    for d in left:
        if d not in c_uses:
            groups["sums"].append(d)
        elif d in a_uses and d in b_uses:
            groups["batch"].append(d)
        elif d in a_uses:
            groups["rows"].append(d)
        elif d in b_uses:
            groups["columns"].append(d)
        else:
            return None  # the same sum in many elements
    rows, columns, sums = groups["rows"], groups["columns"], groups["sums"]
    if not any(d in a_uses and d in b_uses for d in sums):
        return None
    if not rows or not columns:
        matrix = a_uses if rows else b_uses
        # A matrix times a vector: only copying the matrix once for many steps pays.
        if not repeated or not (rows or columns) or not matrix <= set(left):
            return None
    if not _distinct(statement, domain, around, (*groups["batch"], *rows, *columns)):
        return None
    inner = (*rows, *columns, *sums)
    peeled = _peeled(domain, dims, set(groups["batch"]), inner, sums)
    blocked = "" if peeled == () else _blocked(domain, dims, inner, (*rows, *columns), machine.stair)
    peeled = () if blocked else peeled
    if peeled is None:
        return None
    sums = [d for d in sums if d not in peeled]
    if not sums or not _worth(domain, dims, (*rows, *columns, *sums), machine.contraction):
        return None
    return Contraction(tuple(groups["batch"]), peeled, tuple(rows), tuple(columns), tuple(sums), blocked)


def _distinct(statement: Statement, domain: isl.Set, around: isl.Map, results: Sequence[str]) -> bool:
    """Whether instances of one iteration of the loops around that write the same element differ in the sum only."""
    assert isinstance(statement.write, isl.MultiAff)
    written = statement.write.as_map().intersect_domain(domain)
    pairs = written.apply_range(written.reverse()).intersect(around.apply_range(around.reverse()))
    positions = [statement.dims.index(d) for d in results]
    return all(pairs.is_subset(pairs.equate(isl.dim_type.in_, i, isl.dim_type.out, i)) for i in positions)


def _peeled(
    domain: isl.Set, dims: Sequence[str], outer: set[str], inner: Sequence[str], sums: Sequence[str]
) -> tuple[str, ...] | None:
    """The fewest dimensions of the sum that leave a box when they are fixed; None when none do."""
    around = {d for d in dims if d not in inner} | outer
    for count in range(min(len(sums), 3)):
        for some in combinations(sums, count):
            if _is_box(domain, dims, around | set(some)):
                return some
    return None


def _blocked(domain: isl.Set, dims: Sequence[str], inner: Sequence[str], results: Sequence[str], rows: int) -> str:
    """The dimension of the result in each block of which the domain is a box, "" where there is none."""
    free = [dims.index(d) for d in inner]
    return next((d for d in dims if d in results and is_box_in_blocks(domain, free, dims.index(d), rows)), "")


def _is_box(domain: isl.Set, dims: Sequence[str], fixed: set[str]) -> bool:
    """Whether, for each value of the fixed dimensions and the sizes, the others range independently of each other."""
    free = [i for i, d in enumerate(dims) if d not in fixed]
    return islx.is_box(domain, free)


def _worth(domain: isl.Set, dims: Sequence[str], inner: Sequence[str], least: int) -> bool:
    """Whether there is enough to do, as far as extents are known."""
    extents: Mapping[str, int | None] = {d: islx.extent(domain, dims.index(d)) for d in inner}
    work = 1
    for extent in extents.values():
        if extent is None:
            return True
        work *= extent
    return work >= least
