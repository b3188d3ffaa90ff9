"""Settled programs say the same, have one form for one text, and are what their text reads as."""

from collections.abc import Iterator
from itertools import islice

import islpy as isl
import pytest

from polyad import islx
from polyad.ir.expr import Indirect
from polyad.ir.json_text import from_json, to_json
from polyad.ir.program import Program
from polyad.ir.settled import settled
from polyad.ops.program_text import parse_program
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from tests.aimed_programs import aimed
from tests.ir.test_json_text import SAMPLES, assert_same_meaning
from tests.programs import program


@pytest.mark.parametrize("text", SAMPLES.values(), ids=SAMPLES)
def test_it_says_the_same(text: str) -> None:
    given = program(text)
    assert_same_meaning(given, settled(given))


def unsettled() -> Iterator[Program]:
    """Programs whose sets isl writes in another way when it has read them."""
    for given in map(aimed, range(400)):
        if to_json(from_json(to_json(given))) != to_json(given):
            yield given


def test_its_text_reads_as_itself() -> None:
    several = [*islice(unsettled(), 4)]
    assert len(several) == 4
    for given in several:
        found = settled(given)
        assert to_json(from_json(to_json(found))) == to_json(found) == to_json(settled(found))


def test_a_quotient_has_the_form_of_its_text() -> None:
    made = isl.Aff("[n] -> { S[i] -> [(floor((1 + 4*i)/3))] }").add(isl.Aff("[n] -> { S[i] -> [(0)] }"))
    read = islx.settled(made)
    assert str(islx.settled(read)) == str(read) == str(isl.Aff(str(read)))
    assert (read - made).is_cst() and (read - made).get_constant_val().is_zero()


def test_equal_indices_that_data_choose_are_one() -> None:
    text = """
program twice: [N] -> { : N >= 1 }
  input     k: int64[N]
  input     x: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = x[k[i]] * x[k[i]]
"""
    first, second = [r.access for r in settled(parse_program(text)).statements[0].reads() if r.array == "x"]
    assert isinstance(first, Indirect) and first is second


@pytest.mark.parametrize("number", [0, 22, 82, 92])
def test_default_schedules_are_settled(number: int) -> None:
    order = default_schedule(settled(aimed(number)))
    assert str(Schedule.from_yaml(str(order))) == str(order) == str(order.settled())
