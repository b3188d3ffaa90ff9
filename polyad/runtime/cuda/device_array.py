"""Arrays on a device that are polyad's own: results where no other library is to have them, and `pa.to_device`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from polyad.errors import CallError
from polyad.ir.element_types import ELEMENT_TYPES
from polyad.runtime.cuda.dlpack import CUDA, lend
from polyad.runtime.cuda.driver import Driver, DriverError, find_driver
from polyad.runtime.foreign_arrays import is_foreign, numpy_array

__all__ = ["DeviceArray", "to_device"]

_LEGACY = 1
"""The number of the default stream where 0 says something else."""


class DeviceArray:
    """An array in the memory of a GPU.

    Kernels with `target="cuda"` take and return it, `pa.to_device` makes one. It speaks `__cuda_array_interface__`
    (version 3) and DLPack, so that `torch.from_dlpack`, `cupy.asarray`, `jax.dlpack.from_dlpack` and Numba read it
    where it is. `numpy()`, or `numpy.asarray`, waits for it and copies it. Its rows follow each other in memory.

    Attributes:
        shape: its extents.
        dtype: of its elements, as NumPy's.
        nbytes: the bytes of its elements.
        stream: in which it is written; None where it is known to be there.
    """

    __slots__ = ("__weakref__", "_driver", "_home", "_key", "_memory", "_pointer", "dtype", "nbytes", "shape", "stream")

    def __init__(self, driver: Driver, shape: tuple[int, ...], dtype: np.dtype[Any], stream: int):
        self._driver, self._memory = driver, driver.memory
        self.shape, self.dtype = shape, dtype
        self.stream: int | None = stream
        self._home: int | None = stream
        self.nbytes = math.prod(shape) * dtype.itemsize
        self._pointer = self._memory.take(self.nbytes, stream)
        self._key = ("polyad", shape, dtype, driver.ordinal, None, "")

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer is not None and self._memory is self._driver.memory:
            try:
                self._memory.give_back(pointer, self.nbytes, self._home)
            except DriverError:  # the process ends, or the device failed
                return

    @property
    def device(self) -> int:
        """The number of the device."""
        return self._driver.ordinal

    @property
    def ndim(self) -> int:
        """How many dimensions it has."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many elements it has."""
        return math.prod(self.shape)

    def used_in(self, stream: int) -> None:
        """Note that what is launched in a stream uses it.

        Raises:
            CallError: a kernel that failed took the memory of the device with it.
        """
        if self._memory is not self._driver.memory:
            raise CallError(
                "this array was lost with the memory of its device, when a kernel failed: make it again", ""
            )
        if stream != self._home:
            self._home = None  # the memory is no longer one stream's

    def numpy(self) -> np.ndarray:
        """Wait for it and copy it to a new NumPy array.

        Raises:
            CallError: its stream is being captured, so that there is nothing to wait for; or the device failed.
        """
        found = np.empty(self.shape, self.dtype)
        driver = self._driver
        self.used_in(driver.streams.copies if self.stream is None else self.stream)
        with driver.current(), driver.relaxed():
            if self.stream is not None and driver.streams.is_capturing(self.stream):
                raise CallError("this array is computed when the graph that is being captured is replayed", "stream")
            stream = driver.streams.copies if self.stream is None else self.stream
            if found.nbytes:
                pointer = driver.ffi.from_buffer(found)
                driver.do("cuMemcpyDtoHAsync_v2", pointer, self._pointer, found.nbytes, stream)
            driver.streams.wait(stream)
        return found

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        """The same for NumPy.

        Raises:
            ValueError: `copy=False`.
        """
        if copy is False:
            raise ValueError("an array on a GPU is copied to become one of NumPy")
        found = self.numpy()
        return found if dtype is None else found.astype(dtype, copy=False)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        self._home = None
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self._pointer if self.size else 0, False),
            "version": 3,
            "strides": None,
            "stream": None if self.stream is None else self.stream or _LEGACY,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        """The kind and the number of the device, as DLPack says them."""
        return CUDA, self.device

    def __dlpack__(
        self,
        *,
        stream: int | None = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """A capsule of DLPack, ready for what is launched in a stream.

        Args:
            stream: of who asks; None for the default one, -1 for one that need not wait.
            max_version: of DLPack; the oldest is made, which all read.
            dl_device: where to; only where it is.
            copy: only False and None.

        Raises:
            BufferError: a copy, or another device.
        """
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("an array of polyad is lent where it is, without a copy")
        asking = _LEGACY if stream is None else stream
        if self.stream is not None and asking >= 0 and (self.stream or _LEGACY) != asking:
            with self._driver.current():
                self._driver.streams.order(self.stream, asking)
        self._home = None
        return lend(self, self._pointer, self.shape, self.dtype, self.device)

    def __float__(self) -> float:
        return float(self.numpy())

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without dimensions has no length")
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<DeviceArray {self.dtype}{list(self.shape)} on device {self.device}>"


def to_device(array: Any, device: int = 0) -> DeviceArray:
    """Copy an array to a GPU, and wait until it is there.

    Args:
        array: of NumPy, or what NumPy makes an array of; of float32, float64, int32, int64 or uint32.
        device: the number of the device.

    Returns:
        An array that kernels with `target="cuda"` take as it is.

    Raises:
        CallError: there is no driver or no such device, its memory is full, or it is of another element type.
    """
    given = numpy_array(array, "to_device: array", "array") if is_foreign(array) else np.asarray(array)
    if given.dtype.name not in ELEMENT_TYPES:
        raise CallError(
            f"to_device: array is of {given.dtype}; kernels compute with {', '.join(ELEMENT_TYPES)}: convert it, as by "
            ".astype('float32')",
            "array",
        )
    shape, given = given.shape, np.ascontiguousarray(given, given.dtype.newbyteorder("="))
    driver = find_driver(device)
    with driver.current(), driver.relaxed():
        stream = driver.streams.copies
        made = DeviceArray(driver, shape, given.dtype, stream)
        if given.nbytes:
            driver.do("cuMemcpyHtoDAsync_v2", made._pointer, driver.ffi.from_buffer(given), given.nbytes, stream)
        driver.streams.wait(stream)
        made.stream = None
    return made
