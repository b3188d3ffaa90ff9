"""Capsules of DLPack: NumPy reads ours, and we read those of NumPy; what is lent keeps its owner meanwhile."""

import gc
import weakref
from typing import Any

import numpy as np
import pytest

from polyad.runtime.cuda import dlpack
from tests.cuda.foreign import on_device


class Host:
    """An array of NumPy that is lent by our capsule."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: Any) -> Any:
        a = self.array
        return dlpack.lend(self, a.ctypes.data, a.shape, a.dtype, 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_numpy_reads_our_capsules(monkeypatch: pytest.MonkeyPatch, dtype: str) -> None:
    monkeypatch.setattr(dlpack, "CUDA", 1)  # memory of the CPU, which NumPy takes
    before = len(dlpack._LENT)
    host = Host(np.arange(24).reshape(2, 3, 4).astype(dtype))
    gone = weakref.ref(host)
    taken = np.from_dlpack(host)
    np.testing.assert_array_equal(taken, host.array, strict=True)
    assert taken.ctypes.data == host.array.ctypes.data
    del host
    gc.collect()
    assert gone() is not None, "the array that was lent keeps its owner"
    del taken
    gc.collect()
    assert gone() is None
    assert len(dlpack._LENT) == before


def test_a_capsule_that_nobody_takes_gives_its_memory_back() -> None:
    host = Host(np.ones(3))
    gone = weakref.ref(host)
    capsule = host.__dlpack__()
    del host
    gc.collect()
    assert gone() is not None
    del capsule
    gc.collect()
    assert gone() is None


def test_we_read_the_capsules_of_numpy() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)
    for given, strides in ((array, (12, 4, 1)), (array[:, 1:, ::2], (12, 4, 2))):
        for words in ({}, {"max_version": (1, 0)}):
            lent = dlpack.read_capsule(given.__dlpack__(**words))
            assert (lent.pointer, lent.shape, lent.dtype) == (given.ctypes.data, given.shape, "float64")
            assert lent.strides == strides
            assert not lent.read_only
    array.flags.writeable = False
    assert dlpack.read_capsule(array.__dlpack__(max_version=(1, 0))).read_only
    with pytest.raises(BufferError, match="no capsule"):
        dlpack.read_capsule(object())


def test_what_dlpack_may_ask_for() -> None:
    (array,) = on_device(np.ones(3))
    assert array.__dlpack_device__() == (2, 0)
    for words in ({"copy": True}, {"dl_device": (1, 0)}):
        with pytest.raises(BufferError, match="without a copy"):
            array.__dlpack__(**words)
    assert dlpack.read_capsule(array.__dlpack__(stream=-1, dl_device=(2, 0))).pointer == array._pointer
