"""Calls of kernels on a GPU with arrays of NumPy: copied there, the launches in order, and copied back."""

from __future__ import annotations

import base64
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polyad_c
from polyad._version import __version__
from polyad.codegen.certify.integers import condition_function
from polyad.codegen.launch_shape import Geometry, LaunchShape, Parameter
from polyad.codegen.loops.value_text import read_condition
from polyad.codegen.loops.words import Words
from polyad.codegen.source import Source
from polyad.errors import CallError
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.called_functions import called_functions
from polyad.runtime.cuda.compilers import FLAGS, find_cuda_compiler
from polyad.runtime.cuda.driver import Driver, DriverError, find_driver
from polyad.runtime.native import NativeKernel
from polyad.runtime.progress import stage
from polyad.runtime.status import Status
from polyad.runtime.workspace import FFI
from polyad.targets import Target
from polyad.targets.gpu import DEFAULT_ARCH

__all__ = ["CudaFunction", "Memory", "Placed", "arch_of", "load_cuda_kernel"]

_STATUS_BYTES = 8
_MEETING_BYTES = 128  # of a team; polyad_cuda_teams.h


def load_cuda_kernel(source: Source, target: Target) -> NativeKernel:
    """The function of `source`, compiled now or found in the cache; a device is looked for when it is called.

    Raises:
        UnusableCompiler: there is none of NVIDIA's compilers.
        CompileError: it failed.
    """
    return NativeKernel(CudaFunction(source, target, image_of(source, target, arch_of(target))), _one)


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
        self._functions: tuple[int, list[Any]] | None = None
        self._lock = threading.Lock()
        condition = read_condition(Words(1, source.requires)) if source.requires else None
        self._allows = None if condition is None else condition_function(condition)

    def __call__(self, sizes: Any, *rest: Any) -> int:
        """Run the launches.

        Raises:
            CallError: there is no driver or device, it has not enough memory, or a launch failed.
        """
        *pointers, _, _ = rest
        known = dict(zip(self.source.sizes, map(int, sizes), strict=False))  # without sizes there is an unused one
        if self._allows is not None and not self._allows(known):
            return Status.SIZE
        driver = find_driver()
        driver.enter()
        try:
            with Memory(driver) as memory:
                return self._run(driver, memory, known, pointers)
        except DriverError as problem:
            if problem.loses_context:
                driver.begin_again()
            raise

    def _loaded(self, driver: Driver) -> list[Any]:
        with self._lock:
            if self._functions is None or self._functions[0] != driver.generation:
                self._functions = driver.generation, self._load(driver)
            return self._functions[1]

    def _load(self, driver: Driver) -> list[Any]:
        """The kernels on the device; where nobody asked for machine code and it is not taken, PTX is."""
        names = [launch.kernel for launch in self.source.launches]
        try:
            return driver.functions(self.image, names)
        except DriverError as problem:
            if self.target.arch is not None or not problem.is_foreign_code:
                raise
            self.image = image_of(self.source, self.target, f"compute_{driver.arch}")
            return driver.functions(self.image, names)

    def place(self, memory: Memory, known: Mapping[str, int]) -> Placed:
        """Take memory for all that the kernels are given."""
        counting = (g for launch in self.source.launches if (g := launch.geometry(known, memory.driver.limits)).counts)
        teams = max((g.blocks // g.members for g in counting), default=0)
        return Placed(
            {a.name: memory.take(a.bytes(known)) for a in self.source.parameters},
            [memory.take(slot.bytes(known)) for slot in self.source.memory.slots],
            memory.take(_STATUS_BYTES) if self.source.checks else 0,
            memory.take(_MEETING_BYTES * teams) if teams else 0,
        )

    def launch(self, driver: Driver, known: Mapping[str, int], placed: Placed) -> None:
        """Launch all kernels, one behind the other, and do not wait."""
        if placed.status:
            driver.do("cuMemsetD8_v2", placed.status, 0, _STATUS_BYTES)
        for launch, function in zip(self.source.launches, self._loaded(driver), strict=True):
            geometry = self.geometry(driver, launch, function, known)
            if geometry.counts:
                driver.do("cuMemsetD8_v2", placed.meetings, 0, _MEETING_BYTES * geometry.blocks // geometry.members)
            if geometry.blocks:
                driver.launch(function, geometry, [placed.value(p, known, geometry) for p in launch.parameters])

    def geometry(self, driver: Driver, launch: LaunchShape, function: Any, known: Mapping[str, int]) -> Geometry:
        """How much of the device a launch asks for."""
        geometry = launch.geometry(known, driver.limits)
        if geometry.members == 1 or geometry.counts or not geometry.blocks:
            return geometry
        return launch.with_clusters(geometry, known, driver.most_clusters(function, geometry))

    def _run(self, driver: Driver, memory: Memory, known: Mapping[str, int], pointers: list[Any]) -> int:
        placed = self.place(memory, known)
        given = [(a, a.bytes(known), _void(driver, p)) for a, p in zip(self.source.parameters, pointers, strict=True)]
        for argument, size, pointer in given:
            if size and not argument.is_output:
                driver.do("cuMemcpyHtoD_v2", placed.arrays[argument.name], pointer, size)
        self.launch(driver, known, placed)
        driver.wait()
        if placed.status:
            words = driver.ffi.new("int[2]")
            driver.do("cuMemcpyDtoH_v2", words, placed.status, _STATUS_BYTES)
            if words[0] or words[1]:
                return int(words[0] or words[1])
        for argument, size, pointer in given:
            if size and argument.way != "in":
                driver.do("cuMemcpyDtoH_v2", pointer, placed.arrays[argument.name], size)
        return Status.OK


@dataclass(frozen=True, slots=True)
class Placed:
    """Addresses of the device.

    Attributes:
        arrays: those of the call.
        slots: of the workspace.
        status: of the two words that say whether an index is wrong; 0 where none is checked.
        meetings: of the words in which blocks of teams count who has come; 0 where none do.
    """

    arrays: Mapping[str, int]
    slots: Sequence[int]
    status: int
    meetings: int

    def value(self, parameter: Parameter, known: Mapping[str, int], geometry: Geometry) -> tuple[str, int]:
        """The C type and the value of what a kernel is given."""
        match parameter.kind:
            case "size":
                return "int64_t", known[parameter.name]
            case "array":
                return "uint64_t", self.arrays[parameter.name]
            case "slot":
                return "uint64_t", self.slots[int(parameter.name)]
            case "meetings":
                return "uint64_t", self.meetings
            case "members":
                return "int64_t", geometry.members if geometry.counts else 0
            case _:
                return "uint64_t", self.status


def _void(driver: Driver, pointer: Any) -> Any:
    """A pointer of one module of cffi as one of another."""
    return driver.ffi.cast("void *", int(FFI.cast("uintptr_t", pointer)))


class Memory:
    """The memory of one call, which goes back when it ends, however it ends."""

    def __init__(self, driver: Driver):
        self.driver, self.generation = driver, driver.generation
        self.taken: list[tuple[int, int]] = []

    def take(self, size: int) -> int:
        """So many bytes."""
        pointer = self.driver.take(size)
        self.taken.append((pointer, size))
        return pointer

    def __enter__(self) -> Memory:
        return self

    def __exit__(self, *_: object) -> None:
        for pointer, size in self.taken:
            self.driver.give_back(pointer, size, self.generation)
