"""Every transform, and all of them in a row, on random programs."""

import pytest
from hypothesis import given

from polyad.ir.program import Program
from polyad.semantics.verify import verify
from polyad.transforms.atomise import atomise
from polyad.transforms.coalesce_copies import coalesce_copies
from polyad.transforms.eliminate_dead import eliminate_dead
from polyad.transforms.initialise import initialise
from polyad.transforms.inline import inline
from polyad.transforms.merge_contributions import accumulate
from polyad.transforms.merge_equal import merge_equal
from polyad.transforms.simplify import simplify
from tests.transforms.equivalence import assert_same
from tests.transforms.random_programs import random_programs

TRANSFORMS = (simplify, eliminate_dead, merge_equal, inline, coalesce_copies, accumulate, atomise, initialise)
SIZES = ({"N": 1, "M": 1}, {"N": 2, "M": 3}, {"N": 5, "M": 2})


def same(before: Program, after: Program) -> None:
    try:
        assert_same(before, after, *SIZES)
    except Exception as problem:
        problem.add_note(f"{before}\nbecame\n{after}")
        raise


@given(random_programs())
def test_random_programs_are_valid(program: Program) -> None:
    verify(program)


@pytest.mark.parametrize("transform", TRANSFORMS, ids=lambda t: t.__name__)
@given(program=random_programs())
def test_values_stay(transform, program: Program) -> None:
    same(program, transform(program))


@given(random_programs())
def test_values_stay_through_all_in_a_row(program: Program) -> None:
    result = program
    for transform in (simplify, eliminate_dead, merge_equal, inline, coalesce_copies, accumulate, inline, *TRANSFORMS):
        result = transform(result)
    same(program, result)


@given(random_programs())
def test_a_second_run_finds_nothing_new(program: Program) -> None:
    for transform in (simplify, merge_equal, accumulate, atomise, initialise):
        once = transform(program)
        assert str(transform(once)) == str(once), transform.__name__
