"""A batch of programs: lowered, compiled by one run of the C compiler, run over garbage, judged.

Runs in a process of its own (pool.py), as anything in it may crash or hang, and tells what it is doing as it goes.
"""

import os
import resource
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import polyad as pa
from polyad.codegen.source import Source
from polyad.errors import CompileError, PolyadError
from polyad.machine import MACHINE, TINY
from polyad.semantics.evaluate import evaluate
from polyad.targets.target import Target
from tests.acceptance.native_batch import GuardError, NativeBatch
from tests.campaign import judge
from tests.campaign.conditioning import rounding_excused, sensitive
from tests.campaign.lower import Traced, lower, trace
from tests.campaign.program import Program
from tests.campaign.refusals import allowed
from tests.campaign.words_polyad import Words

__all__ = ["CPU_SECONDS", "Verdict", "try_all"]

CPU_SECONDS = 40  # of one stage of one program
EVALUATED = 600  # elements of all arrays up to which the evaluator is asked

# What a user should never read.
INTERNAL = ("isl_", "islpy", "Traceback", "NoneType", "KeyError", "object at 0x")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a program.

    Attributes:
        name: of the program.
        kind: right; refused (as refusals.py says it may be); wrong; error (any other refusal, clear or not); void (the
            references overflow or have no words for it); crash; hang.
        detail: a line.
        signature: what failures of one cause share.
        peers: which references judged.
        fallback: why it ran at fixed sizes although symbolic ones were drawn; "" where it did not.
    """

    name: str
    kind: str
    detail: str = ""
    signature: str = ""
    peers: str = ""
    fallback: str = ""

    @property
    def failed(self) -> bool:
        return self.kind in ("wrong", "error", "crash", "hang")


def _limit() -> None:
    """Time by CPU for what comes next; the signal ends the process."""
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)


def _error(name: str, stage: str, problem: BaseException) -> Verdict:
    """A refusal that is allowed, or an error."""
    text = f"{type(problem).__name__}: {problem}".split("\n")[0][:400]
    clear = isinstance(problem, PolyadError) and not any(word in str(problem) for word in INTERNAL)
    where = traceback.extract_tb(problem.__traceback__)
    last = next((f for f in reversed(where) if f"{os.sep}polyad{os.sep}" in f.filename), where[-1])
    place = f"{os.path.basename(last.filename)}:{last.name}"
    if clear and isinstance(problem, PolyadError) and allowed(name.split("/")[0], problem):
        return Verdict(name, "refused", text, f"{type(problem).__name__} {place}")
    return Verdict(name, "error", f"{stage}: {text} ({place})", f"{type(problem).__name__} {place}")


def _traced(program: Program) -> tuple[Program, Traced, str]:
    """Symbolic where that can be said; else, where it may be refused, the same program at numbers, and why."""
    why = ""
    if program.options.symbolic:
        try:
            least = program.options.least
            symbols = {n: pa.sizes(n, min=least if value >= least else 1) for n, value in program.extents.items()}
            return program, trace(program, symbols), ""
        except PolyadError as problem:
            entry = allowed(program.label, problem)
            if entry is None:
                raise
            why, program = f"{entry.label}: {entry.pattern} ({entry.reason})", program.with_options(symbolic=False)
    return program, trace(program, program.extents), why


def _inputs(program: Program, traced: Traced, extents: dict[str, int]) -> tuple[Any, Any]:
    values = program.values(extents)
    arrays = traced.equations.arrays
    names = [*traced.heads, *traced.tangents.values()]
    sizes = extents if program.options.symbolic else {}
    shapes = {n: tuple(e.evaluate(sizes) for e in arrays[n].shape) for n in names}
    return values, judge.extra_inputs(program, shapes, {n: arrays[n].dtype for n in names})


def _judged(program: Program, traced: Traced, run: Callable[..., Any], peer: bool) -> str:
    """Run at all sizes and compare; says which references judged."""
    by = set() if program.odd else {"reference"}
    judged = False
    every = (program.extents, *program.others) if program.options.symbolic else (program.extents,)
    for n, extents in enumerate(every):
        if program.options.symbolic and _shapeless(traced, extents):
            continue  # refused at a call, as tests/frontend/test_negative_extents.py shows
        judged = True
        values, extra = _inputs(program, traced, extents)
        sizes = {k: extents[k] for k in traced.equations.params}
        everything = values | extra | traced.constants
        threads = program.options.threads
        results = run(everything, sizes, threads)
        another = threads % (3 if threads < 4 else 7) + 1
        other = run(everything, sizes, another) if program.options.openmp else results
        for name, found in results.items():
            if found.tobytes() != other[name].tobytes():
                raise judge.WrongError(f"{name} differs with {threads} and {another} threads")
        with rounding_excused(program, extents, values, extra):
            listed = [results[name] for name in traced.equations.outputs]
            if not program.odd:
                judge.against_reference(program, extents, values, extra, listed)
            total = sum(int(np.prod([e.evaluate(sizes) for e in a.shape])) for a in traced.equations.arrays.values())
            if program.odd and total > 10 * EVALUATED:
                raise judge.NotFiniteError("too large for the evaluator")
            if (total <= EVALUATED or program.odd) and n == 0:
                exact = evaluate(traced.equations, everything, sizes)
                judge.against_evaluator(results, exact, program, _excused(program, traced, extents, values))
                by.add("evaluator")
            if peer and n == 0 and judge.against_peer(program, extents, values, extra, listed):
                by.add("jax")
    if not judged:
        raise judge.NotFiniteError("no array has these sizes")
    return " ".join(sorted(by))


def _excused(program: Program, traced: Traced, extents: dict[str, int], values: Any) -> dict[str, np.ndarray]:
    """The elements of which rounding decides what they are, where numbers of any size are given: cos(1e30)."""
    if not program.odd:
        return {}
    return dict(zip(traced.equations.outputs, sensitive(program, extents, values, {}), strict=True))


def _shapeless(traced: Traced, extents: dict[str, int]) -> bool:
    """Whether an array would have a negative extent, a window larger than its image."""
    return any(e.evaluate(extents) < 0 for a in traced.equations.arrays.values() for e in a.shape)


def _front(program: Program) -> str:
    """The user's way: functions on arrays, and arrays to fill."""
    f, names = program.function(program.extents), list(program.inputs)
    target = Target("openmp" if program.options.openmp else "c", optimize=program.options.level)
    values = program.values(program.extents)
    if program.options.mode == "grad":
        numbers = tuple(names.index(n) for n in program.differentiable)
        traced = pa.value_and_grad(lambda *a: f(Words(), *a), argnums=numbers)
        value, gradients = traced(*values.values())
        results = [value, *gradients]
    else:
        program = program.with_options(mode="value")
        traced = pa.jit(lambda *a: f(Words(), *a), target)
        found = traced(*values.values())
        results = list(found) if isinstance(found, tuple | list) else [found]
    with rounding_excused(program, program.extents, values, {}):
        judge.against_reference(program, program.extents, values, {}, [np.asarray(r) for r in results])
    kernel = traced.kernel
    assert kernel is not None
    constants = next(iter(traced.entries.values())).constants
    again = kernel(*values.values(), *constants)
    listed = again if isinstance(again, tuple) else (again,)
    filled = [np.full_like(r, 7) for r in listed]
    kernel(*values.values(), *constants, out=filled)
    for a, b in zip(listed, filled, strict=True):
        if a.tobytes() != b.tobytes():
            raise judge.WrongError("out= gives other values")
    return "reference"


def _verdict(program: Program, work: Callable[[], str]) -> Verdict:
    try:
        return Verdict(program.name, "right", peers=work())
    except (judge.WrongError, GuardError) as problem:
        return Verdict(program.name, "wrong", str(problem).replace("\n", " ")[:400], type(problem).__name__)
    except judge.NotFiniteError as problem:
        return Verdict(program.name, "void", f"not finite: {problem}")
    except PolyadError as problem:
        return _error(program.name, "run", problem)
    except AssertionError as problem:
        return Verdict(program.name, "wrong", str(problem).replace("\n", " ")[:400], "AssertionError")


def try_all(programs: Sequence[Program], tell: Callable[[str, Any], None], peer: bool = False) -> None:
    """Try programs; `tell("at", name)` before each stage of each, `tell("verdict", verdict)` after.

    Args:
        programs: with names of their own.
        tell: takes what is known as soon as it is.
        peer: whether JAX judges too where it can.
    """
    batches = {
        (level, tiny): NativeBatch(level, machine=machine, piece=machine.piece)
        for level in (0, 3)
        for tiny, machine in ((False, MACHINE), (True, TINY))
    }
    lowered: list[tuple[Program, Traced, int]] = []
    fallbacks: dict[str, str] = {}
    for program in programs:
        tell("at", program.name)
        _limit()
        if program.options.front:
            tell("verdict", _front_verdict(program))
            continue
        try:
            now, traced, fallback = _traced(program)
            batch = batches[_made_for(now)]
            source: Source = lower(traced.equations, now, len(batch.sources))
        except Exception as problem:
            tell("verdict", _error(program.name, "compile", problem))
            continue
        batch.sources.append(source)
        lowered.append((now, traced, len(batch.sources) - 1))
        fallbacks[program.name] = fallback
    tell("at", "the C compiler")
    refused = {p.name for made_for in batches for p in _build(made_for, batches, lowered, tell)}
    for program, traced, number in lowered:
        if program.name in refused:
            continue
        tell("at", program.name)
        _limit()
        batch = batches[_made_for(program)]

        def run(values: Any, sizes: Any, threads: int, number: int = number, batch: NativeBatch = batch) -> Any:
            return batch.run(number, values, sizes, threads)

        verdict = _verdict(program, lambda p=program, t=traced, r=run: _judged(p, t, r, peer))  # type: ignore[misc]
        tell("verdict", replace(verdict, fallback=fallbacks[program.name]))


def _made_for(program: Program) -> tuple[int, bool]:
    """Return a key of programs compiled together: those of one level of the C compiler and of one machine."""
    return program.options.compiler, program.options.tiny


def _build(
    made_for: tuple[int, bool],
    batches: dict[tuple[int, bool], NativeBatch],
    lowered: Sequence[tuple[Program, Traced, int]],
    tell: Callable[[str, Any], None],
) -> list[Program]:
    """Compile a batch; where the C compiler refuses it, find out by compiling each alone whose text that was."""
    batch, refused = batches[made_for], []
    try:
        if batch.sources:
            batch.build()
        return []
    except CompileError:
        pass
    right: list[Source] = []
    for program, _, number in (found for found in lowered if _made_for(found[0]) == made_for):
        try:
            replace(batch, sources=[batch.sources[number]], library=None).build()
            right.append(batch.sources[number])
        except CompileError as problem:
            refused.append(program)
            complaint = next((line for line in str(problem).splitlines() if "error:" in line), str(problem))
            tell("verdict", Verdict(program.name, "error", f"C: {complaint}", "the C compiler"))
    whole, batch.sources = batch.sources, right
    if right:
        batch.build()
    batch.sources = whole  # numbers stay what they were
    return refused


def _front_verdict(program: Program) -> Verdict:
    try:
        return _verdict(program, lambda: _front(program))
    except Exception as problem:
        return _error(program.name, "front", problem)


def cpu_seconds() -> float:
    """CPU time of this process and of compilers it waited for."""
    return sum(
        u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
