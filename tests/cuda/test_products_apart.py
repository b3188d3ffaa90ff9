"""Products between other things: launches of their own, where that changes nothing."""

from typing import Any

import pytest

import polyad as pa
from polyad.kernel import Kernel
from tests.cuda.device import agrees
from tests.cuda.test_programs import arrays, lstm
from tests.cuda.test_tiles import only

pnp = pa.numpy


def attention(q: Any, k: Any, v: Any) -> Any:
    return pnp.einsum("hij,hjd->hid", pa.nn.softmax(pnp.einsum("hid,hjd->hij", q, k) * 0.5, axis=-1), v)


def kinds(kernel: Kernel) -> list[str]:
    return [launch.over for launch in kernel.code.launches]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_attention_is_two_products_and_rows(dtype: str) -> None:
    given = arrays((2, 33, 20), (2, 70, 20), (2, 70, 36), dtype=dtype)
    with only():
        kernel = agrees(attention, *given)
    assert kinds(kernel) == ["tiles", "blocks", "tiles"]


def test_what_comes_of_it_is_proved() -> None:
    given = arrays((2, 3, 2), (2, 4, 2), (2, 4, 3))
    with only():
        kernel = agrees(attention, *given)
        assert kinds(kernel).count("tiles") == 2 and kernel.certify().all_sizes
        agrees(pa.grad(lambda *a: pnp.sum(attention(*a) ** 2), argnums=(0, 1, 2)), *given).certify()


def test_layers_are_products_one_after_the_other() -> None:
    with only():
        kernel = agrees(lambda x, w, v: pa.tanh(pa.tanh(x @ w) @ v), *arrays((40, 20), (20, 36), (36, 24)))
    assert kinds(kernel) == ["tiles", "tiles"]


def rows_in_turn(q: Any, k: Any) -> Any:
    """s[b, t] = q[b] . k[t] in the steps of a recurrence that does not feed it, and of one that does."""

    def step(h: Any, row: Any) -> Any:
        s = pnp.einsum("bd,d->b", h, row)
        return pa.tanh(h + s[:, None]), s

    return pa.scan(step, q, k)[1]


def test_a_product_that_waits_for_other_iterations_stays() -> None:
    with only():
        kernel = agrees(rows_in_turn, *arrays((5, 4), (6, 4)))
    assert "tiles" not in kinds(kernel)


def test_a_product_whose_value_is_used_beside_it_stays() -> None:
    """Rows of which nothing but sums is kept have no memory for what is summed up."""

    def rows(q: Any, k: Any) -> Any:
        s = pa.tanh(q @ k.T)
        return pnp.max(s * 2.0, axis=1), pnp.sum(s, axis=1)

    with only():
        kernel = agrees(rows, *arrays((5, 4), (6, 4)))
    assert "tiles" not in kinds(kernel)


def test_slots_of_the_workspace_stay_with_their_nests() -> None:
    """Arrays that share memory are known by the numbers of nests, which do not change."""

    given = arrays((6, 5, 8), (8, 32), (8, 32), (32,), (5, 8), (5, 8))
    with only():
        kernel = agrees(pa.value_and_grad(lstm, argnums=(0, 1, 2, 3, 4, 5)), *given)
    assert "slot_" in kernel.source and kinds(kernel).count("tiles") >= 3
