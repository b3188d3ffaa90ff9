"""The integer functions against Python's integers, with NumPy's answers where Python has an exception."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polyad_c.accuracy import call

DTYPES: dict[str, np.dtype[Any]] = {"i32": np.dtype(np.int32), "i64": np.dtype(np.int64)}


def wrap(value: int, dtype: np.dtype[Any]) -> int:
    """Reduce to the two's complement range of the type."""
    bits = 8 * dtype.itemsize
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


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


def values(dtype: np.dtype[Any]) -> list[int]:
    """Small numbers of both signs and the ends of the range."""
    info = np.iinfo(dtype)
    return [*range(-13, 14), 1000, -1000, info.max, info.max - 1, info.min, info.min + 1]


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
def test_power_wraps_around(runtime: Any, suffix: str) -> None:
    dtype = DTYPES[suffix]
    pairs = [(a, e) for a in values(dtype) for e in (0, 1, 2, 3, 5, 31, 62, 63, 64, 101)]
    a, e = (np.array(column, dtype) for column in zip(*pairs, strict=True))
    assert call(runtime, f"pa_vec_pow_{suffix}", a, e).tolist() == [wrap(x**n, dtype) for x, n in pairs]
