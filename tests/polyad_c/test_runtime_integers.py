"""The integer functions against Python's integers, with NumPy's answers where Python has an exception."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polyad_c.accuracy import call

DTYPES: dict[str, np.dtype[Any]] = {
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u32": np.dtype(np.uint32),
}


def wrap(value: int, dtype: np.dtype[Any]) -> int:
    """Reduce to the range of the type: of two's complement, or from 0."""
    bits, least = 8 * dtype.itemsize, int(np.iinfo(dtype).min)
    return (value - least) % (1 << bits) + least


BINARY: dict[str, Callable[[int, int], int]] = {
    "floordiv": lambda a, b: a // b if b else 0,
    "mod": lambda a, b: a % b if b else 0,
    "min": min,
    "max": max,
    "minimum": min,
    "maximum": max,
}
UNARY: dict[str, Callable[[int], int]] = {
    "abs": abs,
    "neg": lambda a: -a,
    "sign": lambda a: (a > 0) - (a < 0),
}


def shifted(a: int, places: int, dtype: np.dtype[Any]) -> int:
    """2 to the power `places` times a; by no number of places that the type has, all bits are gone but the sign."""
    if not 0 <= abs(places) < 8 * dtype.itemsize:
        return -1 if places < 0 and a < 0 else 0
    return wrap(a << places if places > 0 else a >> -places, dtype)


SHIFTS = {"left_shift": 1, "right_shift": -1}


def values(dtype: np.dtype[Any]) -> list[int]:
    """Small numbers of both signs and the ends of the range."""
    info = np.iinfo(dtype)
    numbers = [*range(-13, 14), 1000, -1000, info.max, info.max - 1, info.min, info.min + 1]
    return [wrap(int(n), dtype) for n in numbers]


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", BINARY)
def test_binary(runtime: Any, op: str, suffix: str) -> None:
    dtype = DTYPES[suffix]
    pairs = [(a, b) for a in values(dtype) for b in values(dtype)]
    a, b = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    expected = [wrap(BINARY[op](x, y), dtype) for x, y in pairs]
    assert call(runtime, f"pa_vec_{op}_{suffix}", a, b).tolist() == expected


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", UNARY)
def test_unary(runtime: Any, op: str, suffix: str) -> None:
    dtype = DTYPES[suffix]
    a = np.array(values(dtype), dtype)
    assert call(runtime, f"pa_vec_{op}_{suffix}", a).tolist() == [wrap(UNARY[op](x), dtype) for x in values(dtype)]


@pytest.mark.parametrize("suffix", DTYPES)
@pytest.mark.parametrize("op", SHIFTS)
def test_shifts(runtime: Any, op: str, suffix: str) -> None:
    """C says nothing of shifts by negative numbers, and by the width and more; NumPy's answer is the same."""
    dtype = DTYPES[suffix]
    pairs = [(a, b) for a in values(dtype) for b in [*values(dtype), 31, 32, 33, 63, 64, 65]]
    a, b = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    far = 1 << 20  # what no type has so many bits for
    expected = [shifted(x, SHIFTS[op] * (n if n >= 0 else far), dtype) for x, n in pairs]
    assert call(runtime, f"pa_vec_{op}_{suffix}", a, b).tolist() == expected
    assert getattr(np, op)(a, b).tolist() == expected


@pytest.mark.parametrize("suffix", DTYPES)
def test_power_wraps_around(runtime: Any, suffix: str) -> None:
    dtype = DTYPES[suffix]
    pairs = [(a, e) for a in values(dtype) for e in (0, 1, 2, 3, 5, 31, 62, 63, 64, 101)]
    a, e = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    assert call(runtime, f"pa_vec_pow_{suffix}", a, e).tolist() == [wrap(x**n, dtype) for x, n in pairs]
