"""Everything that is decided for a program, as digests: its equations behind the passes, its schedule, its C.

`python -m tests.acceptance.planned CORPUS FIRST STEP` plans every STEP-th program of a corpus in the opposite order, in
a process of its own, and prints them as JSON. There each is planned twice: a second time from its texts. What other
tests compile as it is, comes from where kernels come from: of it, this process says what users get.
"""

import gc
import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest import mock

from polyad.analysis.contraction import contractions_of
from polyad.codegen.generate import C
from polyad.codegen.options import CodegenOptions
from polyad.codegen.plan import plan_kernel
from polyad.errors import PolyadError
from polyad.frontend.compiled import program_of
from polyad.ir.json_text import from_json, to_json
from polyad.ir.program import Program
from polyad.ir.settled import settled
from polyad.machine import MACHINE, TINY, Machine
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.pet.c_program import CProgram, from_c
from polyad.pipeline import _generated
from polyad.runtime.codegen_options import codegen_options
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.targets.target import resolve
from tests import programs, programs_gradient
from tests.acceptance.strategy_programs import KINDS, strategy_program
from tests.aimed_programs import aimed
from tests.codegen import samples as codegen_samples
from tests.pet.cases_styles import STYLE_CASES
from tests.pet.corpus import CASES
from tests.pet.style import program as read_style
from tests.schedule import samples as schedule_samples

import polyad as pa  # isort: skip

__all__ = ["CORPORA", "digests"]

USERS = resolve(None)
"""The target of who names none."""


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """A program to plan, and an order where it is not the default one."""

    program: Program
    machine: Machine = MACHINE
    schedule: Schedule | None = None
    compiled: bool = False  # by other tests, too, as users compile it


Make = Callable[[], Planned]


def quotients() -> Iterator[tuple[str, Make]]:
    """Index expressions that isl writes in several ways."""

    def remainders() -> Planned:
        n = pa.sizes("n")
        x = pa.placeholder((4 * n + 3,), "x", "float64")
        y = pa.compute(
            (n,), lambda i: x[(4 * i + 1) // 3] * x[(5 * i) % 7 % 3] + pa.select(i % 4 == 1, x[i // 3], x[i])
        )
        return Planned(program_of([y], [x], "remainders")[0])

    def thirds() -> Planned:
        body = "for (int i = 0; i < n; i++) if (i % 4 == 1) b[i] = a[i] * b[i / 3];"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "thirds.c"
            path.write_text(
                f"void thirds(int n, double a[n], double b[n])\n{{\n#pragma scop\n{body}\n#pragma endscop\n}}"
            )
            return Planned(from_c(path).program)

    yield "remainders", remainders
    yield "thirds", thirds


def texts() -> Iterator[tuple[str, Make]]:
    """Programs that tests have as text."""
    for module in (programs, programs_gradient, codegen_samples, schedule_samples):
        for name, text in vars(module).items():
            if isinstance(text, str) and text.startswith("\nprogram"):
                yield f"{module.__name__}.{name}", lambda text=text: Planned(parse_program(text))


def aimed_programs() -> Iterator[tuple[str, Make]]:
    """Programs aimed at passes."""
    for number in range(220):
        yield f"aimed {number}", lambda number=number: Planned(aimed(number), TINY)


def strategy_programs() -> Iterator[tuple[str, Make]]:
    """Programs aimed at strategies."""
    for number in range(2 * len(KINDS)):
        yield f"strategy {number}", lambda number=number: Planned(strategy_program(number).program, TINY)


def c_programs() -> Iterator[tuple[str, Make]]:
    """Functions in C: in the best order, and in that of the C text."""
    read: dict[str, CProgram] = {}

    def made(name: str, make: Callable[[], CProgram]) -> CProgram:
        if name not in read:
            read[name] = make()
        return read[name]

    corpus = {case.name: (lambda p=case.path: from_c(p)) for case in CASES.values()}
    styles = {f"{style.name} of styles": (lambda s=style: read_style(s)) for style in STYLE_CASES}
    for name, make in {**corpus, **styles}.items():
        yield name, lambda n=name, m=make: Planned(made(n, m).program, compiled=True)
        yield f"{name} as in C", lambda n=name, m=make: Planned(made(n, m).program, schedule=made(n, m).schedule)


def c_gradients() -> Iterator[tuple[str, Make]]:
    """Gradients of functions in C."""
    for case in CASES.values():
        yield (
            f"gradient of {case.name}",
            lambda c=case: Planned(from_c(c.path).grad(c.of, c.wrt).program, compiled=True),
        )


CORPORA: Mapping[str, Callable[[], Iterator[tuple[str, Make]]]] = {
    f.__name__: f for f in (quotients, texts, aimed_programs, strategy_programs, c_programs, c_gradients)
}


def digests(corpus: str, first: int = 0, step: int = 1, *, backwards: bool = False) -> dict[str, list[str]]:
    """Name -> the digests of what is planned; backwards, they end with those of the plan from texts."""
    chosen = list(CORPORA[corpus]())[first::step]
    found = {name: planned(make(), again=backwards) for name, make in (reversed(chosen) if backwards else chosen)}
    return {name: found[name] for name, _ in chosen}


def planned(given: Planned, *, again: bool) -> list[str]:
    """Equations, schedule and C of a program; where that is wanted, the C of these texts, too."""
    try:
        if given.compiled and not again:
            source, record = _generated(given.program, USERS, {}, None)
            said = [str(from_json(record["program"])), record["schedule"], source.c]
        else:
            with mock.patch.dict(os.environ, POLYAD_VERIFY="0"):  # programs are verified where they are run
                said = _said(given, again)
    except PolyadError as problem:
        said = [str(problem)] * (3 + again)
    return [hashlib.sha256(text.encode()).hexdigest()[:16] for text in said]


def _said(given: Planned, again: bool) -> list[str]:
    options = codegen_options(USERS) if given.compiled else CodegenOptions(True, ALL, given.machine)
    if given.schedule is None:
        program = prepare(given.program, ALL, given.machine)
        schedule = default_schedule(program, ALL, given.machine, contractions_of(program))
    else:
        program, schedule = settled(given.program), given.schedule.settled()
    plan = plan_kernel(program, schedule, options)
    said = [str(program), str(plan.schedule), C.source(plan).c]
    if again:
        read = plan_kernel(from_json(to_json(program)), Schedule.from_yaml(said[1]), options)
        said.append(C.source(read).c)
    return said


if __name__ == "__main__":
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)  # as in tests/conftest.py
    print(json.dumps(digests(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), backwards=True)))
