"""The few calls of the driver that a test needs, by ctypes, on the library that CUDA_CPU_LIBRARY names."""

from __future__ import annotations

import ctypes
import os
from typing import Any


class DriverError(Exception):
    """The name of an error that the driver answered."""


class Device:
    """A device, and its context for this thread."""

    def __init__(self) -> None:
        self.lib, self.context = ctypes.CDLL(os.environ["CUDA_CPU_LIBRARY"]), ctypes.c_void_p()
        self.do("cuInit", 0)
        self.do("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), 0)
        self.do("cuCtxSetCurrent", self.context)

    def do(self, function: str, *arguments: Any) -> None:
        status = getattr(self.lib, function)(*arguments)
        if status:
            name = ctypes.c_char_p()
            self.lib.cuGetErrorName(status, ctypes.byref(name))
            raise DriverError((name.value or str(status).encode()).decode())

    def error(self, function: str, *arguments: Any) -> str:
        """The name of the error that a call answers, "" if there is none."""
        try:
            self.do(function, *arguments)
        except DriverError as problem:
            return str(problem)
        return ""

    def allocate(self, size: int) -> ctypes.c_uint64:
        at = ctypes.c_uint64()
        self.do("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))
        return at

    def put(self, array: Any) -> ctypes.c_uint64:
        at = self.allocate(array.nbytes)
        self.do("cuMemcpyHtoD_v2", at, ctypes.c_void_p(array.ctypes.data), ctypes.c_size_t(array.nbytes))
        return at

    def get(self, at: ctypes.c_uint64, like: Any) -> Any:
        found = like.copy()
        self.do("cuMemcpyDtoH_v2", ctypes.c_void_p(found.ctypes.data), at, ctypes.c_size_t(found.nbytes))
        return found

    def function(self, image: bytes, name: str) -> ctypes.c_void_p:
        """A function of a module that is loaded for it; the image ends with a zero."""
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.do("cuModuleLoadData", ctypes.byref(module), image + b"\0")
        self.do("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def launch(self, function: ctypes.c_void_p, grid: int, block: int, *pointers: ctypes.c_uint64) -> None:
        given = (ctypes.c_void_p * len(pointers))(*map(ctypes.addressof, pointers))
        self.do("cuLaunchKernel", function, grid, 1, 1, block, 1, 1, 0, None, given, None)
