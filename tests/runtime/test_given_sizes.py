"""Sizes that no array could have are refused in our words, at calls and when somebody only asks."""

from typing import Any

import numpy as np
import pytest

from polyad.codegen.storage.memory_plan import Slot
from polyad.errors import CallError
from polyad.ir.affine import Affine
from polyad.kernel import Kernel
from tests.runtime.handmade import COUNT, ENERGY, handmade, kernel_of


@pytest.fixture(scope="module")
def count() -> Kernel:
    return kernel_of(COUNT, "c")


@pytest.fixture(scope="module")
def energy() -> Kernel:
    return kernel_of(ENERGY)


@pytest.mark.parametrize("n", [2**60, 2**61, 2**63 - 1])
def test_what_no_machine_can_hold(count: Kernel, n: int) -> None:
    with pytest.raises(CallError, match=rf"count: these sizes are too large: y would have the shape \({n},\)"):
        count(N=n)


@pytest.mark.parametrize("n", [2**63, 2**64, -(2**63) - 1])
def test_what_c_cannot_count(count: Kernel, n: int) -> None:
    with pytest.raises(CallError, match=r"size N: .* is no integer of 64 bits") as caught:
        count(N=n)
    assert caught.value.argument == "N"


def test_extents_beside_a_zero() -> None:
    body = "    (void)y; (void)x;"
    source = handmade("wide", ["N", "M"], ["x: float64[N]"], ["y: float64[N, M]"], body)
    with pytest.raises(CallError, match="too large"):
        kernel_of(source, "c")(np.zeros(0), M=2**62)


def test_a_workspace_that_no_machine_can_hold() -> None:
    slots = (Slot(("z",), "float64", (Affine.of("N"), Affine.of("N"))),)
    source = handmade("square", ["N"], [], ["y: float64[]"], "    y[0] = (double)N;", slots)
    with pytest.raises(CallError, match=r"square: these sizes are too large: the workspace would have \d+ bytes"):
        kernel_of(source, "c")(N=2**31)


@pytest.mark.parametrize("ask", ["memory_plan", "instances"])
@pytest.mark.parametrize(
    ("sizes", "message"),
    [
        ({"N": -3, "K": 2}, r"energy: the sizes N = -3 .* do not satisfy N >= 1"),
        ({"N": 0, "K": 2}, r"do not satisfy N >= 1"),
        ({"N": 3.5, "K": 2}, "energy: size N: expected an integer, got 3.5"),
        ({"N": "3", "K": 2}, "size N: expected an integer, got '3'"),
        ({"N": True, "K": 2}, "size N: expected an integer, got True"),
        ({"N": 2**64, "K": 2}, "size N: .* is no integer of 64 bits"),
        ({"N": None, "K": 2}, "size N: expected an integer, got None"),
        ({"N": 3}, "give a value to size K"),
        ({"N": 3, "K": 2, "M": 1}, "energy has no size 'M'"),
    ],
)
def test_questions_about_sizes(energy: Kernel, ask: str, sizes: dict[str, Any], message: str) -> None:
    with pytest.raises(CallError, match=message):
        getattr(energy, ask)(**sizes)


def test_numbers_of_numpy_are_numbers(energy: Kernel) -> None:
    assert energy.memory_plan(N=np.int32(9), K=np.int64(3)).arrays == {"z": 72}
    assert energy.instances(N=np.int32(9), K=np.int64(3))["Sy"] == 9
