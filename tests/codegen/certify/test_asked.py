"""POLYAD_CERTIFY: every kernel of these tests is certified where that costs little, and a refusal is an error."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import pipeline
from polyad.codegen.certify.certify import MOST, Certificate, asked, certify
from polyad.codegen.generate import generate
from polyad.codegen.lower import regions
from polyad.codegen.options import CodegenOptions
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.targets.target import Target
from tests.codegen.certify.mutants import planned
from tests.codegen.test_region_memory import mean_of_products
from tests.machines import with_threads
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET

MACHINE = with_threads(TINY)


def compile_wrong() -> None:
    """A sum that lives outside of a region is added to inside of it (test_planted.py)."""
    pa.compile(mean_of_products(), target=Target("openmp", machine=MACHINE))


def generate_wrong() -> None:
    program = prepare(mean_of_products(), ALL, MACHINE)
    generate(program, default_schedule(program, ALL, MACHINE), CodegenOptions(True, ALL, MACHINE))


def test_every_kernel_of_these_tests_is_certified() -> None:
    assert asked() == 2000


@pytest.mark.parametrize(("value", "most"), [("", 0), ("0", 0), ("yes", 0), ("1", MOST), ("500", 500)])
def test_how_much_is_looked_at(value: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CERTIFY", value)
    assert asked() == most


@pytest.mark.parametrize("way", [generate_wrong, compile_wrong])
def test_what_is_refused_is_not_compiled(way: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYAD_VERIFY")  # which finds it before
    monkeypatch.setenv("POLYAD_CERTIFY", "20000")
    monkeypatch.setattr(regions, "outer_uses", lambda *_: ())
    with pytest.raises(CertificationError):
        way()
    monkeypatch.setenv("POLYAD_CERTIFY", "0")
    way()


@NEEDS_PET
def test_all_sizes_are_tried_where_a_kernel_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    found: list[Certificate] = []

    def watched(*args: Any, **options: Any) -> Certificate:
        found.append(certify(*args, **options))
        return found[-1]

    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path))  # what comes from a cache was certified before
    monkeypatch.setattr(pipeline, "certify", watched)
    pa.grad(lambda x: pa.numpy.sum(pa.tanh(x) ** 2))(np.ones(3))
    pa.compile(pa.from_c(CASES["jacobi_1d"].path))
    assert len(found) == 2 and all(c.all_sizes for c in found)


def test_nothing_is_proved_where_every_call_is_refused() -> None:
    """Data choose an element of an array that has none."""
    N, M = pa.sizes("N M", min=0)
    table, ids = pa.placeholder((N,), "table", "float64"), pa.placeholder((M,), "ids", "int64")
    plan = planned(program_of([table[ids]], [table, ids], "chosen")[0])
    assert certify(plan, {"N": 0, "M": 2}).sizes == ()
    assert certify(plan, {"N": 0, "M": 0}).sizes and certify(plan, {"N": 2, "M": 2}).sizes
