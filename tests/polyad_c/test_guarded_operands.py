"""The macro-kernel reads nothing outside of its operands: these lie between pages that nobody may read.

Vectors are put together of vectors of memory that begin before a stretch of an operand, or end behind it; where that
would leave the operand, elements are copied one by one. Each case runs in a child process, which would die.
"""

import mmap
import os
import sys
from collections.abc import Callable

import cffi
import numpy as np
import pytest

from tests.polyad_c.test_contraction_header import Array, MacroKernel, check, kernel, library, values

__all__ = ["kernel", "library"]  # fixtures

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and mprotect")

Place = Callable[[Array], Array]


def at_an_end(last: bool) -> Place:
    """Copies an array to pages between two closed ones: behind the first of these, or before the other one."""

    def place(given: Array) -> Array:
        page = mmap.PAGESIZE
        inside = -(-given.nbytes // page) * page
        pages = mmap.mmap(-1, inside + 2 * page)
        whole = np.frombuffer(pages, np.uint8)
        ffi = cffi.FFI()
        ffi.cdef("int mprotect(void *first, size_t bytes, int how);")
        closed = [whole.ctypes.data, whole.ctypes.data + page + inside]
        assert [ffi.dlopen(None).mprotect(ffi.cast("void *", at), page, 0) for at in closed] == [0, 0]
        start = page + (inside - given.nbytes if last else 0)
        found = whole[start : start + given.nbytes].view(given.dtype).reshape(given.shape)
        found[...] = given
        return found

    return place


@pytest.mark.parametrize("last", [False, True], ids=["behind a page", "before a page"])
@pytest.mark.parametrize("packed", [False, True])
def test_nothing_outside_is_read(kernel: MacroKernel, packed: bool, last: bool) -> None:
    child = os.fork()
    if child == 0:
        try:
            operands(kernel, at_an_end(last), packed)
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFEXITED(status), f"the child died of signal {os.WTERMSIG(status)}"
    assert os.WEXITSTATUS(status) == 0, "another result"


def operands(kernel: MacroKernel, place: Place, packed: bool) -> None:
    """Windows of images of all widths, forwards and backwards, as both operands; and plain matrices."""
    for width in (1, 2, 3, 5, 7, 12, 14, 15, 16, 17, 28, 37):
        for taps, step in ((1, 1), (1, 2), (3, 1), (3, 2), (5, 1)):
            x = place(values(kernel, 2, width + taps, width + taps))
            for image in (x, x[:, ::-1], x[:, ::-1, ::-1]):
                windows = np.lib.stride_tricks.sliding_window_view(image, (taps, taps), axis=(1, 2))
                windows = windows[:, ::step, ::step].transpose(0, 3, 4, 1, 2)
                w = place(values(kernel, 7, 2, taps, taps, seed=1))
                y = place(values(kernel, 7, *windows.shape[3:], seed=2))
                check(kernel, w, windows, np.zeros_like(y), sums=3, packed=packed)
                check(kernel, y, windows.transpose(3, 4, 0, 1, 2), np.zeros_like(w), sums=2, packed=packed)
                check(
                    kernel, windows, y.transpose(1, 2, 0), np.zeros((2, taps, taps, 7), y.dtype), sums=2, packed=packed
                )
        a, b = place(values(kernel, 9, width)), place(values(kernel, width, 70, seed=1))
        check(kernel, a, b, np.zeros((9, 70), kernel.dtype), packed=packed)
        check(kernel, b.T, a.T, np.zeros((70, 9), kernel.dtype), packed=packed)
