"""Every strategy under proof: random programs that use them all, run on one thread and on two, over any memory.

The machine is `TINY`, on which all of it pays at extents of 1 to 20. A strategy that the programs do not reach is a
defect of this file: `test_every_strategy_is_used` counts.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import fields

import numpy as np
import pytest

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.passes import PASSES, prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch
from tests.acceptance.strategies_used import BY_DIFFERENCE, STRATEGIES, differing, macros, used
from tests.acceptance.strategy_programs import KINDS, strategy_program

CHUNK = len(KINDS)
CHUNKS = 14
QUICK = 4
LEAST = 30
"""How often every strategy is used, at least."""
SMALL = 45
"""Statements of a program that is scheduled again without each switch."""


def run_all(numbers: range) -> None:
    """Values and gradients of programs, against the evaluator."""
    batch = NativeBatch(machine=TINY)
    made = [(p, batch.add(p.program, (True,))[0]) for p in map(strategy_program, numbers)]
    batch.build()
    for made_program, number in made:
        sizes, inputs = made_program.sizes, made_program.inputs(np.random.default_rng(number))
        expected = evaluate(made_program.program, inputs, sizes)
        for threads in (1, 2):
            title = f"{made_program.title} at {sizes} with {threads} threads"
            for name, found in batch.run(number, inputs, sizes, threads).items():
                scale = 1.0 + np.max(np.abs(expected[name]), initial=0.0)
                np.testing.assert_allclose(
                    found, expected[name], rtol=1e-9, atol=1e-10 * scale, err_msg=f"{name}: {title}"
                )


def test_strategies_agree_with_the_evaluator() -> None:
    run_all(range(QUICK))


@pytest.mark.soak
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_more_programs_agree_with_the_evaluator(chunk: int) -> None:
    run_all(range(CHUNK * chunk, CHUNK * (chunk + 1)))


@pytest.fixture(name="no_verifier")
def _no_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    """The verifier sees these programs where they are run."""
    monkeypatch.setenv("POLYAD_VERIFY", "0")


def lacking(wanted: Sequence[str], places: Callable[[int, list[str]], tuple[Counter[str], int]]) -> dict[str, int]:
    """Return the strategies that are used fewer than `LEAST` times, and how often.

    Two rounds of all kinds of programs show which kind is good for what; after that, what is lacking is looked for in
    programs of the kind that showed most of it for its statements, where none is left of those, in the shortest ones.

    Args:
        wanted: names of what is counted.
        places: (number of a program, what is lacking) -> how often the program uses each, and how many statements were
            looked at.
    """
    count: Counter[str] = Counter()
    shown: list[Counter[str]] = [Counter() for _ in KINDS]
    cost, made = [0] * CHUNK, [0] * CHUNK

    def missing() -> list[str]:
        return [n for n in wanted if count[n] < LEAST]

    def make(kind: int) -> None:
        found, statements = places(made[kind] * CHUNK + kind, missing())
        made[kind] += 1
        cost[kind] += statements
        shown[kind].update(found)
        count.update(found)

    for kind in 2 * list(range(CHUNK)):
        if missing():
            make(kind)
    while lacks := missing():
        left = [k for k in range(CHUNK) if made[k] < CHUNKS]
        if not left:
            break
        good = [k for k in left if shown[k][lacks[0]]]
        make(max(good or left, key=lambda k: (shown[k][lacks[0]] + 1) / cost[k]))
    return {n: count[n] for n in missing()}


def prepared_program(number: int) -> Program:
    return prepare(strategy_program(number).program, ALL, TINY)


@pytest.mark.slow
@pytest.mark.usefixtures("no_verifier")
def test_every_strategy_is_used() -> None:
    def places(number: int, _: list[str]) -> tuple[Counter[str], int]:
        prepared = prepared_program(number)
        schedule = default_schedule(prepared, ALL, TINY)
        source = generate(prepared, schedule, CodegenOptions(True, ALL, TINY))
        assert macros(source) == set(), "no strategy accounts for what is printed"
        return used(prepared, schedule, source), len(prepared.statements)

    assert lacking([s.name for s in STRATEGIES], places) == {}


@pytest.mark.slow
@pytest.mark.usefixtures("no_verifier")
def test_every_switch_of_the_scheduler_decides_something() -> None:
    def places(number: int, missing: list[str]) -> tuple[Counter[str], int]:
        prepared = prepared_program(number)
        if len(prepared.statements) > SMALL:
            return Counter(), len(prepared.statements)
        schedule = default_schedule(prepared, ALL, TINY)
        found = Counter({s: int(differing(prepared, schedule, TINY, s)) for s in missing})
        return found, len(prepared.statements)

    assert lacking(BY_DIFFERENCE, places) == {}


def test_every_switch_is_in_the_book() -> None:
    """A new switch has to be told to the account, or nobody would miss it."""
    known = {s.switch for s in STRATEGIES} | set(BY_DIFFERENCE) | {p.switch for p in PASSES}
    assert {f.name for f in fields(Strategies)} <= known


def test_without_strategies_nothing_is_counted() -> None:
    prepared = prepare(strategy_program(3).program, Strategies.at_level(0), TINY)
    schedule = default_schedule(prepared, Strategies.at_level(0), TINY)
    source = generate(prepared, schedule, CodegenOptions(False, Strategies.at_level(0), TINY))
    found = used(prepared, schedule, source)
    assert {s.name for s in STRATEGIES if s.switch and found[s.name]} == set()
