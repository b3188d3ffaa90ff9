"""matmul, dot, tensordot, einsum against NumPy."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

RNG = np.random.default_rng(0)


def inputs(*shapes: tuple[Any, ...]) -> list[pa.Tensor]:
    return [pa.placeholder(s, "abcd"[n], "float64") for n, s in enumerate(shapes)]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 4)),
        ((2, 3), (3, 4)),
        ((2, 4, 3), (3, 2)),
        ((2, 1, 2, 3), (4, 3, 2)),
        ((3,), (2, 3, 4)),
        ((2, 2, 3), (3,)),
        ((1, 3), (3, 1)),
        ((2, 1), (1, 2)),
    ],
)
def test_matmul(left: tuple[int, ...], right: tuple[int, ...]) -> None:
    a, b = inputs(left, right)
    x, y = RNG.normal(size=left), RNG.normal(size=right)
    result = values_of(a @ b, a=x, b=y)
    np.testing.assert_allclose(result, x @ y, rtol=1e-12)
    assert result.shape == (x @ y).shape


def test_matmul_is_one_statement_with_readable_dimensions() -> None:
    T, B, I, H = pa.sizes("T B I H")
    x, W = pa.placeholder((T, B, I), "x"), pa.placeholder((4 * H, I), "W")
    (statement,) = (x @ W.T).definition.statements
    assert statement.dims == ("t", "b", "h", "i")
    assert statement.reduction == "sum"


def test_matmul_with_arrays() -> None:
    (a,) = inputs((2, 2))
    m = np.array([[1.0, 2.0], [3.0, 4.0]])
    right, left = values_of([a @ m, m @ a], a=np.eye(2))
    np.testing.assert_array_equal(right, m)
    np.testing.assert_array_equal(left, m)


def test_symbolic_products_and_derivatives() -> None:
    B, I, H = pa.sizes("B I H")
    a, b = inputs((B, I), (I, H))
    x, y = RNG.normal(size=(2, 3)), RNG.normal(size=(3, 2))
    check_derivatives(a @ b, [a, b], a=x, b=y)
    check_derivatives(pn.einsum("ij,jk->k", a, b), [a, b], a=x, b=y)


def test_dot_inner_outer_tensordot() -> None:
    a, b = inputs((2, 3), (4, 3, 2))
    v, w = pa.placeholder((3,), "v", "float64"), pa.placeholder((3,), "w", "float64")
    x, y, s, t = RNG.normal(size=(2, 3)), RNG.normal(size=(4, 3, 2)), RNG.normal(size=3), RNG.normal(size=3)
    outputs = [
        (pn.dot(a, b), np.dot(x, y)),
        (pn.dot(v, w), np.dot(s, t)),
        (pn.dot(a, 2.0), x * 2),
        (a.dot(v), x.dot(s)),
        (pn.inner(a, v), np.inner(x, s)),
        (pn.vdot(v, w), np.vdot(s, t)),
        (pn.outer(v, w), np.outer(s, t)),
        (pn.tensordot(a, b, ((0, 1), (2, 1))), np.tensordot(x, y, ((0, 1), (2, 1)))),
        (pn.tensordot(b, a, 1), np.tensordot(y, x, 1)),
        (pn.tensordot(v, a, 0), np.tensordot(s, x, 0)),
    ]
    results = values_of([o for o, _ in outputs], a=x, b=y, v=s, w=t)
    for result, (_, expected) in zip(results, outputs, strict=True):
        np.testing.assert_allclose(result, expected)


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("ij,jk->ik", [(2, 3), (3, 4)]),
        ("ij,jk", [(2, 3), (3, 4)]),
        ("ii", [(3, 3)]),
        ("ii->i", [(3, 3)]),
        ("ij->ji", [(2, 3)]),
        ("ij->", [(2, 3)]),
        ("bij,bjk->bik", [(2, 2, 3), (2, 3, 2)]),
        ("...ij,...jk->...ik", [(2, 2, 3), (3, 2)]),
        ("...i->...", [(2, 2, 3)]),
        ("i...->...", [(2, 3)]),
        ("...i", [(2, 3)]),
        ("i,j->ij", [(2,), (3,)]),
        ("ij,k->i", [(2, 3), (2,)]),
        ("ij,jk,kl->il", [(2, 3), (3, 2), (2, 2)]),
        ("i,i,i->i", [(3,), (3,), (3,)]),
        ("ij,kj->ik", [(2, 1), (3, 4)]),
        (" i j , j -> i ", [(2, 3), (3,)]),
        ("ba", [(2, 3)]),
        (",i->i", [(), (3,)]),
    ],
)
def test_einsum(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    values = [RNG.normal(size=s) for s in shapes]
    tensors = inputs(*shapes)
    result = values_of(pn.einsum(subscripts, *tensors), **dict(zip("abcd", values, strict=False)))
    expected = np.einsum(subscripts, *values)
    np.testing.assert_allclose(result, expected, rtol=1e-12)
    assert result.shape == expected.shape


def test_einsum_multiplies_from_left_to_right() -> None:
    I, J, K, L = pa.sizes("I J K L")
    a, b, c = inputs((I, J), (J, K), (K, L))
    (last,) = pn.einsum("ij,jk,kl->il", a, b, c).definition.statements
    assert last.dims == ("i", "l", "k")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda a, b: a @ b.T, r"matmul: a \(2, 3\) and b_T \(4, 3\) do not fit: dimension -1 .* extent 3.* 4"),
        (lambda a, b: pn.matmul(a, 2.0), "multiply by a number"),
        (lambda a, b: pn.tensordot(a, b, 3), "axes=3"),
        (lambda a, b: pn.tensordot(a, b, ((0, 0), (0, 1))), "different dimensions"),
        (lambda a, b: pn.outer(a, b), "two vectors"),
        (lambda a, b: pn.einsum("ij->ij", a, b), "describes 1 operands, 2 were given"),
        (lambda a, b: pn.einsum("ij,ik->jk", a, b), "label 'i' has extent 2 and, in b, 3"),
        (lambda a, b: pn.einsum("ijk,ij->k", a, b), "has 2 dimensions"),
        (lambda a, b: pn.einsum("ij,jk->im", a, b), "the output must name"),
        (lambda a, b: pn.einsum("i1,jk->i", a, b), "not made of letters"),
    ],
)
def test_errors(call: Any, text: str) -> None:
    a, b = inputs((2, 3), (3, 4))
    with pytest.raises(pa.ShapeError, match=text):
        call(a, b)


def test_symbolic_extents_must_be_the_same_expression() -> None:
    I, J = pa.sizes("I J")
    a, b = inputs((2, I), (J, 2))
    with pytest.raises(pa.ShapeError, match=r"extent I.*J"):
        pn.matmul(a, b)
