"""Eigenvalues and eigenvectors of symmetric matrices by Jacobi's rotations, N / 2 of them in each step of a scan.

In a step every index i has a partner j (itself where it rests), so that in N - 1 steps, a sweep, all pairs have met.
With h the mean of a[i, j] and a[j, i], the same for both, and l the partner of k:

    t[i]    = 2 h / (d + sign(d) sqrt(d**2 + 4 h**2)), d = a[j, j] - a[i, i];  c = 1 / sqrt(1 + t**2),  s = t c
    a[i, k] = c[i] (c[k] a[i, k] - s[k] a[i, l]) - s[i] (c[k] a[j, k] - s[k] a[j, l])           at the step before

which makes a[i, j] zero. What is left beside the diagonal shrinks quadratically at the end. The angle is smooth where
a[i, j] is zero already, so derivatives are those of the eigenvectors: they ask for different eigenvalues.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice, flag
from polyad.frontend.operator_functions import abs, sqrt
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import select
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.creation import arange, eye
from polyad.numpy.diagonals import diagonal
from polyad.numpy.dimensions import extents
from polyad.numpy.linalg.matrices import square_matrix
from polyad.numpy.order.ranks import argsort
from polyad.numpy.permutation import broadcast_to

__all__ = ["EighResult", "eigh", "eigvalsh"]


class EighResult(NamedTuple):
    """Eigenvalues in increasing order, and the eigenvectors as columns."""

    eigenvalues: Any
    eigenvectors: Any


def eigh(a: Any, UPLO: str | None = None, symmetrize_input: bool = True) -> EighResult:
    """The eigenvalues, increasing, and orthonormal eigenvectors of symmetric matrices, as `numpy.linalg.eigh`.

    Shapes: a (..., N, N), eigenvalues (..., N), eigenvectors (..., N, N) as columns; N is constant. For matrices
    of some tens of rows: 11 to 15 sweeps of some 8 N**3 products each, of which derivatives keep all steps.

    Args:
        a: matrix.
        UPLO: the triangle that is read if `symmetrize_input` is False, "L" by default, or "U".
        symmetrize_input: take (a + a^T) / 2, so that derivatives are symmetric.

    Raises:
        ShapeError: not square, or the extent is a size.
        DefinitionError: another triangle.
    """
    t = _symmetric(a, UPLO, symmetrize_input, "eigh")
    values, vectors = _rotated(t)
    order = argsort(values)

    def column(*index: IndexExpr) -> Scalar:
        *at, i, j = index
        return vectors.element([*at, i, order.element([*at, j])])

    return EighResult(_ordered(values, order), define(extents(t), column, "eigenvectors", t.dtype))


def eigvalsh(a: Any, UPLO: str = "L", symmetrize_input: bool = True) -> Tensor:
    """The eigenvalues of `eigh` alone.

    Raises:
        ShapeError: not square, or the extent is a size.
        DefinitionError: another triangle.
    """
    values, _ = _rotated(_symmetric(a, UPLO, symmetrize_input, "eigvalsh"))
    return _ordered(values, argsort(values))


def _ordered(values: Tensor, order: Tensor) -> Tensor:
    def value(*index: IndexExpr) -> Scalar:
        return values.element([*index[:-1], order.element(index)])

    return define(extents(values), value, "eigenvalues", values.dtype)


def _symmetric(a: Any, triangle: str | None, both: bool, what: str) -> Tensor:
    t = square_matrix(a, what)
    upper = choice("L" if triangle is None else triangle, ("L", "U"), f"{what}: UPLO") == "U"
    mean = flag(both, f"{what}: symmetrize_input")
    if not extents(t)[-1].affine.is_constant:
        raise ShapeError(
            f"{user_line()}: {what}: a has shape {t.shape}; who meets whom in a step depends on the number of rows; "
            "make it a constant: fix the size"
        )

    def body(*index: IndexExpr) -> Scalar:
        *at, i, j = index
        one: Any = t.element([*at, i, j])
        other: Any = t.element([*at, j, i])
        result: Scalar = (one + other) * 0.5 if mean else select(i <= j if upper else j <= i, one, other)
        return result

    return define(extents(t), body, "symmetric", t.dtype)


def _partner(n: int, number: Tensor) -> Tensor:
    """The partner of each index in a step, as of teams in a tournament: 2 r - i mod M - 1 in round r of M teams.

    The last team, with whom nobody plays where n is odd, meets the one that this leaves by itself.
    """
    last = n - 1 + n % 2

    def body(i: IndexExpr) -> Scalar:
        turn: Any = number.element([]) % last
        other = (2 * turn - i) % last
        met = select(i == last, turn, select(other == i, last, other))
        result: Scalar = select(met < n, met, i)
        return result

    return define((n,), body, "partner", "int64")


def _rotated(t: Tensor) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors in the order of the diagonal."""
    n = extents(t)[-1].affine.constant
    start = broadcast_to(eye(n, dtype=t.dtype), extents(t))
    if n < 2:
        return diagonal(t, 0, -2, -1), start
    sweeps = 8 + n.bit_length()  # as many as matrices take whose eigenvalues are few numbers; most take half of them
    rounds = n - 1 + n % 2

    def step(carry: tuple[Tensor, Tensor], number: Tensor) -> tuple[tuple[Tensor, Tensor], None]:
        a, vectors = carry
        partner = _partner(n, number)

        def tangent(*index: IndexExpr) -> Scalar:
            *at, i = index
            j: Any = partner.element([i])
            here = (a.element([*at, i, j]) + a.element([*at, j, i])) * 0.5
            d = a.element([*at, j, j]) - a.element([*at, i, i])
            positive = (d > 0) | ((d == 0) & (j > i))
            size = abs(d) + sqrt(d * d + 4 * here * here)
            angle = select(size == 0, 0.0, 2 * here / size)
            result: Scalar = select(j == i, 0.0, select(positive, angle, -angle))
            return result

        tangents = define(extents(t)[:-1], tangent, "tangent", t.dtype)
        cosine = 1 / sqrt(1 + tangents * tangents)
        sine = tangents * cosine

        def columns(x: Tensor, name: str) -> Tensor:
            """c[k] x[i, k] - s[k] x[i, l]."""

            def body(*index: IndexExpr) -> Scalar:
                *at, i, k = index
                own: Any = x.element(index)
                other = x.element([*at, i, partner.element([k])])
                result: Scalar = cosine.element([*at, k]) * own - sine.element([*at, k]) * other
                return result

            return define(extents(t), body, name, t.dtype)

        half = columns(a, "half")

        def rows(*index: IndexExpr) -> Scalar:
            *at, i, k = index
            own: Any = half.element(index)
            other = half.element([*at, partner.element([i]), k])
            result: Scalar = cosine.element([*at, i]) * own - sine.element([*at, i]) * other
            return result

        return (define(extents(t), rows, "a", t.dtype), columns(vectors, "vectors")), None

    (last, vectors), _ = scan(step, (t, start), arange(sweeps * rounds))
    return diagonal(last, 0, -2, -1), vectors
