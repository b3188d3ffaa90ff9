"""The kernels of a text on GPUs, and calls with arrays of NumPy: copied there, the launches in order, copied back."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import polyad_c
from polyad._version import __version__
from polyad.codegen.certify.integers import condition_function
from polyad.codegen.launch_shape import STATUS_BYTES
from polyad.codegen.loops.value_text import read_condition
from polyad.codegen.loops.words import Words
from polyad.codegen.source import Source
from polyad.errors import CallError
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.called_functions import called_functions
from polyad.runtime.cuda.compilers import FLAGS, find_cuda_compiler
from polyad.runtime.cuda.driver import Driver, DriverError, find_driver
from polyad.runtime.cuda.frames import Frame, Room, room_of
from polyad.runtime.cuda.streams import launching_stream
from polyad.runtime.native import NativeKernel
from polyad.runtime.progress import stage
from polyad.runtime.status import Status
from polyad.runtime.workspace import FFI
from polyad.targets import Target
from polyad.targets.gpu import DEFAULT_ARCH

__all__ = ["CudaFunction", "arch_of", "image_of", "load_cuda_kernel", "status_words"]


def load_cuda_kernel(source: Source, target: Target) -> NativeKernel:
    """The function of `source`, compiled now or found in the cache; a device is looked for when it is called.

    Raises:
        UnusableCompiler: there is none of NVIDIA's compilers.
        CompileError: it failed.
    """
    function = CudaFunction(source, target, image_of(source, target, arch_of(target)))
    return NativeKernel(function, _one, function)


def arch_of(target: Target) -> str:
    """Return what is compiled for: the target's word, else that of the device, else what all devices of today run."""
    if target.arch is not None:
        return target.arch
    try:
        return f"sm_{find_driver().arch}"
    except CallError:
        return DEFAULT_ARCH


def image_of(source: Source, target: Target, arch: str) -> bytes:
    """Machine code or PTX of a text."""
    compiler = find_cuda_compiler()
    main, runtime = f"{source.name}{source.suffix}", "polyad_runtime.h"
    files = {main: source.c, **{name: polyad_c.header(name) for name in polyad_c.CUDA_HEADERS}}
    others = "\n".join(text for name, text in files.items() if name != runtime)
    files[runtime] = called_functions(files[runtime], others)
    key = digest(__version__, compiler.identity, arch, *FLAGS, *target.extra_flags, *files, *files.values())
    cache = open_cache()
    known = cache.load("images", key, {"image": str})
    if known is not None:
        return base64.b64decode(known["image"])
    with stage(source.name, "compiling CUDA", f"for {arch}"):
        image = compiler.image(files, main, arch, target.extra_flags)
    cache.store("images", key, {"image": base64.b64encode(image).decode()})
    return image


def _one() -> int:
    return 1


class CudaFunction:
    """The function that Python calls: (sizes, one pointer a parameter, workspace, workspace bytes) -> status.

    Args:
        source: the kernels.
        target: what they are compiled for.
        image: machine code, or PTX.
    """

    def __init__(self, source: Source, target: Target, image: bytes):
        self.source, self.target, self.image = source, target, image
        self._functions: dict[Driver, tuple[int, list[Any]]] = {}
        self._lock = threading.Lock()
        condition = read_condition(Words(1, source.requires)) if source.requires else None
        self._allows = None if condition is None else condition_function(condition)

    def __call__(self, sizes: Any, *rest: Any) -> int:
        """Run the launches in the stream of `given_stream`, and wait for them.

        Raises:
            CallError: there is no driver or device, it has not enough memory, or a launch failed; or a graph is being
                made of what is launched there.
        """
        *pointers, _, _ = rest
        known = dict(zip(self.source.sizes, map(int, sizes), strict=False))  # without sizes there is an unused one
        if not self.allows(known):
            return Status.SIZE
        driver, stream = find_driver(), launching_stream()
        with driver.current():
            driver.streams.check(stream, self.source.name)
            if driver.streams.is_capturing(stream):
                raise CallError(
                    f"{self.source.name}: the stream is being captured, and a call with arrays of NumPy waits for its "
                    "results: pass arrays of the device, such as pa.to_device makes, or call before capturing",
                    "stream",
                )
            with _memory(driver, [a.bytes(known) for a in self.source.parameters], stream) as arrays:
                return self._run(driver, known, arrays, pointers, stream)

    def allows(self, known: Mapping[str, int]) -> bool:
        """Whether the program allows these sizes."""
        return self._allows is None or bool(self._allows(known))

    def frame(self, driver: Driver, known: Mapping[str, int], room: Room) -> Frame:
        """The launches at these sizes."""
        return Frame(driver, self.source, self._loaded(driver), known, room)

    def _loaded(self, driver: Driver) -> list[Any]:
        with self._lock:
            found = self._functions.get(driver)
            if found is None or found[0] != driver.generation:
                found = self._functions[driver] = driver.generation, self._load(driver)
            return found[1]

    def _load(self, driver: Driver) -> list[Any]:
        """The kernels on the device; where nobody asked for machine code and it is not taken, PTX is."""
        names = [launch.kernel for launch in self.source.launches]
        try:
            return driver.functions(self.image, names)
        except DriverError as problem:
            if self.target.arch is not None or not problem.is_foreign_code:
                raise
            return driver.functions(image_of(self.source, self.target, f"compute_{driver.arch}"), names)

    def _run(
        self, driver: Driver, known: Mapping[str, int], arrays: list[int], pointers: list[Any], stream: int
    ) -> int:
        given = [
            (argument, array, argument.bytes(known), _void(driver, pointer))
            for argument, array, pointer in zip(self.source.parameters, arrays, pointers, strict=True)
        ]
        for argument, array, size, pointer in given:
            if size and not argument.is_output:
                driver.do("cuMemcpyHtoDAsync_v2", array, pointer, size, stream)
        room = room_of(self.source, known, driver.limits)
        frame = self.frame(driver, known, room)
        with driver.workspaces.use(stream, max(room.bytes, 1), captured=False) as base:
            frame.launch(arrays, base, stream)
            words = status_words(driver, room, base, stream)
        driver.streams.wait(stream)
        if words is not None and (words[0] or words[1]):
            return int(words[0] or words[1])
        for argument, array, size, pointer in given:
            if size and argument.way != "in":
                driver.do("cuMemcpyDtoHAsync_v2", pointer, array, size, stream)
        driver.streams.wait(stream)
        return Status.OK


def status_words(driver: Driver, room: Room, base: int, stream: int) -> Any:
    """The words that say whether an index is wrong, when the stream has been waited for; None where none is checked."""
    if not room.status:
        return None
    words = driver.ffi.new("int[2]")
    driver.do("cuMemcpyDtoHAsync_v2", words, base, STATUS_BYTES, stream)
    return words


@contextmanager
def _memory(driver: Driver, sizes: list[int], stream: int) -> Iterator[list[int]]:
    """Memory for the arrays of one call, which goes back when it ends, however it ends."""
    memory, taken = driver.memory, []
    try:
        for size in sizes:
            taken.append(memory.take(size, stream))
        yield taken
    finally:
        for pointer, size in zip(taken, sizes, strict=False):
            memory.give_back(pointer, size, stream)


def _void(driver: Driver, pointer: Any) -> Any:
    """A pointer of one module of cffi as one of another."""
    return driver.ffi.cast("void *", int(FFI.cast("uintptr_t", pointer)))
