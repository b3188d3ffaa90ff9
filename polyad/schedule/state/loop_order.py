"""The order of the loops of one statement that carries no dependence, from its access relations.

Dimensions that index the array it writes come first, in the order of the array's index, then the reduction dimensions:
an element is finished before the next one is begun (*dot* order). When the innermost reduction dimension strides
through memory in some read while a written dimension strides through none, that written dimension goes innermost
instead (*stream* order):

    y[i]    += A[i, k] * x[k]           i, k          dot: both reads are contiguous along k
    C[i, j] += A[i, k] * B[j, k]        i, j, k       dot
    y[j]    += A[k, j] * x[k]           k, j          stream: A[k, j] is contiguous along j, not along k

A contraction uses every operand many times. It keeps the dot order; where stream order would be, the contiguous
dimension runs in vector *lanes* around the reduction, so that blocks of its result stay in registers; so does a short
one of any other reduction, whose result is a few vectors. Of other dimensions several iterations run together,
*jammed*, where they share an element (register_blocks.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import islpy as isl

from polyad import islx
from polyad.analysis.strides import Stride, affine_indices, involves, strides
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.cost import cost

__all__ = ["LoopOrder", "Profile", "loop_order", "profile"]


@dataclass(frozen=True, slots=True)
class Profile:
    """How a statement touches memory.

    Attributes:
        outputs: dimensions that index the written array affinely, in the order of the array's index.
        reductions: all other dimensions, in the statement's order; empty for a definition.
        write: dimension -> stride of the write.
        reads: the same for each read.
        tied: dimension -> the others whose bounds depend on it, or on which its own depend.
        light: the body is a few multiplications and additions.
        short: the dimensions that reach over as many elements as `Machine.row` says.
        few: a reduction of so few terms that blocks of its operands are not used more often than its results.
        narrow: dimensions of which a step takes others several steps on: few values go with one of those, such as the
            one i with 3 i <= k < 3 i + 3.
    """

    outputs: tuple[str, ...]
    reductions: tuple[str, ...]
    write: Mapping[str, Stride]
    reads: tuple[Mapping[str, Stride], ...]
    tied: Mapping[str, frozenset[str]] = field(default_factory=dict)
    light: bool = False
    short: frozenset[str] = frozenset()
    few: bool = False
    narrow: frozenset[str] = frozenset()

    def smooth(self, dim: str) -> bool:
        """No access strides through memory along `dim`."""
        return self.write[dim] in (0, 1) and all(r[dim] in (0, 1) for r in self.reads)


@dataclass(frozen=True, slots=True)
class LoopOrder:
    """The loops of a statement, outermost first.

    Attributes:
        dims: dimensions that need a loop.
        outputs: those of them that index the written array.
        stream: a written dimension is inside of the reduction.
        contraction: every read leaves out a written dimension, so that blocks of operands are used many times: such a
            statement wants its loops for itself (fusion.py).
        jammed: dimensions of which several iterations share an element.
        lanes: of a contraction, the dimension that runs in vector lanes around the reduction, "" for none.
    """

    dims: tuple[str, ...]
    outputs: tuple[str, ...]
    stream: bool
    contraction: bool
    jammed: tuple[str, ...] = ()
    lanes: str = ""

    @property
    def is_total(self) -> bool:
        """Whether the one loop is a reduction to one element."""
        return len(self.dims) == 1 and not self.outputs

    def inside(self, determined: frozenset[str]) -> LoopOrder:
        """Return the order that is left inside of some of the loops."""
        dims, outputs = (tuple(d for d in found if d not in determined) for found in (self.dims, self.outputs))
        return replace(self, dims=dims, outputs=outputs)


def profile(statement: Statement, machine: Machine = MACHINE, pairs: Collection[str] = ()) -> Profile:
    """Classify the dimensions of a statement.

    Args:
        statement: its accesses.
        machine: what is light, and which rows fit into registers.
        pairs: the arrays whose last extent is 2.
    """
    dims = statement.dims
    affs = affine_indices(statement.write)
    first = {
        name: min((i for i, a in enumerate(affs) if a is not None and involves(a, d)), default=None)
        for d, name in enumerate(dims)
    }
    indexed = [d for d in dims if first[d] is not None]
    outputs = tuple(sorted(indexed, key=lambda d: (first[d] or 0, dims.index(d))))
    rest = tuple(d for d in dims if d not in outputs)
    if statement.reduction is None:
        outputs, rest = outputs + rest, ()
    reads = tuple(strides(r.access, dims, r.array in pairs) for r in statement.reads())
    written = strides(statement.write, dims, statement.array in pairs)
    light = cost(statement.body, machine) <= machine.light
    short = frozenset(d for d in outputs if rest and light and written[d] == 1 and _is_short(statement, d, machine.row))
    few = _is_few(statement, rest, machine.jam)
    return Profile(outputs, rest, written, reads, _tied(statement), light, short, few, _narrow(statement))


def _is_short(statement: Statement, dim: str, row: tuple[int, int]) -> bool:
    """Whether a dimension is known to reach over a few vectors."""
    extent = islx.extent(statement.domain, statement.dims.index(dim))
    return extent is not None and row[0] <= extent <= row[1]


def _is_few(statement: Statement, reductions: Sequence[str], most: int) -> bool:
    """Whether a sum is known to have no more terms."""
    extents = [islx.extent(statement.domain, statement.dims.index(d)) for d in reductions]
    known = [e for e in extents if e is not None]
    return len(known) == len(extents) and prod(known) <= most


def _tied(statement: Statement) -> dict[str, frozenset[str]]:
    """Dimension -> those it shares a constraint with; all others where there are several pieces, or divisions."""
    dims = frozenset(statement.dims)
    tied: dict[str, set[str]] = {d: set() for d in statement.dims}

    def note(constraint: isl.Constraint) -> None:
        used = {d for i, d in enumerate(statement.dims) if constraint.involves_dims(isl.dim_type.set, i, 1)}
        for d in used:
            tied[d] |= dims - {d} if constraint.dim(isl.dim_type.div) else used - {d}

    if statement.domain.n_basic_set() != 1:
        return {d: dims - {d} for d in statement.dims}
    statement.domain.foreach_basic_set(lambda piece: piece.foreach_constraint(note))
    return {d: frozenset(others) for d, others in tied.items()}


def _narrow(statement: Statement) -> frozenset[str]:
    """The dimensions with a factor in a constraint with others that have none."""
    found: set[str] = set()

    def note(constraint: isl.Constraint) -> None:
        factors = {
            d: abs(int(constraint.get_coefficient_val(isl.dim_type.set, i).to_python()))
            for i, d in enumerate(statement.dims)
            if constraint.involves_dims(isl.dim_type.set, i, 1)
        }
        found.update(d for d, factor in factors.items() if factor > 1 and min(factors.values()) == 1)

    statement.domain.foreach_basic_set(lambda piece: piece.foreach_constraint(note))
    return frozenset(found)


def loop_order(shape: Profile, determined: frozenset[str], by_memory: bool = True, blocks: bool = True) -> LoopOrder:
    """Order the loops that a statement still needs.

    Args:
        shape: its memory profile.
        determined: dimensions that need no loop, because loops around or equalities of the domain give them.
        by_memory: whether reads decide; else reductions come last, in the statement's order.
        blocks: whether loops may be jammed or run in lanes.
    """
    outputs = tuple(d for d in shape.outputs if d not in determined)
    reductions = tuple(d for d in shape.reductions if d not in determined)
    if not reductions or not by_memory:
        return LoopOrder(outputs + reductions, outputs, False, False)
    contiguous = [d for d in reductions if all(r[d] in (0, 1) for r in shape.reads)]
    if contiguous:
        inner = contiguous[-1]
        reductions = (*(d for d in reductions if d != inner), inner)
    omitted = [any(r[d] == 0 for d in outputs) for r in shape.reads if any(r[d] != 0 for d in (*outputs, *reductions))]
    contraction = len(omitted) > 1 and all(omitted) and not shape.few
    smooth = [d for d in outputs if shape.write[d] == 1 and shape.smooth(d) and d not in shape.narrow]
    if not contiguous and smooth:
        inner = smooth[-1]
        if blocks and (contraction or inner in shape.short) and not shape.tied[inner] & {*reductions}:
            outputs = (*(d for d in outputs if d != inner), inner)
            jammed = _shared(shape, outputs[:-1], outputs + reductions)[-1:] if contraction else ()
            return LoopOrder(outputs + reductions, outputs, False, contraction, jammed, inner)
        dims = (*(d for d in outputs if d != inner), *reductions, inner)
        jammed = _shared(shape, reductions[-1:], dims) if blocks else ()
        return LoopOrder(dims, outputs, True, contraction, jammed)
    jammed = _shared(shape, outputs, outputs + reductions) if blocks and contiguous else ()
    jammed = jammed[-2 if contraction else -1 :]
    return LoopOrder(outputs + reductions, outputs, False, contraction, jammed)


def _shared(shape: Profile, candidates: Sequence[str], dims: Sequence[str]) -> tuple[str, ...]:
    """The dimensions along which some element stays the same, so that iterations may share it.

    Those on which loops inside of them depend are left out.

    Args:
        shape: the memory profile.
        candidates: dimensions to choose from.
        dims: all loops, outermost first.
    """
    if not shape.light:
        return ()
    elements = (shape.write, *shape.reads)
    return tuple(
        d for d in candidates if any(e[d] == 0 for e in elements) and not shape.tied[d] & {*dims[dims.index(d) + 1 :]}
    )
