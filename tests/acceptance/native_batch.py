"""Several programs compiled by one run of the C compiler, and run under conditions that no caller is so kind to give.

Outputs and workspace are filled with bytes that make NaN (or enormous numbers) before the call, exactly as long as
asked for, and stand between guards that must survive it. So a read of memory that was never written, or a write beside
an array, shows in a result or in a guard.
"""

import ctypes
import hashlib
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

import polyad_c
from polyad.codegen.certify.read_back.read_back import read_back
from polyad.codegen.generate import source_of
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import loops_of, plan_kernel
from polyad.codegen.source import Source
from polyad.ir.program import Program
from polyad.machine import MACHINE, TINY, Machine
from polyad.passes import prepare
from polyad.runtime.compiler import compile_object, find_compiler, link_shared
from polyad.runtime.contraction_object import LINKED_FLAGS, contraction_objects
from polyad.runtime.cpu import this_cpu
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, Strategies
from polyad.targets.target import Target
from tests.certified_once import certified_once
from tests.machines import with_threads

__all__ = ["GuardError", "NativeBatch", "run_source"]

NAN_BYTES = 0xFF  # NaN as float32 and float64, -1 as integers
HUGE_BYTES = 0x7E  # about 1e300, 1e38 and 9e18: what max and min, which skip NaN, would not skip
CERTIFIED = 1000  # statement instances: what is larger is not certified
GUARD = 256  # bytes; a multiple of the workspace's alignment


class GuardError(AssertionError):
    """A kernel wrote where nothing of its is, or changed an input."""


@dataclass(slots=True)
class NativeBatch:
    """Programs in, functions out.

    Attributes:
        optimize: the compiler's level; compiling is what takes the time here.
        strategies: polyad's own optimisations.
        machine: from which sizes on they pay.
        piece: the least iterations of a vector loop that a thread gets: so few that short loops are shared, too.
    """

    optimize: int = 0
    strategies: Strategies = ALL
    machine: Machine = MACHINE
    piece: int = TINY.piece
    sources: list[Source] = field(default_factory=list)
    library: ctypes.CDLL | None = None

    def add(self, program: Program, openmp: Sequence[bool] = (False,), schedule: Schedule | None = None) -> list[int]:
        """Take a program through the passes (verified where POLYAD_VERIFY=1) and generate C for it.

        The loops are certified, and the text is read back.

        Returns:
            One number an entry of `openmp`, for `run`.
        """
        prepared = prepare(program, self.strategies, self.machine)
        threads = with_threads(self.machine)
        order = default_schedule(prepared, self.strategies, threads) if schedule is None else schedule
        found: list[int] = []
        loops = loops_of(replace(prepared, name=f"{program.name}_{len(self.sources)}"), order)
        for parallel in openmp:
            named = replace(prepared, name=f"{program.name}_{len(self.sources)}")
            options = CodegenOptions(parallel, self.strategies, threads)
            plan = plan_kernel(named, order, options, loops)
            certified_once(plan, most=CERTIFIED)
            self.sources.append(source_of(plan))
            read_back(plan, self.sources[-1].c)
            found.append(len(self.sources) - 1)
        return found

    def build(self) -> None:
        """Compile everything that was added."""
        text = "\n".join(s.c for s in self.sources)
        compiler = find_compiler()
        target = Target("openmp", optimize=self.optimize, machine=replace(self.machine, piece=self.piece))
        # C99 lets compilers guess a function that nobody declared: its float arguments then arrive as doubles.
        flags = (*compiler.flags(target), "-Werror=implicit-function-declaration")
        name = f"batch_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        files = {f"{name}.c": text} | {h: polyad_c.header(h) for h in polyad_c.HEADERS}
        files |= {f"{s.name}.h": s.header for s in self.sources}
        with tempfile.TemporaryDirectory(prefix="polyad-") as scratch:
            machine = this_cpu().identity if target.march == "native" else this_cpu().architecture
            whole = replace(self.sources[0], c=text)
            objects = contraction_objects(whole, compiler, flags, machine, Path(scratch))
            own = (*flags, *LINKED_FLAGS) if objects else flags
            made = compile_object(compiler, files, f"{name}.c", own, Path(scratch))
            library = link_shared(compiler, [made, *objects], flags, Path(scratch) / f"{name}.so")
            self.library = ctypes.CDLL(str(library))

    def run(
        self, number: int, inputs: Mapping[str, np.ndarray], sizes: Mapping[str, int], threads: int = 0
    ) -> dict[str, np.ndarray]:
        """Run one kernel; output name -> values. It runs twice over different garbage and has to give the same bits.

        Args:
            number: of the kernel.
            inputs: input name -> values.
            sizes: size name -> value.
            threads: how many OpenMP uses; 0 leaves it as it is. A kernel without OpenMP does not mind.
        """
        assert self.library is not None, "build first"
        if threads and hasattr(self.library, "omp_set_num_threads"):
            self.library.omp_set_num_threads(threads)
        source = self.sources[number]
        function = getattr(self.library, source.name)
        asked = getattr(self.library, f"{source.name}_workspace")
        most = self.library.omp_get_max_threads() if hasattr(self.library, "omp_get_max_threads") else 1
        first = run_source(source, function, asked, inputs, sizes, NAN_BYTES, most)
        again = run_source(source, function, asked, inputs, sizes, HUGE_BYTES, most)
        for name, values in first.items():
            if values.tobytes() != again[name].tobytes():
                raise GuardError(
                    f"{source.name}: {name} depends on what the memory held before:\n{values}\n{again[name]}"
                )
        return first


class _Block:
    """Bytes between guards, a number of bytes behind the start of a cache line."""

    def __init__(self, size: int, fill: int, behind: int = 0):
        self.memory = np.full(size + 2 * GUARD + 64 + behind, fill, np.uint8)
        self.start = -self.memory.ctypes.data % 64 + GUARD + behind
        self.size, self.fill = size, fill
        self.inside = self.memory[self.start : self.start + size]

    @property
    def pointer(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(self.inside.ctypes.data if self.size else self.memory.ctypes.data + self.start)

    def check(self, what: str) -> None:
        before, after = self.memory[: self.start], self.memory[self.start + self.size :]
        if np.any(before != self.fill) or np.any(after != self.fill):
            side = "before" if np.any(before != self.fill) else "behind"
            raise GuardError(f"the kernel wrote {side} {what}")


def run_source(
    source: Source,
    function: object,
    asked: object,
    inputs: Mapping[str, np.ndarray],
    sizes: Mapping[str, int],
    fill: int,
    threads: int,
) -> dict[str, np.ndarray]:
    """Call a kernel function that may start `threads`, with `fill` in all memory it gets besides its inputs."""
    members = (ctypes.c_int64 * max(1, len(source.sizes)))(*(sizes[n] for n in source.sizes))
    asked.restype = ctypes.c_size_t
    size = asked(members)
    assert size == source.memory.workspace_bytes(sizes, threads), (
        f"{source.name}: Python and C disagree on the workspace"
    )
    blocks: list[_Block] = []
    kept: list[tuple[str, np.ndarray, bytes]] = []
    outputs: dict[str, np.ndarray] = {}
    for argument in source.arguments:
        shape = tuple(e.evaluate(sizes) for e in argument.shape)
        dtype = np.dtype(argument.dtype)
        block = _Block(int(np.prod(shape, dtype=int)) * dtype.itemsize, fill)
        values = block.inside.view(dtype).reshape(shape)
        if argument.is_output:
            outputs[argument.name] = values
        else:
            values[...] = inputs[argument.name]
            kept.append((argument.name, values, values.tobytes()))
        blocks.append(block)
    work = _Block(size, fill, behind=8 if fill == HUGE_BYTES else 0)  # any workspace will do
    status = function(members, *(b.pointer for b in blocks), work.pointer, ctypes.c_size_t(size))
    assert status == 0, f"{source.name} returned status {status}"
    for argument, block in zip(source.arguments, blocks, strict=True):
        block.check(f"{argument.name} of {source.name}")
    work.check(f"the workspace of {source.name}")
    for name, values, before in kept:
        if values.tobytes() != before:
            raise GuardError(f"{source.name} changed its input {name}")
    return outputs
