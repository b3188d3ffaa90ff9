"""DLPack: the struct by which libraries lend each other arrays, in a capsule of Python; read and made here.

Source: dlpack.h, https://dmlc.github.io/dlpack; the struct is that of version 0, or of version 1, which knows arrays
that are only read.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import cffi
import numpy as np

__all__ = ["CUDA", "CUDA_MANAGED", "Lent", "lend", "read_capsule"]

CUDA, CUDA_MANAGED = 2, 13
"""Kinds of devices: memory of a GPU, and memory that the driver moves."""

_KINDS = {"i": 0, "u": 1, "f": 2, "V": 4, "c": 5, "b": 6}  # V: bfloat16
_NAMES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 5: "complex", 6: "bool"}
_READ_ONLY = 1

_STRUCTS = """
typedef struct { int32_t kind, number; } Device;
typedef struct { uint8_t code, bits; uint16_t lanes; } Type;
typedef struct {
  void *data; Device device; int32_t ndim; Type type; int64_t *shape, *strides; uint64_t offset;
} Tensor;
typedef struct Managed { Tensor tensor; void *context; void (*deleter)(struct Managed *); } Managed;
typedef struct {
  uint32_t major, minor; void *context; void (*deleter)(void *); uint64_t flags; Tensor tensor;
} Versioned;
"""

_PYTHON = ctypes.pythonapi
_PYTHON.PyCapsule_New.restype = ctypes.py_object
_PYTHON.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_PYTHON.PyCapsule_GetPointer.restype = ctypes.c_void_p
_PYTHON.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_PYTHON.PyCapsule_IsValid.restype = ctypes.c_int
_PYTHON.PyCapsule_IsValid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_AT = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _PYTHON))
_IS = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_IsValid", _PYTHON))
_NEW, _USED = b"dltensor", b"used_dltensor"
_VERSIONED = b"dltensor_versioned"


@dataclass(frozen=True, slots=True)
class Lent:
    """An array that somebody lends.

    Attributes:
        pointer: where it starts.
        shape: its extents.
        dtype: of its elements, as NumPy calls it.
        strides: elements from one to the next along each dimension; None where rows follow each other.
        device: the number of the device.
        read_only: it may not be written.
    """

    pointer: int
    shape: tuple[int, ...]
    dtype: str
    strides: tuple[int, ...] | None
    device: int
    read_only: bool


def read_capsule(capsule: Any) -> Lent:
    """The array in a capsule, which has to be kept as long as its memory is used.

    Raises:
        BufferError: it is no capsule of DLPack, or was taken already.
    """
    ffi, _ = _structs()
    read_only = False
    if _PYTHON.PyCapsule_IsValid(capsule, _VERSIONED):
        versioned = ffi.cast("Versioned *", _PYTHON.PyCapsule_GetPointer(capsule, _VERSIONED))
        tensor, read_only = versioned.tensor, bool(versioned.flags & _READ_ONLY)
    elif _PYTHON.PyCapsule_IsValid(capsule, _NEW):
        tensor = ffi.cast("Managed *", _PYTHON.PyCapsule_GetPointer(capsule, _NEW)).tensor
    else:
        raise BufferError("this is no capsule of DLPack, or it was taken already")
    kind = tensor.type
    name = _NAMES.get(kind.code, f"type {kind.code} of ")
    dtype = (name if kind.code == _KINDS["b"] else f"{name}{kind.bits}") + (f"x{kind.lanes}" if kind.lanes != 1 else "")
    dims = range(tensor.ndim)
    return Lent(
        int(ffi.cast("uintptr_t", tensor.data)) + tensor.offset,
        tuple([tensor.shape[n] for n in dims]),
        dtype,
        None if tensor.strides == ffi.NULL else tuple([tensor.strides[n] for n in dims]),
        int(tensor.device.number),
        read_only,
    )


_LENT: dict[int, Any] = {}
"""Address of a struct that others have -> it, with what has to live as long."""


@cache
def _structs() -> tuple[cffi.FFI, Any]:
    """The structs, read when they are asked for, and what takes back a struct that was lent."""
    ffi = cffi.FFI()
    ffi.cdef(_STRUCTS)

    def give_back(managed: Any) -> None:
        _LENT.pop(int(ffi.cast("uintptr_t", managed)), None)

    return ffi, ffi.callback("void(Managed *)", give_back)


def _destroyed(capsule: int) -> None:
    """Python calls this for a capsule that goes: where nobody took the array out of it, it is given back."""
    if _IS(capsule, _NEW):
        managed = _structs()[0].cast("Managed *", _AT(capsule, _NEW))
        managed.deleter(managed)


_DESTROYED = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(_destroyed)


def lend(owner: object, pointer: int, shape: tuple[int, ...], dtype: np.dtype[Any], device: int) -> Any:
    """A capsule with an array of rows that follow each other.

    Args:
        owner: kept until the capsule, or who takes the array out of it, gives it back.
        pointer: where it starts.
        shape: its extents.
        dtype: of its elements.
        device: the number of the device.
    """
    ffi, give_back = _structs()
    managed = ffi.new("Managed *")
    sizes = ffi.new("int64_t[]", max(len(shape), 1))
    steps = ffi.new("int64_t[]", max(len(shape), 1))
    for n, extent in enumerate(shape):
        sizes[n], steps[n] = extent, math.prod(shape[n + 1 :])
    tensor = managed.tensor
    tensor.data, tensor.device.kind, tensor.device.number = ffi.cast("void *", pointer), CUDA, device
    tensor.ndim, tensor.shape, tensor.strides, tensor.offset = len(shape), sizes, steps, 0
    tensor.type.code, tensor.type.bits, tensor.type.lanes = _KINDS[dtype.kind], 8 * dtype.itemsize, 1
    managed.deleter = give_back
    at = int(ffi.cast("uintptr_t", managed))
    _LENT[at] = managed, sizes, steps, owner
    return _PYTHON.PyCapsule_New(at, _NEW, ctypes.cast(_DESTROYED, ctypes.c_void_p))
