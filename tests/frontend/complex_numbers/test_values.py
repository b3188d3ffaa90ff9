"""Operators and functions of complex arrays have NumPy's values, shapes and types."""

import inspect
from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.frontend.complex_numbers.functions import GROUPS, M, V, W, X, Z

pnp = pa.numpy


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize(
    ("dtype", "real", "accuracy"), [("complex128", "float64", 1e-12), ("complex64", "float32", 1e-5)]
)
def test_numpy_agrees(group: str, dtype: str, real: str, accuracy: float) -> None:
    given = [a.astype(dtype) for a in (Z, W, M, V)] + [X.astype(real)]
    found = pa.jit(lambda *a: [case(pnp, *a) for case in GROUPS[group].values()])(*given)
    for (name, case), value in zip(GROUPS[group].items(), found, strict=True):
        wanted = case(np, *given)
        assert value.shape == np.shape(wanted), name
        assert value.dtype == wanted.dtype, name
        scale = max(1.0, float(np.max(np.abs(wanted))))
        np.testing.assert_allclose(value, wanted, rtol=0, atol=accuracy * scale, err_msg=name)


@pytest.mark.parametrize("left", ["int32", "int64", "float32", "float64", "complex64", "complex128"])
def test_types_are_promoted_as_in_numpy(left: str) -> None:
    types = ("complex64", "complex128")
    a = np.ones(2, left)
    given = [np.ones(2, t) for t in types]
    found = pa.jit(lambda a, *b: [f for c in b for f in (a + c, c - a, a * c, c / a, pnp.where(a == 1, a, c))])(
        a, *given
    )
    for n, value in enumerate(found):
        assert value.dtype == (a * given[n // 5]).dtype


def test_numbers_of_python_give_way() -> None:
    f = pa.jit(lambda z, x: (z * 2, z * 1j, x * 1j, x * (1 + 2j) + 1, pnp.exp(1j) * x))
    for dtype, real in (("complex64", "float32"), ("complex128", "float64")):
        assert [r.dtype for r in f(np.ones(3, dtype), np.ones(3, real))] == [dtype] * 5
    assert pa.jit(lambda z, x: z * x)(1 + 2j, np.ones(2, "float32")).dtype == "complex64"
    assert pa.jit(lambda z, x: z * x)(np.complex128(1 + 2j), np.ones(2, "float32")).dtype == "complex128"


EXTREMES = [1e300 + 1e300j, 1e-300 - 1e-300j, 3e-310 + 4e-310j, 1e300 + 1j, 1 - 1e300j, 0j, -1 + 0j, 5e307 - 1.2e308j]


@pytest.mark.parametrize("z", EXTREMES)
def test_large_and_small_numbers_do_not_overflow_on_the_way(z: complex) -> None:
    """abs, sqrt, and quotients, by Smith's formula, as in NumPy; 1 / 0 too."""
    with np.errstate(all="ignore"):
        one = np.array(z)
        wanted = [np.abs(one), np.sqrt(one), one / (3 + 4j), (1 + 2j) / one, one / one, np.angle(one)]
    found = pa.jit(lambda a: [abs(a), pnp.sqrt(a), a / (3 + 4j), (1 + 2j) / a, a / a, pnp.angle(a)])(one)
    for value, expected in zip(found, wanted, strict=True):
        if np.all(np.isfinite(expected)) or z == 0:  # NumPy divides by the smallest numbers with an overflow
            np.testing.assert_allclose(value, expected, rtol=1e-15, atol=1e-323)


def test_cuts() -> None:
    """Along the negative real numbers; a negative zero counts as zero, where NumPy takes the other side."""
    below = np.array(complex(-4, -0.0))
    assert pa.jit(pnp.sqrt)(below) == 2j and np.sqrt(below) == -2j
    assert pa.jit(pnp.sqrt)(np.array(-4 + 0j)) == 2j
    assert pa.jit(pnp.log)(np.array(-1 + 0j)) == np.pi * 1j


def is_function(name: str) -> bool:
    """Whether NumPy says what its values are, too."""
    member = getattr(pnp, name)
    return callable(member) and not isinstance(member, type) and not name.startswith("empty")


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in sorted({*pnp.__all__} & {*dir(np)}) if is_function(n)])
def test_no_function_is_silently_wrong(name: str) -> None:
    """Each function of `polyad.numpy` has NumPy's value for complex arguments, or is refused by an error of polyad."""
    ours, theirs, z = getattr(pnp, name), getattr(np, name), Z[:, :3]
    parameters = list(inspect.signature(ours).parameters)
    lists = [([z, z],)] if "tensors" in parameters else []
    for given in [(X[:, :3] > 0, z, z)] if name == "where" else [*lists, (z,), (z, W[:, :3]), (z, 1)]:
        try:
            inspect.signature(ours).bind(*given)
            with np.errstate(all="ignore"):
                wanted = theirs(*given)
        except (TypeError, ValueError, LookupError, AttributeError):  # not what the function takes
            continue
        try:
            found = pa.jit(lambda given=given: ours(*pa.tree.map(as_tensors, given)))()
        except pa.PolyadError:
            continue
        for a, b in zip(pa.tree.leaves(found), pa.tree.leaves(wanted), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-13)


def as_tensors(x: Any) -> Any:
    return pnp.asarray(x) if isinstance(x, np.ndarray) else x
