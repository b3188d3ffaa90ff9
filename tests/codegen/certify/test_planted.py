"""Wrong numbers that passes once made without a word, planted again: refused before any C is compiled."""

from collections.abc import Callable

import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.loops import linear_state
from polyad.codegen.lower import invariant_loads, regions
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.schedule.schedule import Schedule
from polyad.transforms.rewrite.widening import Values
from tests.acceptance.structured import STRUCTURED
from tests.codegen.certify.mutants import planned
from tests.codegen.test_prefix_in_loops import nested
from tests.codegen.test_region_memory import mean_of_products


def states_stored_in_turn() -> Plan:
    """Scans in the steps of another: the states of one are stored in turn along the steps of the other."""
    return planned(gradients(*nested(3, 70)))


def a_mean_beside_rows() -> Plan:
    """A sum that lives outside of a region is added to inside of it."""
    return planned(mean_of_products())


def a_checkpointed_network() -> Plan:
    """Lengths that are no multiples of the segment are among its sizes."""
    return structured("RNN with checkpoints")


def structured(title: str) -> Plan:
    outputs, inputs = STRUCTURED[title].make("float64")
    return planned(gradients(sum(pa.numpy.sum(o * o) for o in outputs), list(inputs)))


def gradients(loss: pa.Tensor, inputs: list[pa.Tensor]) -> Program:
    return program_of([loss, *pa.grad(loss, inputs)], inputs, "planted")[0]


def a_convolution() -> Plan:
    return structured("conv1d")


def a_row_beside_its_first_element() -> Plan:
    """One loop computes a row, and products with the first element of it."""
    x = pa.placeholder((40,), "x", "float64")
    row = pa.compute((40,), lambda i: pa.sin(x[i]), name="row")
    first = pa.compute((40,), lambda i: x[i] * row[0], name="first")

    def one_loop(schedule: Schedule) -> Schedule:
        return schedule.fuse(("row", "i"), ("first", "i")).unmark()

    return planned(program_of([row, first], [x], "row")[0], change=one_loop)


PLANTED = {
    "states in turn are taken for states in order": (states_stored_in_turn, linear_state, "_turns", lambda *_: 0),
    "loops write to nothing": (a_row_beside_its_first_element, invariant_loads, "_written", lambda *_: {"nothing"}),
    "threads have no variables in common": (a_mean_beside_rows, regions, "outer_uses", lambda *_: ()),
    "every element has a value": (a_checkpointed_network, Values, "has", lambda *_: True),
    "every sum may be widened": (a_checkpointed_network, Values, "proves", lambda *_: True),
}


@pytest.mark.parametrize("title", PLANTED)
@pytest.mark.quick_cases(2)
def test_planted(title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make: Callable[[], Plan]
    make, module, name, wrong = PLANTED[title]
    assert certify(make(), most=20_000).sizes
    monkeypatch.setattr(module, name, wrong)
    monkeypatch.delenv("POLYAD_VERIFY", raising=False)  # which finds two of them before
    with pytest.raises(CertificationError):
        certify(make(), most=20_000)
