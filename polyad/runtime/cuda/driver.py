"""NVIDIA's driver, by cffi: a device, its memory, modules and launches. Nothing here needs a toolkit.

One context is used, the primary one of the first device, which libraries such as PyTorch use, too.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any

import cffi

from polyad.codegen.launch_shape import Geometry
from polyad.errors import CallError
from polyad.machine.device import LIMITS, Limits

__all__ = ["DRIVER_FILES", "Driver", "DriverError", "find_driver"]

DRIVER_FILES = ("libcuda.so.1", "libcuda.so", "nvcuda.dll")
"""Looked for in this order, where the system looks for libraries."""

_FUNCTIONS = """
int cuInit(unsigned int flags);
int cuDriverGetVersion(int *version);
int cuGetErrorName(int error, const char **text);
int cuGetErrorString(int error, const char **text);
int cuDeviceGetCount(int *count);
int cuDeviceGet(int *device, int ordinal);
int cuDeviceGetName(char *name, int length, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuDevicePrimaryCtxReset_v2(int device);
int cuCtxSetCurrent(void *context);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuMemAlloc_v2(uint64_t *pointer, size_t bytes);
int cuMemFree_v2(uint64_t pointer);
int cuMemcpyHtoD_v2(uint64_t to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes);
int cuMemsetD8_v2(uint64_t pointer, unsigned char value, size_t bytes);
typedef struct {
    int id;
    char padding[4];
    union { char room[64]; int together; struct { unsigned int x, y, z; } cluster; } value;
} launch_attribute;
typedef struct {
    unsigned int grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    void *stream;
    launch_attribute *attributes;
    unsigned int count;
} launch_config;
int cuLaunchKernelEx(const launch_config *config, void *function, void **parameters, void **extra);
int cuLaunchKernel(void *function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
                   unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, void *stream,
                   void **parameters, void **extra);
int cuOccupancyMaxActiveClusters(int *count, void *function, const launch_config *config);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuStreamSynchronize(void *stream);
"""

_MAJOR, _MINOR = 75, 76  # attributes: the compute capability
_MULTIPROCESSORS, _MOST_SHARED = 16, 97  # how many, and bytes of a block where it asks for them
_OUT_OF_MEMORY, _NOT_INITIALISED, _NO_DEVICE, _NO_BINARY, _BAD_PTX, _UNSUPPORTED_PTX = 2, 3, 100, 209, 218, 222
_SHARED_BYTES = 8  # attribute of a function: the shared memory that a launch may ask for
_TOGETHER, _CLUSTER = 2, 4  # attributes of a launch: all blocks run at the same time; how many are a cluster
_HAVE_CLUSTERS = 90  # devices from this compute capability on
_KERNEL_FAILED = 700
"""From this number on errors are those of kernels: the context is lost then, with all its memory and modules."""


class DriverError(CallError):
    """A call of the driver that failed.

    Attributes:
        code: CUDA's number of the error.
    """

    def __init__(self, message: str, code: int):
        super().__init__(message, "target")
        self.code = code

    @property
    def loses_context(self) -> bool:
        """Whether nothing can be done with the context any more."""
        return self.code >= _KERNEL_FAILED

    @property
    def is_foreign_code(self) -> bool:
        """Whether machine code is for other devices."""
        return self.code == _NO_BINARY


class Driver:
    """The driver and the first device.

    Attributes:
        name: of the device.
        arch: its compute capability, 90 for 9.0.
        limits: of the device.
        version: of CUDA that the driver knows, 12040 for 12.4.
        generation: how often the context was lost; memory and modules of an earlier one are gone.

    Raises:
        CallError: there is no driver, or no device.
    """

    def __init__(self) -> None:
        self.ffi = cffi.FFI()
        self.ffi.cdef(_FUNCTIONS)
        self.lib = self._library()
        self._lock = threading.Lock()
        self._idle: dict[int, list[int]] = {}
        self._clusters: dict[tuple[int, Geometry], int] = {}
        self.do("cuInit", 0)
        if not self._int("cuDeviceGetCount"):
            raise CallError(
                "target='cuda': the driver sees no device (is CUDA_VISIBLE_DEVICES empty?); use target='openmp', which "
                "runs on the CPU",
                "target",
            )
        self.device = device = self._int("cuDeviceGet", 0)
        self.generation = 0
        text = self.ffi.new("char[]", 256)
        self.do("cuDeviceGetName", text, 256, device)
        found: Any = self.ffi.string(text)
        self.name: str = found.decode(errors="replace")
        self.arch = 10 * self._attribute(_MAJOR, device) + self._attribute(_MINOR, device)
        blocks, shared = (self._attribute(a, device) for a in (_MULTIPROCESSORS, _MOST_SHARED))
        self.limits = Limits(blocks, shared, LIMITS.cluster if self.arch >= _HAVE_CLUSTERS else 1)
        self.version = self._int("cuDriverGetVersion")
        self.context = self._retained()

    def _library(self) -> Any:
        problems = []
        for file in DRIVER_FILES:
            try:
                return self.ffi.dlopen(file)
            except OSError as problem:
                problems.append(" ".join(str(problem).split()).partition(". Additionally")[0])
        raise CallError(
            f"target='cuda': NVIDIA's driver was not found (looked for {', '.join(DRIVER_FILES)}: {problems[0]}); "
            "install the driver of the device, or use target='openmp', which runs on the CPU",
            "target",
        )

    def do(self, function: str, *arguments: Any) -> None:
        """Call the driver.

        Raises:
            DriverError: it says that it failed.
        """
        code = getattr(self.lib, function)(*arguments)
        if code:
            raise DriverError(self.told(function, code), code)

    def told(self, function: str, code: int) -> str:
        """Return what an error of a function means, and what to do."""
        texts = []
        for ask in ("cuGetErrorName", "cuGetErrorString"):
            text = self.ffi.new("const char **")
            known = getattr(self.lib, ask)(code, text) == 0 and text[0] != self.ffi.NULL
            found: Any = self.ffi.string(text[0]) if known else b""
            texts.append(found.decode(errors="replace"))
        cure = {
            _OUT_OF_MEMORY: "; the device has not that much memory left: smaller arrays, or target='openmp'",
            _NOT_INITIALISED: "; where it is used already, a process made by fork cannot use it: start it by 'spawn'",
            _NO_DEVICE: "; use target='openmp', which runs on the CPU",
            _NO_BINARY: "; the code is for another device: leave out Target(arch=), or name that of this one",
            _BAD_PTX: "; the driver is older than the compiler: update it, or use an older compiler",
            _UNSUPPORTED_PTX: "; the driver is older than the compiler: update it, or use an older compiler",
        }.get(code, "")
        if code >= _KERNEL_FAILED:
            cure = "; a kernel failed, and with it all that this process has on the device: start it again"
        name, words = texts
        return f"target='cuda': {function} failed with {name or 'error'} ({code}){f': {words}' if words else ''}{cure}"

    def enter(self) -> None:
        """Make the context that of the calling thread."""
        self.do("cuCtxSetCurrent", self.context)

    def begin_again(self) -> None:
        """Take a new context in the place of one that was lost by a kernel that failed, where the driver has one."""
        with self._lock:
            self.generation += 1
            self._idle.clear()
            self._clusters.clear()
            with contextlib.suppress(DriverError):  # after an illegal access it works again in a new process only
                self.do("cuDevicePrimaryCtxReset_v2", self.device)
                self.context = self._retained()

    def _retained(self) -> Any:
        context = self.ffi.new("void **")
        self.do("cuDevicePrimaryCtxRetain", context, self.device)
        return context[0]

    def _int(self, function: str, *arguments: Any) -> int:
        value = self.ffi.new("int *")
        self.do(function, value, *arguments)
        return int(value[0])

    def _attribute(self, attribute: int, device: int) -> int:
        return self._int("cuDeviceGetAttribute", attribute, device)

    # Memory: blocks that calls have given back serve others of the same number of bytes.

    def take(self, size: int) -> int:
        """Memory of the device.

        Raises:
            DriverError: it has not that much.
        """
        size = max(size, 1)
        with self._lock:
            idle = self._idle.get(size)
            if idle:
                return idle.pop()
        pointer = self.ffi.new("uint64_t *")
        code = self.lib.cuMemAlloc_v2(pointer, size)
        if code == _OUT_OF_MEMORY:
            self.free_idle()
            code = self.lib.cuMemAlloc_v2(pointer, size)
        if code:
            raise DriverError(f"{self.told('cuMemAlloc', code)} ({size:,} bytes were asked for)", code)
        return int(pointer[0])

    def give_back(self, pointer: int, size: int, generation: int) -> None:
        """Keep memory that a call has taken for the next one; none of a context that was lost."""
        with self._lock:
            if generation == self.generation:
                self._idle.setdefault(max(size, 1), []).append(pointer)

    def free_idle(self) -> None:
        """Free what no call uses now."""
        with self._lock:
            pointers = [p for found in self._idle.values() for p in found]
            self._idle.clear()
        for pointer in pointers:
            self.do("cuMemFree_v2", pointer)

    # Kernels

    def functions(self, image: bytes, names: Sequence[str]) -> list[Any]:
        """The kernels of a module."""
        text = not image.startswith(b"\x7fELF")  # PTX, which ends with a 0
        module, data = self.ffi.new("void **"), self.ffi.from_buffer(image.rstrip(b"\0") + b"\0" if text else image)
        self.do("cuModuleLoadData", module, data)
        found = []
        for name in names:
            function = self.ffi.new("void **")
            self.do("cuModuleGetFunction", function, module[0], name.encode())
            found.append(function[0])
        return found

    def most_clusters(self, function: Any, geometry: Geometry) -> int:
        """Return how many clusters of a launch the device runs at the same time."""
        key = int(self.ffi.cast("uintptr_t", function)), geometry
        if key not in self._clusters:
            self._make_room(function, geometry)
            config, attribute = self._config(geometry)
            assert attribute.id, "the launch points to it"
            self._clusters[key] = self._int("cuOccupancyMaxActiveClusters", function, config)
        return self._clusters[key]

    def launch(self, function: Any, geometry: Geometry, values: Sequence[tuple[str, int]]) -> None:
        """Launch a kernel behind what was launched before.

        Args:
            function: the kernel.
            geometry: blocks, threads and shared memory.
            values: its arguments: a C type and a number.
        """
        held = [self.ffi.new(f"{ctype} *", value) for ctype, value in values]
        nothing = self.ffi.NULL
        addresses = self.ffi.new("void *[]", [self.ffi.cast("void *", h) for h in held]) if held else nothing
        self._make_room(function, geometry)
        if geometry.members == 1:
            shape = (geometry.blocks, 1, 1, geometry.threads, 1, 1, geometry.room)
            self.do("cuLaunchKernel", function, *shape, nothing, addresses, nothing)
            return
        config, attribute = self._config(geometry)
        assert attribute.id, "the launch points to it"
        self.do("cuLaunchKernelEx", config, function, addresses, nothing)

    def _make_room(self, function: Any, geometry: Geometry) -> None:
        if geometry.room:
            self.do("cuFuncSetAttribute", function, _SHARED_BYTES, geometry.room)

    def _config(self, geometry: Geometry) -> tuple[Any, Any]:
        """A launch of teams, and what it points to, which has to live as long."""
        attribute: Any = self.ffi.new("launch_attribute *", {"id": _TOGETHER if geometry.counts else _CLUSTER})
        if geometry.counts:
            attribute.value.together = 1
        else:
            cluster = attribute.value.cluster
            cluster.x, cluster.y, cluster.z = geometry.members, 1, 1
        shape = [geometry.blocks, 1, 1, geometry.threads, 1, 1, geometry.room]
        return self.ffi.new("launch_config *", [*shape, self.ffi.NULL, attribute, 1]), attribute

    def wait(self) -> None:
        """Wait for all that was launched.

        Raises:
            DriverError: a launch failed.
        """
        self.do("cuStreamSynchronize", self.ffi.NULL)


@cache
def find_driver() -> Driver:
    """The driver of this machine, found once.

    Raises:
        CallError: there is no driver, or no device.
    """
    return Driver()
