"""Arrays on a device, of whichever library: all that a call has to know of them, and results of the same library.

An array is read in a microsecond or less, without a copy: its address, and a key of all else, by which a call finds
what it has worked out before.

| library | read by | results |
| --- | --- | --- |
| polyad | itself | DeviceArray |
| PyTorch | its own attributes | its own, from its allocator, in the stream of the call |
| CuPy | `__cuda_array_interface__` | the same |
| JAX | DLPack | DeviceArray, which JAX then takes by DLPack |
| any other | `__cuda_array_interface__`, else DLPack | DeviceArray |
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from polyad.errors import CallError, DTypeError
from polyad.ir.element_types import ELEMENT_TYPES, numpy_type
from polyad.runtime.cuda.device_array import DeviceArray
from polyad.runtime.cuda.dlpack import CUDA, CUDA_MANAGED, read_capsule
from polyad.runtime.cuda.driver import Driver, find_driver
from polyad.runtime.cuda.streams import DEFAULT_STREAM
from polyad.runtime.outputs import OutputSpec

__all__ = ["DeviceView", "Key", "Library", "Reading", "device_view", "library_of"]

_LEGACY = 1  # the default stream in both protocols, where 0 is nobody's


@dataclass(frozen=True, slots=True)
class Key:
    """All that a call has to know of an array but its address; readings have it as a tuple.

    Attributes:
        library: its name.
        shape: its extents.
        dtype: of its elements, in the library's own words.
        device: the number of its device, -1 for memory of none.
        strides: None where rows follow each other.
        trouble: what else there is to it: "read-only", or why it cannot be used.
    """

    library: str
    shape: tuple[int, ...]
    dtype: Any
    device: int
    strides: tuple[int, ...] | None
    trouble: str

    @property
    def dtype_name(self) -> str:
        """The element type as NumPy says it."""
        return str(self.dtype).removeprefix("torch.")


Reading = tuple[int, tuple[Any, ...], int | None, object]
"""(address, the fields of its key, the stream in which it is made or None, what keeps the memory or None)."""


@dataclass(frozen=True, slots=True)
class Library:
    """A library whose arrays can be on a device.

    Attributes:
        name: its own.
        read: (array, stream of the call where that is known, its device) -> reading, None where it is on the host.
        empty: (shapes and element types, device, stream) -> new arrays for results, and their addresses.
        finish: makes the result of it when all is launched.
    """

    name: str
    read: Callable[[Any, int | None, int | None], Reading | None]
    empty: Callable[[Sequence[OutputSpec], Driver, int], list[tuple[Any, int]]]
    finish: Callable[[Any], Any] | None = None


def _row_strides(shape: tuple[int, ...], strides: tuple[int, ...] | None, unit: int) -> tuple[int, ...] | None:
    """The strides, None where they are those of rows that follow each other."""
    if strides is None or 0 in shape:
        return None
    step = unit
    for extent, stride in zip(reversed(shape), reversed(strides), strict=True):
        if extent != 1 and stride != step:
            return strides
        step *= extent
    return None


def _read_own(array: DeviceArray, stream: int | None, device: int | None) -> Reading:
    return array._pointer, array._key, array.stream, None


def _own_empty(wanted: Sequence[OutputSpec], driver: Driver, stream: int) -> list[tuple[Any, int]]:
    made = [DeviceArray(driver, shape, dtype, stream) for shape, dtype in wanted]
    return [(array, array._pointer) for array in made]


def _read_torch(tensor: Any, stream: int | None, device: int | None) -> Reading | None:
    if not tensor.is_cuda:
        return None
    torch, number = sys.modules["torch"], tensor.get_device()
    trouble = ""
    if tensor.requires_grad and torch.is_grad_enabled():
        trouble = "being differentiated by PyTorch: pass its .detach()"
    elif tensor.is_neg():
        trouble = "negated when it is read: pass its .resolve_neg()"
    strides = None if tensor.is_contiguous() else tuple(tensor.stride())
    key = ("torch", tensor.shape, tensor.dtype, number, strides, trouble)
    made_in = torch.cuda.current_stream(number).cuda_stream if stream is None else None
    return tensor.data_ptr(), key, made_in, None


def _torch_empty(wanted: Sequence[OutputSpec], driver: Driver, stream: int) -> list[tuple[Any, int]]:
    torch, number = sys.modules["torch"], driver.ordinal
    inside: Any = nullcontext()
    if torch.cuda.current_stream(number).cuda_stream != stream:
        inside = torch.cuda.stream(
            torch.cuda.ExternalStream(stream, number) if stream else torch.cuda.default_stream(number)
        )
    device = torch.device("cuda", number)
    with inside:
        made = [torch.empty(shape, dtype=_torch_type(dtype), device=device) for shape, dtype in wanted]
    return [(tensor, tensor.data_ptr()) for tensor in made]


@cache
def _torch_type(dtype: np.dtype[Any]) -> Any:
    return getattr(sys.modules["torch"], dtype.name)


def _cupy_empty(wanted: Sequence[OutputSpec], driver: Driver, stream: int) -> list[tuple[Any, int]]:
    cupy = sys.modules["cupy"]
    with cupy.cuda.Device(driver.ordinal), cupy.cuda.ExternalStream(stream):
        made = [cupy.empty(shape, dtype) for shape, dtype in wanted]
    return [(array, array.data.ptr) for array in made]


def _of_jax(array: DeviceArray) -> Any:
    return sys.modules["jax"].dlpack.from_dlpack(array)


def _read_interface(name: str) -> Callable[[Any, int | None, int | None], Reading | None]:
    """The reader by `__cuda_array_interface__`."""

    def read(array: Any, stream: int | None, device: int | None) -> Reading | None:
        try:
            said = array.__cuda_array_interface__
        except AttributeError:  # PyTorch's words for an array that is on the host
            return None
        pointer, read_only = said["data"]
        shape, strides, typestr = tuple(said["shape"]), said.get("strides"), said["typestr"]
        number = find_driver().device_of(pointer) if pointer else device or 0
        dtype = np.dtype(typestr)
        trouble = "read-only" if read_only else ""
        if said.get("mask") is not None:
            trouble = "masked, and kernels know no masks: fill it first"
        if number < 0:
            trouble = "in memory of no device"
        strides = None if strides is None else _row_strides(shape, tuple(strides), dtype.itemsize)
        made_in = said.get("stream")
        key = (name, shape, dtype.name if dtype.isnative else typestr, number, strides, trouble)
        return pointer, key, DEFAULT_STREAM if made_in == _LEGACY else made_in, None

    return read


def _read_dlpack(name: str) -> Callable[[Any, int | None, int | None], Reading | None]:
    """The reader by DLPack: whoever lends the array makes it ready for the stream of the call."""

    def read(array: Any, stream: int | None, device: int | None) -> Reading | None:
        kind, number = array.__dlpack_device__()
        if kind not in (CUDA, CUDA_MANAGED):
            return None
        if device not in (None, number):
            return 0, (name, tuple(array.shape), "", number, None, ""), None, None
        asking = DEFAULT_STREAM if stream is None else stream
        try:
            capsule = array.__dlpack__(stream=asking or _LEGACY, max_version=(1, 0))
        except TypeError:  # from before version 1
            capsule = array.__dlpack__(stream=asking or _LEGACY)
        lent = read_capsule(capsule)
        trouble = "read-only" if lent.read_only else ""
        key = (name, lent.shape, lent.dtype, lent.device, _row_strides(lent.shape, lent.strides, 1), trouble)
        return lent.pointer, key, asking, capsule

    return read


OWN = Library("polyad", _read_own, _own_empty)
TORCH = Library("torch", _read_torch, _torch_empty)
_CUPY = Library("cupy", _read_interface("cupy"), _cupy_empty)
_JAX = Library("jax", _read_dlpack("jax"), _own_empty, _of_jax)
_INTERFACE = Library("__cuda_array_interface__", _read_interface("__cuda_array_interface__"), _own_empty)
_DLPACK = Library("DLPack", _read_dlpack("DLPack"), _own_empty)

_BY_MODULE = {"torch": TORCH, "cupy": _CUPY, "jax": _JAX, "jaxlib": _JAX}

_KNOWN: dict[type, Library | None] = {DeviceArray: OWN, np.ndarray: None}
"""Type of an array -> its library, None for what is always on the host."""


def library_of(value: Any) -> Library | None:
    """The library of an array that may be on a device, None of what cannot be."""
    kind = type(value)
    try:
        return _KNOWN[kind]
    except KeyError:
        found = _KNOWN[kind] = _find(kind)
        return found


def _find(kind: type) -> Library | None:
    for parent in kind.__mro__:
        known = _BY_MODULE.get(parent.__module__.partition(".")[0])
        if known is not None:
            return known
    if hasattr(kind, "__cuda_array_interface__"):
        return _INTERFACE
    is_dlpack = hasattr(kind, "__dlpack_device__") and not issubclass(kind, np.ndarray | np.generic)
    return _DLPACK if is_dlpack else None


@dataclass(frozen=True, slots=True)
class DeviceView:
    """All that is to be known of an array on a device to compile for it.

    Attributes:
        shape: its extents.
        dtype: of its elements, as NumPy's.
        device: the number of its device.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    device: int


_VIEWS: dict[tuple[Any, ...], DeviceView] = {}
"""By the fields of keys: a function asks for the same ones in each call."""

_MOST_VIEWS = 1024


def device_view(value: Any) -> DeviceView | None:
    """Read what there is to know of an array on a device, None of all others.

    Raises:
        CallError: it has an element type that NumPy does not have.
    """
    library = library_of(value)
    reading = None if library is None else library.read(value, None, None)
    if reading is None:
        return None
    view = _VIEWS.get(reading[1])
    if view is not None:
        return view
    key = Key(*reading[1])
    if len(_VIEWS) >= _MOST_VIEWS:
        _VIEWS.clear()
    try:
        view = _VIEWS[reading[1]] = DeviceView(tuple(key.shape), numpy_type(key.dtype_name), key.device)
        return view
    except (TypeError, DTypeError):  # that NumPy has not, bfloat16 without its package among them
        raise CallError(
            f"an array of {key.dtype_name} on a device; kernels compute with {', '.join(ELEMENT_TYPES)}: convert it", ""
        ) from None
