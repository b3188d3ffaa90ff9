"""Every pass, and all of them in a row, on random programs; test_every_pass.py has those that are aimed at passes."""

from hypothesis import given

from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.passes import PASSES, Pass, prepare
from polyad.semantics.verify import verify
from polyad.transforms.rewrite.atomise import atomise
from tests.transforms.equivalence import assert_same
from tests.transforms.random_programs import random_programs

SIZES = ({"N": 1, "M": 1}, {"N": 2, "M": 3}, {"N": 5, "M": 2})


def same(before: Program, after: Program) -> None:
    """The values stay, at one of the sizes: programs of different length take turns."""
    try:
        assert_same(before, after, SIZES[len(before.statements) % len(SIZES)])
    except Exception as problem:
        problem.add_note(f"{before}\nbecame\n{after}")
        raise


@given(random_programs())
def test_values_stay(program: Program) -> None:
    """Through each step alone that takes any program: those up to explicit identities, and atomise, which ad uses."""
    verify(program)
    names = [p.name for p in PASSES]
    for step in (*dict.fromkeys(PASSES[: names.index("initialise") + 1]), Pass(atomise)):
        result = step.run(program, TINY)
        if str(result) != str(program):
            same(program, result)


@given(random_programs())
def test_values_stay_through_all_in_a_row(program: Program) -> None:
    same(program, prepare(atomise(program), machine=TINY))


@given(random_programs())
def test_a_second_run_finds_nothing_new(program: Program) -> None:
    settled = ("simplify", "merge_equal", "accumulate", "initialise")
    for step in (*(p for p in dict.fromkeys(PASSES) if p.name in settled), Pass(atomise)):
        once = step.run(program, TINY)
        assert str(step.run(once, TINY)) == str(once), step.name
