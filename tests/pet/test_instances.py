"""Gradients of loop nests do a few times the work of the loop nests: instances are counted, of what is run."""

from __future__ import annotations

import pytest

from polyad.analysis.counting import instances
from polyad.passes import prepare
from polyad.pet.c_program import from_c
from tests.pet.corpus import CASES, Case
from tests.pet.extracted import NEEDS_PET

pytestmark = [NEEDS_PET, pytest.mark.slow]

USUAL = 4.1
"""An instance for the value, one for each of two factors, and one for what starts as zero or is kept."""

MORE = {
    "syrk": 5.6,  # three products over a triangle that is filled up to blocks of 64 rows: 3.2 at n = 803
    "syr2k": 8.2,  # five such products
    "double_buffer": 5.5,  # two buffers in turn: an equation for each, and for each that reads it
    "nussinov": 6.0,  # a maximum keeps which of its terms is the first that is largest
    "american_option": 6.0,  # the same, and what is at the end of the tree is all borders
    "robust_fit": 5.2,  # what pow and log give is kept, an instance each, and parts that derivatives use several times
    "lotka_volterra": 5.0,  # two numbers after two: seven parameters have a sum over time
    "attention": 5.5,  # triangles of scores are filled up to blocks of rows
    "covariance": 4.6,  # the same, of a symmetric result
    "correlation": 4.8,  # the same
    "symm": 5.9,  # triangles of a matrix are copied beside zeros, and are boxes
    "trmm": 5.4,  # the same
    "conv_2d": 4.5,  # the image gets a frame of zeros
}
"""Case -> the bound where it is greater, with the reason."""


def larger(case: Case, factor: int) -> dict[str, int]:
    sizes = {n: factor * v + 3 for n, v in case.sizes.items()}
    if case.name == "adbench_gmm":
        sizes["P"] = sizes["D"] * (sizes["D"] - 1) // 2
    return sizes


def ratios(case: Case) -> list[float]:
    """Instances of the gradient over instances of the function, at two sizes."""
    function = from_c(case.path)
    gradient = prepare(function.grad(case.of, case.wrt).program)
    found = []
    for factor in (2, 6):
        sizes = larger(case, factor)
        own, theirs = (sum(instances(p, sizes).values()) for p in (gradient, function.program))
        found.append(own / theirs)
    return found


@pytest.fixture(autouse=True)
def unverified(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same programs are verified where they are run (test_programs.py)."""
    monkeypatch.setenv("POLYAD_VERIFY", "0")


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_gradient_has_a_few_times_the_instances(case: Case) -> None:
    limit = MORE.get(case.name, USUAL)
    assert max(ratios(case)) <= limit


@pytest.mark.parametrize("name", MORE)
def test_exceptions_are_needed(name: str) -> None:
    """A reason that is none any more goes."""
    assert max(ratios(CASES[name])) > USUAL
