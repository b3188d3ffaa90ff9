"""Names decide nothing, and neither does the order in which statements are listed.

Other names for everything, and the same equations listed otherwise, give the same loops and the same C but for the
names.
"""

import pytest

from polyad.ir.program import Program
from polyad.schedule.strategies import LEVELS, Strategies
from tests.acceptance.compiled_checks import Case
from tests.acceptance.random_definitions import random_definition
from tests.acceptance.test_random_programs import chunks, drawn, of_definition
from tests.programs import program
from tests.random_programs import random_program
from tests.renamed import Renaming, compiled_text, normal_form
from tests.schedule.samples import SAMPLES

CHUNK = 3
QUICK = ("conv", "skewed", "transposed", "dtw", "retimed")


@pytest.fixture(autouse=True)
def no_verifier(monkeypatch: pytest.MonkeyPatch) -> None:
    """The programs are those of other tests, which run it."""
    monkeypatch.delenv("POLYAD_VERIFY", raising=False)


def check(p: Program, seed: int) -> None:
    strategies = Strategies.at_level(sorted(LEVELS)[-1 - seed % 2])
    # Two programs of new names: old ones may be words of C, which are spelled otherwise there.
    first, second = Renaming.of(p, seed), Renaming.of(p, seed + 1000, shuffled=True)
    assert not {*first.program.arrays} & {*p.arrays, *second.program.arrays}
    try:
        texts = [r.back(compiled_text(r.program, strategies)) for r in (first, second)]
        assert normal_form(texts[0]) == normal_form(texts[1])
    except Exception as problem:
        problem.add_note(str(p))
        raise


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in SAMPLES])
def test_samples(name: str) -> None:
    check(program(SAMPLES[name]), 0)


@pytest.mark.parametrize("chunk", chunks(20, 1))
def test_equations(chunk: int) -> None:
    for seed, p in enumerate(drawn(random_program(most=2), CHUNK, 100 + chunk)):
        check(p, seed)


def cases(case: Case) -> list[Program]:
    return [case.primal, case.back, case.forth]


@pytest.mark.parametrize("chunk", chunks(20, 0))
def test_definitions(chunk: int) -> None:
    for seed, d in enumerate(drawn(random_definition(most=2), CHUNK, 100 + chunk)):
        for p in cases(of_definition(d)):
            check(p, seed)


def test_the_comparison_sees_loops_and_operands() -> None:
    text = compiled_text(program(SAMPLES["conv"]))
    for old, new in (("parallel for", "for"), ("x[", "w["), ("2 * i", "2 * k")):
        assert old in text and normal_form(text.replace(old, new)) != normal_form(text)
