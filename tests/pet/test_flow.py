"""Dataflow by isl's own analysis, and by the definition of a last writer."""

from pathlib import Path

import pytest

from polyad.pet.c_program import from_c
from polyad.pet.dataflow import flow
from polyad.pet.dataflow.flow import Origin, last_writers
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET

pytestmark = NEEDS_PET


@pytest.mark.parametrize(
    "name", ["trisolv", "durbin", "jacobi_1d", "floyd_warshall", "burgers", "message_passing", "gru"]
)
@pytest.mark.quick_cases(2)
def test_both_find_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = flow._origin
    compared = 0

    def both(sink, writes, order):  # type: ignore[no-untyped-def]
        nonlocal compared
        found: Origin = usual(sink, writes, order)
        if writes and sink.is_single_valued():
            again = last_writers(sink, writes, order)
            assert again.sources.keys() == found.sources.keys()
            assert all(again.sources[n].is_equal(m) for n, m in found.sources.items())
            assert again.outside.is_equal(found.outside)
            compared += 1
        return found

    monkeypatch.setattr(flow, "_origin", both)
    from_c(Path(CASES[name].path), CASES[name].function)
    assert compared
