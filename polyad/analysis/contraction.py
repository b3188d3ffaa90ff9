"""Contractions, recognised by their access relations: c[m, n] += a[m, k] * b[k, n], whatever the operands are called.

Factors that are the same element in all instances, such as the alpha of c += alpha a b, are weights: the sum is
multiplied with them, and not each of its terms. The dimensions of a sum of products of two other reads fall into groups
by who uses them:

    batch   c, a and b
    rows    c and a            columns   c and b
    sums    a and b, or one of them alone

Matrix products, transposed and batched ones, and convolutions are of this kind. The groups are those of dimensions,
before there are loops. Which of them are left for the macro-kernel inside of given loops is for
schedule/state/contraction.py to say; how the loops that a schedule makes of them walk through memory, for
codegen/loops/contractions.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod

import islpy as isl

from polyad.analysis.plain_axes import is_linear, used_dims
from polyad.ir.expr import Apply, Const, Expr, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = [
    "Contractions",
    "SumOfProducts",
    "contraction_of",
    "contractions_of",
    "factors",
    "matrix_product_of",
    "sums_products",
]


@dataclass(frozen=True, slots=True, eq=False)
class SumOfProducts:
    """c[...] += scale * weights * a[...] * b[...].

    Attributes:
        statement: what is summed into c.
        a: the first operand.
        b: the second operand.
        scale: the product of all numbers and signs.
        weights: the factors that are one element for all instances.
        accesses: { S[dims] -> c[e] }, and those of a and b.
        c_dims: the dimensions of the statement that the access to c uses.
        a_dims: that to a.
        b_dims: that to b.
    """

    statement: Statement
    a: Read
    b: Read
    scale: float
    weights: tuple[Read, ...]
    accesses: tuple[isl.MultiAff, isl.MultiAff, isl.MultiAff]
    c_dims: frozenset[str]
    a_dims: frozenset[str]
    b_dims: frozenset[str]

    @property
    def batch(self) -> frozenset[str]:
        """The dimensions of all three."""
        return self.c_dims & self.a_dims & self.b_dims

    @property
    def rows(self) -> frozenset[str]:
        """The dimensions of c and a."""
        return self.c_dims & self.a_dims - self.b_dims

    @property
    def columns(self) -> frozenset[str]:
        """The dimensions of c and b."""
        return self.c_dims & self.b_dims - self.a_dims

    @property
    def sums(self) -> frozenset[str]:
        """The dimensions that c does not have."""
        return frozenset(self.statement.dims) - self.c_dims

    @property
    def fits_kernel(self) -> bool:
        """Whether it is of one floating type, and walks through all three arrays in even steps."""
        dtype = self.statement.body.dtype
        same = "float" in dtype and {read.dtype for read in (self.a, self.b, *self.weights)} == {dtype}
        return same and all(is_linear(access) for access in self.accesses)


Contractions = Mapping[str, SumOfProducts]
"""Statement name -> the contraction that it is, of all statements that are one."""


def contractions_of(program: Program) -> Contractions:
    """The contractions of a program, for whoever schedules it and whoever makes loops of the schedule."""
    return {s.name: found for s in program.statements if (found := contraction_of(s)) is not None}


def contraction_of(statement: Statement) -> SumOfProducts | None:
    """The contraction that a statement is, or None."""
    reads = _operands(statement)
    weights = tuple(r for r in reads if isinstance(r.access, isl.MultiAff) and not used_dims(r.access))
    match (statement.write, *(r for r in reads if r not in weights)):
        case (isl.MultiAff() as c, Read(_, isl.MultiAff() as left) as a, Read(_, isl.MultiAff() as right) as b):
            scale = prod((float(f.value) for f in factors(statement.body) if isinstance(f, Const)), start=1.0)
            uses = [frozenset(statement.dims[d] for d in used_dims(x)) for x in (c, left, right)]
            return SumOfProducts(statement, a, b, scale, weights, (c, left, right), *uses)
        case _:
            return None


def matrix_product_of(statement: Statement) -> SumOfProducts | None:
    """The contraction that a statement is, if it has rows and columns."""
    found = contraction_of(statement)
    return found if found is not None and found.rows and found.columns else None


def sums_products(statement: Statement) -> bool:
    """Whether a statement sums up products of reads: of two or more, also of those that data picks."""
    return len(_operands(statement)) >= 2


def _operands(statement: Statement) -> list[Read]:
    """The reads of a sum of products of reads and numbers; none for any other statement."""
    found = [*factors(statement.body)] if statement.reduction == "sum" else []
    reads = [f for f in found if isinstance(f, Read)]
    return reads if all(isinstance(f, Read | Const) for f in found) else []


def factors(expr: Expr) -> Iterator[Expr]:
    """The factors of a product, signs as numbers."""
    match expr:
        case Apply("mul", (left, right)):
            yield from factors(left)
            yield from factors(right)
        case Apply("neg", (inner,)):
            yield Const(-1.0, expr.dtype)
            yield from factors(inner)
        case _:
            yield expr
