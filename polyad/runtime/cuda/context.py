"""NVIDIA's driver, by cffi: its functions, a device, and the context of that device. Nothing here needs a toolkit.

One context of a device is used, its primary one, which libraries such as PyTorch use, too. Streams are numbers here, as
they are for these libraries; 0 is the one that waits for all others.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import cffi

from polyad.errors import CallError
from polyad.machine.device import LIMITS, Limits

__all__ = ["DRIVER_FILES", "OUT_OF_MEMORY", "Context", "DriverError"]

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
int cuCtxGetCurrent(void **context);
int cuModuleLoadData(void **module, const void *image);
int cuModuleGetFunction(void **function, void *module, const char *name);
int cuMemAlloc_v2(uint64_t *pointer, size_t bytes);
int cuMemFree_v2(uint64_t pointer);
int cuMemAllocAsync(uint64_t *pointer, size_t bytes, uintptr_t stream);
int cuMemFreeAsync(uint64_t pointer, uintptr_t stream);
int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, uintptr_t stream);
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, uintptr_t stream);
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, uintptr_t stream);
int cuMemsetD8Async(uint64_t pointer, unsigned char value, size_t bytes, uintptr_t stream);
int cuMemsetD32Async(uint64_t pointer, unsigned int value, size_t words, uintptr_t stream);
int cuPointerGetAttribute(void *value, int attribute, uint64_t pointer);
typedef struct {
    int id;
    char padding[4];
    union { char room[64]; int together; struct { unsigned int x, y, z; } cluster; } value;
} launch_attribute;
typedef struct {
    unsigned int grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
    uintptr_t stream;
    launch_attribute *attributes;
    unsigned int count;
} launch_config;
int cuLaunchKernelEx(const launch_config *config, void *function, void **parameters, void **extra);
int cuLaunchKernel(void *function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z, unsigned int block_x,
                   unsigned int block_y, unsigned int block_z, unsigned int shared_bytes, uintptr_t stream,
                   void **parameters, void **extra);
int cuOccupancyMaxActiveClusters(int *count, void *function, const launch_config *config);
int cuFuncSetAttribute(void *function, int attribute, int value);
int cuStreamCreate(uintptr_t *stream, unsigned int flags);
int cuStreamSynchronize(uintptr_t stream);
int cuStreamGetCtx(uintptr_t stream, void **context);
int cuStreamIsCapturing(uintptr_t stream, int *status);
int cuStreamWaitEvent(uintptr_t stream, void *event, unsigned int flags);
int cuThreadExchangeStreamCaptureMode(int *mode);
int cuEventCreate(void **event, unsigned int flags);
int cuEventRecord(void *event, uintptr_t stream);
int cuEventQuery(void *event);
"""

_MAJOR, _MINOR = 75, 76  # attributes: the compute capability
_MULTIPROCESSORS, _MOST_SHARED = 16, 97  # how many, and bytes of a block where it asks for them
_HAVE_CLUSTERS = 90  # devices from this compute capability on
_ORDINAL = 9  # attribute of a pointer: the device
_RELAXED = 2
OUT_OF_MEMORY, _NOT_INITIALISED, _NO_DEVICE, _NO_BINARY, _BAD_PTX, _UNSUPPORTED_PTX = 2, 3, 100, 209, 218, 222
_KERNEL_FAILED = {*range(700, 720)} - {701}
"""Errors of kernels: the context is lost then, with all its memory and modules. 701 is that of a launch."""


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
        return self.code in _KERNEL_FAILED

    @property
    def is_foreign_code(self) -> bool:
        """Whether machine code is for other devices."""
        return self.code == _NO_BINARY


class _Slots(threading.local):
    """The places to which the driver writes what a thread asked for: calls ask often, and new memory takes time.

    Attributes:
        pointer: void **.
        number: int *.
    """

    def __init__(self, ffi: cffi.FFI):
        self.pointer, self.number = ffi.new("void **"), ffi.new("int *")


class Context:
    """The driver and a device, with the context in which everything is done there.

    Args:
        ordinal: the number of the device.

    Attributes:
        ordinal: the same.
        name: of the device.
        arch: its compute capability, 90 for 9.0.
        limits: of the device.
        version: of CUDA that the driver knows, 12040 for 12.4.
        generation: how often the context was lost; memory and modules of an earlier one are gone.

    Raises:
        CallError: there is no driver, or no such device.
    """

    def __init__(self, ordinal: int = 0) -> None:
        self.ordinal = ordinal
        self.ffi = cffi.FFI()
        self.ffi.cdef(_FUNCTIONS)
        self.lib = self._library()
        self._lock = threading.Lock()
        self.slots = _Slots(self.ffi)
        self.do("cuInit", 0)
        count = self.integer("cuDeviceGetCount")
        if not count:
            raise CallError(
                "target='cuda': the driver sees no device (is CUDA_VISIBLE_DEVICES empty?); use target='openmp', which "
                "runs on the CPU",
                "target",
            )
        if not 0 <= ordinal < count:
            raise CallError(f"there is no device {ordinal}: the driver sees {count}, numbered from 0", "device")
        self.device = device = self.integer("cuDeviceGet", ordinal)
        self.generation = 0
        text = self.ffi.new("char[]", 256)
        self.do("cuDeviceGetName", text, 256, device)
        found: Any = self.ffi.string(text)
        self.name: str = found.decode(errors="replace")
        self.arch = 10 * self._attribute(_MAJOR, device) + self._attribute(_MINOR, device)
        blocks, shared = (self._attribute(a, device) for a in (_MULTIPROCESSORS, _MOST_SHARED))
        self.limits = Limits(blocks, shared, LIMITS.cluster if self.arch >= _HAVE_CLUSTERS else 1)
        self.version = self.integer("cuDriverGetVersion")
        self.context = self._retained()
        self._begin()

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
            raise self.problem(function, code)

    def problem(self, function: str, code: int, more: str = "") -> DriverError:
        """The error for what a function answered."""
        return DriverError(self.told(function, code) + more, code)

    def told(self, function: str, code: int) -> str:
        """Return what an error of a function means, and what to do."""
        texts = []
        for ask in ("cuGetErrorName", "cuGetErrorString"):
            text = self.ffi.new("const char **")
            known = getattr(self.lib, ask)(code, text) == 0 and text[0] != self.ffi.NULL
            found: Any = self.ffi.string(text[0]) if known else b""
            texts.append(found.decode(errors="replace"))
        cure = {
            OUT_OF_MEMORY: "; the device has not that much memory left: smaller arrays, or target='openmp'",
            _NOT_INITIALISED: "; where it is used already, a process made by fork cannot use it: start it by 'spawn'",
            _NO_DEVICE: "; use target='openmp', which runs on the CPU",
            _NO_BINARY: "; the code is for another device: leave out Target(arch=), or name that of this one",
            _BAD_PTX: "; the driver is older than the compiler: update it, or use an older compiler",
            _UNSUPPORTED_PTX: "; the driver is older than the compiler: update it, or use an older compiler",
        }.get(code, "")
        if code in _KERNEL_FAILED:
            cure = "; a kernel failed, and with it all that this process has on the device: start it again"
        name, words = texts
        return f"target='cuda': {function} failed with {name or 'error'} ({code}){f': {words}' if words else ''}{cure}"

    def enter(self) -> Any:
        """Make the context that of the calling thread, and return the one before."""
        slot = self.slots.pointer
        self.do("cuCtxGetCurrent", slot)
        before = slot[0]
        if before != self.context:
            self.do("cuCtxSetCurrent", self.context)
        return before

    def leave(self, before: Any) -> None:
        """Give the calling thread the context that `enter` returned; where it had none, it keeps this one."""
        if before != self.context and before:
            self.do("cuCtxSetCurrent", before)

    @contextlib.contextmanager
    def current(self) -> Iterator[None]:
        """The context is that of the calling thread inside."""
        before = self.enter()
        try:
            yield
        except DriverError as problem:
            if problem.loses_context:
                self.begin_again()
            raise
        finally:
            self.leave(before)

    def begin_again(self) -> None:
        """Take a new context in the place of one that was lost by a kernel that failed, where the driver has one."""
        with self._lock:
            self.generation += 1
            self._begin()
            with contextlib.suppress(DriverError):  # after an illegal access it works again in a new process only
                self.do("cuDevicePrimaryCtxReset_v2", self.device)
                self.context = self._retained()

    def _begin(self) -> None:
        """Set up what lives as long as the context, which is new."""

    def _retained(self) -> Any:
        context = self.ffi.new("void **")
        self.do("cuDevicePrimaryCtxRetain", context, self.device)
        return context[0]

    def integer(self, function: str, *arguments: Any) -> int:
        """The number that a function of the driver answers."""
        value = self.ffi.new("int *")
        self.do(function, value, *arguments)
        return int(value[0])

    def _attribute(self, attribute: int, device: int) -> int:
        return self.integer("cuDeviceGetAttribute", attribute, device)

    @contextlib.contextmanager
    def relaxed(self) -> Iterator[None]:
        """Inside, this thread may allocate, load and wait while streams are captured: none of it is in a graph."""
        mode = self.ffi.new("int *", _RELAXED)
        self.do("cuThreadExchangeStreamCaptureMode", mode)
        try:
            yield
        finally:
            self.do("cuThreadExchangeStreamCaptureMode", mode)

    def device_of(self, pointer: int) -> int:
        """The number of the device whose memory it is, -1 where it is of none."""
        found = self.ffi.new("int *")
        return -1 if self.lib.cuPointerGetAttribute(found, _ORDINAL, pointer) else int(found[0])

    # Kernels

    def functions(self, image: bytes, names: Sequence[str]) -> list[Any]:
        """The kernels of a module."""
        text = not image.startswith(b"\x7fELF")  # PTX, which ends with a 0
        module, data = self.ffi.new("void **"), self.ffi.from_buffer(image.rstrip(b"\0") + b"\0" if text else image)
        with self.relaxed():
            self.do("cuModuleLoadData", module, data)
        found = []
        for name in names:
            function = self.ffi.new("void **")
            self.do("cuModuleGetFunction", function, module[0], name.encode())
            found.append(function[0])
        return found
