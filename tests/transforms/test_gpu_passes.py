"""Passes for GPUs: sums in parts and copies of operands leave every value what it is."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import TINY as TINY_MACHINE
from polyad.machine import device
from polyad.machine.device import DEVICE, Device
from polyad.passes import Pass, prepare
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from polyad.semantics.verify import verify
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.layout.operand_columns import operand_columns
from polyad.transforms.passes.sums import grid_sums as everything
from polyad.transforms.passes.sums import prefix_parts as prefixes
from polyad.transforms.passes.sums import product_sums as products
from polyad.transforms.passes.sums import step_sums as steps
from polyad.transforms.passes.sums.grid_sums import grid_sums
from polyad.transforms.passes.sums.prefix_parts import prefix_parts
from polyad.transforms.passes.sums.product_sums import product_sums
from polyad.transforms.passes.sums.step_sums import step_sums
from polyad.transforms.rewrite.sums import product_extents
from tests.aimed_programs import aimed
from tests.random_programs import random_inputs, random_program

TINY = Device(
    warp=2,
    threads=2,
    most_threads=2,
    row_threads=2,
    most_blocks=2,
    unknown=3,
    terms=2,
    step_threads=8,
    tile_least=1,
    tiles=0,
    part_terms=2,
    few=1,
)
"""Everything pays at the extents of tests."""

SIZES = ({"N": 1, "M": 1}, {"N": 2, "M": 3}, {"N": 7, "M": 5})


@pytest.fixture
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (everything, steps, prefixes, products, product_extents, device):
        monkeypatch.setattr(module, "DEVICE", TINY)


def same(program: Program, changed: Program, sizes: dict[str, int], seed: int = 0) -> None:
    verify(changed)
    inputs = random_inputs(program, sizes, seed)
    known = {n: v for n, v in sizes.items() if n in program.params}
    for name, wanted in evaluate(program, inputs, known).items():
        found = evaluate(changed, inputs, known)[name]
        np.testing.assert_allclose(found, wanted, rtol=1e-5 if wanted.dtype == np.float32 else 1e-12, atol=1e-12)


def program(*outputs: pa.Tensor) -> Program:
    return initialise(program_of(list(outputs), None, "sums")[0])


def test_sums_over_everything(tiny: None) -> None:
    n, m = pa.sizes("N M")
    x, y = pa.placeholder((n,), "x", "float64"), pa.placeholder((n, m), "y", "float64")
    given_ = program(pa.numpy.sum(x), pa.numpy.max(y), pa.numpy.prod(x), pa.numpy.min(x))
    changed = grid_sums(given_)
    assert len(changed.arrays) == len(given_.arrays) + 4
    for sizes in (*SIZES, {"N": 3, "M": 6}, {"N": 4, "M": 2}):
        same(given_, changed, sizes)


def test_short_sums_stay() -> None:
    x = pa.placeholder((7, 3), "x", "float64")
    found = program(pa.numpy.sum(x))
    assert grid_sums(found) is found
    columns = program(pa.numpy.sum(pa.placeholder((9000, 3), "z", "float64"), axis=0))
    assert grid_sums(columns) is columns


def test_sums_of_steps(tiny: None) -> None:
    """Four results and eight terms: two parts of four terms."""
    w, x = pa.placeholder((8, 4), "w", "float64"), pa.placeholder((3, 2, 4), "x", "float64")

    def step(h: pa.Tensor, row: pa.Tensor) -> tuple[pa.Tensor, None]:
        both = pa.numpy.concatenate([h, row], axis=1)
        return pa.numpy.sum(pa.tanh(both[:, :, None] * w), axis=1), None

    h, _ = pa.scan(step, pa.numpy.zeros((2, 4)), x)
    found = program(h)
    changed = step_sums(found)
    (parts,) = (a for a in changed.arrays.values() if a.name not in found.arrays)
    assert [str(e) for e in parts.shape][-2:] == ["2", "4"]
    same(found, changed, {})


def test_products_of_steps_are_divided_by_threads(tiny: None) -> None:
    w, x = pa.placeholder((8, 8), "w", "float64"), pa.placeholder((3, 2, 8), "x", "float64")
    h, _ = pa.scan(lambda h, row: (pa.tanh(h @ w + row), None), pa.numpy.zeros((2, 8)), x)
    found = program(h)
    assert step_sums(found) is found


def test_what_a_step_does_not_wait_for_is_not_divided(tiny: None) -> None:
    a, b = pa.placeholder((9, 8), "a", "float64"), pa.placeholder((8, 4), "b", "float64")
    found = program(a @ b)
    assert step_sums(found) is found


def test_products_of_many_terms(tiny: None) -> None:
    """As many parts as divide the longest sum; operands in any order, several sums, a batch."""
    pnp = pa.numpy
    a, b = pa.placeholder((9, 4), "a", "float64"), pa.placeholder((9, 3), "b", "float64")
    x, y = pa.placeholder((6, 2, 4), "x", "float64"), pa.placeholder((6, 2, 3), "y", "float64")
    for out, parts in (
        (pnp.einsum("ki,kj->ij", a, b), "3"),
        (pnp.einsum("tbi,tbj->ij", x, y), "6"),
        (pnp.einsum("tbi,tbj->bij", x, y), "3"),
        (pa.tanh(pnp.einsum("ki,kj->ij", a, b) + 1.0), "3"),
    ):
        found = program(out)
        changed = product_sums(found)
        (own,) = (v for v in changed.arrays.values() if v.name not in found.arrays)
        assert [str(e) for e in own.shape][-2] == parts
        same(found, changed, {})
    n = pa.sizes("N")
    for stays in (
        pa.placeholder((9, 4), "c", "float64") @ pa.placeholder((4,), "v", "float64"),
        pa.placeholder((4, 1), "c", "float64") @ pa.placeholder((1, 4), "d", "float64"),
        pa.placeholder((4, n), "c", "float64") @ pa.placeholder((n, 4), "d", "float64"),
        pa.placeholder((4096, 4), "c", "float64") @ pa.placeholder((4, 4096), "d", "float64"),
        pa.placeholder((4, 11), "c", "float64") @ pa.placeholder((11, 4), "d", "float64"),
    ):
        found = program(stays)
        assert product_sums(found) is found, "no product, too short, of unknown or prime length, or of enough tiles"


def running(op: Callable[[Any, Any], Any], x: Any, dim: int, name: str) -> Any:
    """r[i] = op(r[i - 1], x[i]) along a dimension."""

    def body(r: Any, *index: Any) -> Any:
        before = tuple(i - (n == dim) for n, i in enumerate(index))
        return pa.select(index[dim] == 0, x[index], op(r[before], x[index]))

    return pa.recurrence(tuple(x.shape), body, name, "float64")


def test_running_sums_of_integers_maxima_and_minima(tiny: None) -> None:
    n, m = pa.sizes("N M")
    k, x, y = (
        pa.placeholder((n,), "k", "int64"),
        *(pa.placeholder(s, v, "float64") for s, v in (((n,), "x"), ((n, m), "y"))),
    )
    pnp = pa.numpy
    backwards = pnp.flip(running(pa.maximum, pnp.flip(x, axis=0), 0, "backwards"), axis=0)
    found = program(pnp.cumsum(k), running(pa.maximum, y, 0, "largest"), running(pa.minimum, y, 1, "least"), backwards)
    changed = prefix_parts(found)
    assert sum(a.endswith("_carry") for a in changed.arrays) == 4
    for sizes in (*SIZES, {"N": 3, "M": 6}, {"N": 4, "M": 2}, {"N": 9, "M": 8}):
        same(found, changed, sizes)
    sums = program(pnp.cumsum(x), pnp.cumprod(y, axis=1))
    assert prefix_parts(sums) is sums, "they are prefix scans"


def test_recurrences_that_are_no_sums_stay(tiny: None) -> None:
    x = pa.placeholder((9,), "x", "float64")
    found = program(pa.scan(lambda s, v: (pa.sin(s) + v, s), 0.0, x)[1])
    assert prefix_parts(found) is found
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prefixes, "DEVICE", DEVICE)
        short = program(running(pa.maximum, x, 0, "largest"))
        assert prefix_parts(short) is short


def test_operands_are_copied_where_neighbours_read_far_apart() -> None:
    n, m = pa.sizes("N M")
    a, b = pa.placeholder((9, m), "a", "float64"), pa.placeholder((n, m), "b", "float64")
    found = program(pa.numpy.einsum("ik,jk->ij", a, b))
    changed = operand_columns(found)
    (copy,) = (x for x in changed.arrays if x not in found.arrays)
    assert copy == "b_columns" and [str(e) for e in changed.arrays[copy].shape] == ["M", "N"]
    for sizes in SIZES:
        same(found, changed, sizes)
    c = pa.placeholder((n, m), "c", "float64")
    for stays in (
        program(pa.numpy.einsum("ki,kj->ij", a, pa.placeholder((9, n), "d", "float64"))),
        program(a @ pa.placeholder((m,), "v", "float64")),
        program(pa.numpy.einsum("ik,jk->ij", b, c)),
    ):
        assert operand_columns(stays) is stays, "neighbours lie side by side, or are read once, or tiles read them"


@given(random_program(most=2))
def test_random_programs_keep_their_values(found: Program) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (everything, steps, prefixes, products, product_extents):
            patch.setattr(module, "DEVICE", TINY)
        found = initialise(found)
        changed = operand_columns(step_sums(product_sums(prefix_parts(grid_sums(found)))))
    if changed is not found:
        same(found, changed, {"N": 5, "M": 4})


def test_aimed_programs_keep_their_values(tiny: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """All passes, those for GPUs among them, which have enough to do; every other program has its products in tiles."""
    fired: Counter[str] = Counter()
    for number in range(92, 140):
        monkeypatch.setattr(product_extents, "DEVICE", replace(TINY, tile_least=1 if number % 2 else 99))
        found = aimed(number)
        inputs = random_inputs(found, {"N": 6})
        wanted = evaluate(found, inputs, {"N": 6})

        def watch(step: Pass, before: Program, after: Program) -> None:
            if step.switch == "nested" and before is not after:
                fired[step.name] += 1

        changed = prepare(found, replace(ALL, nested=True), TINY_MACHINE, watch)
        for name, value in evaluate(changed, inputs, {"N": 6}).items():
            np.testing.assert_allclose(value, wanted[name], rtol=1e-11, atol=1e-12)
    assert fired["grid_sums"] > 2 and fired["operand_columns"] > 0 and fired["product_sums"] > 0, fired


def test_numbers_of_a_device_agree() -> None:
    assert DEVICE.threads % DEVICE.warp == DEVICE.row_threads % DEVICE.warp == DEVICE.most_threads % DEVICE.warp == 0
    assert DEVICE.row_threads <= DEVICE.most_threads <= DEVICE.warp * DEVICE.warp, "a warp puts the warps together"
