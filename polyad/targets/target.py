"""Targets: which machine the generated C is for, and the compiler options that follow from it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

from polyad.errors import CallError, CompileError
from polyad.machine import MACHINE, Machine
from polyad.schedule.strategies import LEVELS, Strategies
from polyad.targets.blas import BLAS
from polyad.targets.gpu import check_options

__all__ = ["DEFAULT_TARGET", "TARGETS", "Backend", "Target", "resolve"]


@dataclass(frozen=True, slots=True)
class Backend:
    """One row of the table of targets.

    Attributes:
        name: what the user writes.
        openmp: whether loops marked parallel become OpenMP loops.
        summary: one line for `polyad doctor` and the docs.
        language: what its kernels are written in, by its name in `LANGUAGES` (codegen/languages.py).
        without: the strategies that are of no use to it, at any level.
        also: the strategies that only it has a use for, at any level.
        missing: why this version cannot generate code for it and what to use instead; "" when it can.
    """

    name: str
    openmp: bool
    summary: str
    language: str = "c"
    without: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    missing: str = ""


TARGETS: dict[str, Backend] = {
    backend.name: backend
    for backend in (
        Backend("c", openmp=False, summary="C99 on one core, vector loops included"),
        Backend("openmp", openmp=True, summary="C99 with OpenMP: all cores, vector loops included"),
        Backend(
            "cuda",
            openmp=False,
            summary="CUDA C++ for NVIDIA GPUs",
            language="cuda",
            # Loops stand in the order of their definitions: sums are innermost, each in a register of one thread. What
            # a recurrence can do without stays outside of it, on all of the device. A scatter would be one thread's.
            without=(
                "scatter",
                *("order", "sink", "simd", "private", "contraction", "jam", "layout", "points", "wavefront", "tails"),
                *("scan_fusion", "time_tiles", "pack", "parts", "share", "region"),
            ),
            also=("nested",),
        ),
    )
}
DEFAULT_TARGET = "openmp"

_MACHINE = re.compile(r"[A-Za-z0-9][\w.+=-]*")


@dataclass(frozen=True, slots=True)
class Target:
    """A target with its options.

    Attributes:
        name: a name of `TARGETS`.
        march: the CPU to compile for, as in `-march=`: "native" (this machine), "x86-64-v3", ...; None leaves it to the
            compiler, which then makes code for every CPU of the architecture.
        optimize: how much is optimised, 0 to 3, by polyad (see `polyad.schedule.strategies`) and by the compiler (-O).
            The results differ in rounding only.
        extra_flags: further compiler arguments, after all others.
        blas: the library that large contractions are sent to, a name of `BLAS`; None needs none.
        machine: from which sizes on something pays; other numbers change no result but in rounding.
        arch: of "cuda": the GPU to compile for in NVIDIA's words, "sm_90" (machine code) or "compute_80" (which its
            driver compiles on any device as new or newer); None for that of the device at hand, else "compute_80".
        math: of "cuda": "ieee", which rounds each operation as IEEE 754 says (products and sums may be fused).
        atomics: of "cuda": whether sums may be added up in any order; not in this version.
        cublas: of "cuda": whether large contractions go to that library; not in this version.
        index: the type of loop variables and subscripts: "int64", or "int32" for machines that are slow with 64 bits.
            Results are the same. Sizes at which anything would have to count further than 2**31 - 1 are refused: by a
            `CompileError` where they are fixed, by a `CallError` at a call.

    Raises:
        CallError: an unknown name or an option out of range.
    """

    name: str = DEFAULT_TARGET
    march: str | None = "native"
    optimize: int = 3
    extra_flags: tuple[str, ...] = ()
    blas: str | None = None
    machine: Machine = MACHINE
    arch: str | None = None
    math: str = "ieee"
    atomics: bool = False
    cublas: bool = False
    index: Literal["int64", "int32"] = "int64"

    def __post_init__(self) -> None:
        if not _is_one_of(self.name, TARGETS):
            known = ", ".join(repr(name) for name in TARGETS)
            raise CallError(f"target={self.name!r} is unknown; the targets are {known}", "target")
        if self.march is not None and not _is_machine(self.march):
            raise CallError(
                f"Target(march={self.march!r}): expected a CPU name such as 'native' or 'x86-64-v3'", "march"
            )
        if type(self.optimize) is not int or self.optimize not in LEVELS:
            raise CallError(f"Target(optimize={self.optimize!r}): expected 0, 1, 2 or 3", "optimize")
        if not _are_texts(self.extra_flags):
            raise CallError(
                f"Target(extra_flags={self.extra_flags!r}): expected a tuple of compiler arguments such as ('-g',)",
                "extra_flags",
            )
        if self.blas is not None and not _is_one_of(self.blas, BLAS):
            known = ", ".join(map(repr, BLAS))
            raise CallError(f"Target(blas={self.blas!r}): expected None or one of {known}", "blas")
        if not isinstance(self.machine, Machine):
            raise CallError(f"Target(machine={self.machine!r}): expected a polyad.machine.Machine", "machine")
        if not _is_one_of(self.index, {"int64": 0, "int32": 0}):
            raise CallError(f"Target(index={self.index!r}): expected 'int64' or 'int32'", "index")
        object.__setattr__(self, "extra_flags", tuple(self.extra_flags))
        check_options(self.name, self.backend.language == "cuda", {f.name: getattr(self, f.name) for f in fields(self)})

    @property
    def backend(self) -> Backend:
        """The row of the table."""
        return TARGETS[self.name]

    @property
    def openmp(self) -> bool:
        """Whether loops marked parallel become OpenMP loops."""
        return self.backend.openmp

    @property
    def strategies(self) -> Strategies:
        """The optimisations that polyad makes at this level, as far as the target has a use for them."""
        switches = dict.fromkeys(self.backend.without, False) | dict.fromkeys(self.backend.also, True)
        return replace(Strategies.at_level(self.optimize), **switches)

    def __str__(self) -> str:
        blas = [f"blas={self.blas}"] if self.blas is not None else []
        index = [f"index={self.index}"] if self.index != "int64" else []
        if self.backend.language == "cuda":
            arch = [f"arch={self.arch}"] if self.arch is not None else []
            return f"{self.name} ({', '.join([*arch, f'optimize={self.optimize}', *index, *self.extra_flags])})"
        options = [f"march={self.march}", f"optimize={self.optimize}", *blas, *index, *self.extra_flags]
        return f"{self.name} ({', '.join(options)})"


def _is_machine(value: object) -> bool:
    return isinstance(value, str) and _MACHINE.fullmatch(value) is not None


def _is_one_of(value: object, table: Mapping[str, object]) -> bool:
    return isinstance(value, str) and value in table


def _are_texts(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(text, str) for text in value)


def resolve(target: str | Target | None) -> Target:
    """The target meant by `target=`, checked to be one that code can be generated for.

    Args:
        target: a name, a `Target`, or None for the default.

    Raises:
        CallError: an unknown name.
        CompileError: a target that this version knows but cannot generate code for.
    """
    if target is None:
        target = DEFAULT_TARGET
    if isinstance(target, str):
        target = Target(target)
    if not isinstance(target, Target):
        raise CallError(f"target={target!r}: expected a name such as 'openmp', or a Target", "target")
    if target.backend.missing:
        raise CompileError(f"target={target.name!r}: {target.backend.missing}")
    return target
