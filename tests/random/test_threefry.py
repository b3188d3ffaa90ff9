"""Threefry-2x32 against the known answers of Random123 (kat_vectors), for arrays of NumPy and in kernels."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.scalar import Number
from polyad.random import threefry
from polyad.random.keys import word
from polyad.random.threefry import hashed, hashed_values

# counter, key, result
KNOWN = (
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
)


def words(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, np.uint32)


@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_values_of_numpy(counter: tuple[int, int], key: tuple[int, int], expected: tuple[int, int]) -> None:
    x0, x1 = hashed_values(words(*key), (words(counter[0]), words(counter[1])))
    assert (int(x0[0]), int(x1[0])) == expected
    assert x0.dtype == x1.dtype == np.uint32


@pytest.mark.parametrize("optimize", [0, 3])
@pytest.mark.parametrize(("counter", "key", "expected"), KNOWN)
def test_values_of_kernels(
    counter: tuple[int, int], key: tuple[int, int], expected: tuple[int, int], optimize: int
) -> None:
    given = pa.placeholder((2,), "key", "uint32")
    both = hashed(given, lambda index: (word(Number(counter[0])), word(Number(counter[1]))), (3,))
    kernel = pa.compile(list(both), [given], target=pa.Target("c", optimize=optimize))
    assert [r.tolist() for r in kernel(words(*key))] == [[e] * 3 for e in expected]


def test_another_rotation_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threefry, "_ROTATIONS", (13, 15, 26, 6, 17, 29, 16, 23))
    with pytest.raises(AssertionError):
        test_values_of_numpy(*KNOWN[2])
