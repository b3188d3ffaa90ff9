"""Programs proved for all sizes: networks and their gradients, sums, stencils, gathers, products."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import polyad as pa
from polyad.codegen.certify.certify import Certificate, certify
from polyad.codegen.certify.symbolic.prove import OPERATIONS, prove
from polyad.codegen.loops.how import Jam
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan
from polyad.frontend.compiled import program_of
from tests.codegen.certify.mutants import planned, replaced
from tests.codegen.certify.test_planted import (
    a_checkpointed_network,
    a_convolution,
    a_mean_beside_rows,
    states_stored_in_turn,
)
from tests.codegen.certify.test_whole_nodes import convolved, kept, recurrent, scanned, summed


def plan_of(outputs: list[pa.Tensor], inputs: list[pa.Tensor]) -> Plan:
    return planned(program_of(outputs, inputs, "f")[0])


def rows() -> Plan:
    N, M = pa.sizes("N M")
    x, y = pa.placeholder((N, M), "x", "float64"), pa.placeholder((M,), "y", "float64")
    return plan_of([pa.numpy.sum(x * y, axis=1)], [x, y])


def stencil() -> Plan:
    N = pa.sizes("N", min=4)
    x = pa.placeholder((N,), "x", "float64")
    y = x[:-2] + x[2:] * x[1:-1]
    return plan_of([pa.numpy.sum(y * y), *pa.grad(pa.numpy.sum(y * y), [x])], [x])


def gathered() -> Plan:
    N, M = pa.sizes("N M")
    table, ids = pa.placeholder((N,), "table", "float64"), pa.placeholder((M,), "ids", "int64")
    return plan_of([table[ids] * 2.0], [table, ids])


def lstm() -> Plan:
    T, B, H = pa.sizes("T B H")
    x, U = pa.placeholder((T, B, 4 * H), "x", "float64"), pa.placeholder((4 * H, H), "U", "float64")

    def step(carry: tuple[pa.Tensor, pa.Tensor], x_t: pa.Tensor) -> tuple[tuple[pa.Tensor, pa.Tensor], pa.Tensor]:
        h, c = carry
        i, f, g, o = pa.numpy.split(x_t + h @ U.T, 4, axis=-1)
        c = pa.sigmoid(f) * c + pa.sigmoid(i) * pa.tanh(g)
        h = pa.sigmoid(o) * pa.tanh(c)
        return (h, c), h

    start = pa.numpy.zeros((B, H), dtype="float64")
    loss = pa.numpy.mean(pa.scan(step, (start, start), x)[1] ** 2)
    return plan_of([loss, *pa.grad(loss, [x, U])], [x, U])


PROVED: dict[str, Callable[[], Plan]] = {
    "rows": rows,
    "stencil": stencil,
    "gathered": gathered,
    "lstm": lstm,
    "recurrent": lambda: recurrent()[0],
    "convolved": lambda: convolved()[0],
    "summed": lambda: summed()[0],
    "scanned": lambda: scanned()[0],
    "kept": lambda: kept()[0],
    "in parts of the workspace": states_stored_in_turn,
    "a region": a_mean_beside_rows,
    "convolution": a_convolution,
}


@pytest.mark.parametrize("name", PROVED)
@pytest.mark.quick_cases(5)
def test_it_is_proved_for_all_sizes(name: str) -> None:
    answer = prove(PROVED[name]())
    assert answer.proved, answer.reason


@pytest.mark.slow
def test_a_network_with_checkpoints_is_proved() -> None:
    answer = prove(a_checkpointed_network())
    assert answer.proved, answer.reason


def test_what_is_not_modelled_is_not_proved() -> None:
    plan = rows()
    loop = next(n for n in nodes(plan.loops) if isinstance(n, Loop))
    tree = replaced(plan.loops, loop, replace(loop, how=Jam(2)))
    assert tree is not None
    found = prove(replace(plan, loops=tree))
    assert not found.proved and found.reason == "there is a loop that runs as Jam"


def test_isl_gives_up() -> None:
    found = prove(lstm(), operations=2000)
    assert not found.proved and found.reason == "it takes isl too long"


def test_a_certificate_says_what_is_proved() -> None:
    found = certify(rows(), operations=OPERATIONS)
    assert found.all_sizes and str(found) == "proved for all sizes" and found.sizes[0] == {"N": 1, "M": 1}
    found = Certificate(({"N": 1}, {"N": 2}), 9, reason="it takes isl too long")
    assert str(found) == "proved for the sizes N = 1; N = 2 (not for all: it takes isl too long)"
    assert str(certify(rows(), {"N": 2, "M": 1})) == "proved for the sizes N = 2, M = 1"
    assert str(Certificate((), 0)) == "nothing is proved"


def test_a_kernel_of_large_fixed_sizes_is_proved() -> None:
    """At which nothing else is looked at."""
    x = pa.placeholder((300, 300), "x", "float64")
    kernel = pa.compile(pa.tanh(x @ x), [x])
    found = kernel.certify()
    assert found.all_sizes and found.sizes == ()
