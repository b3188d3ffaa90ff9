"""Subtotals: every way to lose a part of a sum, or to count one twice, is refused by certificates."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.loops.how import Vector
from polyad.codegen.loops.nodes import AddUp, Block, Instance, Let, Loop, Node, Parts, Subtotal
from polyad.codegen.loops.subtotals import wrong_subtotals
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.machine import TINY, Machine
from tests.codegen.certify.mutants import planned, replaced
from tests.codegen.interpreter.interpreter import interpret
from tests.machines import THREADS
from tests.transforms.equivalence import random_inputs

PARTS = replace(THREADS, block_sum=4, block_rows=2)
"""Threads pay, and blocks are short."""


def summed(machine: Machine = TINY) -> Plan:
    """A sum over everything and one along each axis."""
    N, M = pa.sizes("N M")
    x = pa.placeholder((N, M), "x", "float32")
    outputs = [pa.numpy.sum(x * x), pa.numpy.sum(x, axis=0), pa.numpy.sum(x, axis=1)]
    return planned(program_of(outputs, [x], "summed")[0], machine)


@pytest.mark.parametrize("machine", [TINY, PARTS], ids=["blocks", "parts"])
def test_every_stage_is_proved_and_computes_the_sums(machine: Machine) -> None:
    plan = summed(machine)
    found = [n for n in nodes(plan.loops) if isinstance(n, Subtotal)]
    assert {n.dtype for n in found} == {"float32", "float64"}
    assert certify(plan, {"N": 9, "M": 11}).instances > 300 and not certify(plan).unreached
    for sizes in ({"N": 1, "M": 1}, {"N": 3, "M": 11}, {"N": 9, "M": 4}):
        inputs = random_inputs(plan.program, sizes)
        (x,) = inputs.values()
        found_values = interpret(plan, inputs, sizes, Random(0))
        for value, expected in zip(found_values.values(), ((x * x).sum(), x.sum(axis=0), x.sum(axis=1)), strict=True):
            np.testing.assert_allclose(value, expected, rtol=1e-6)


def mutants(plan: Plan) -> Iterator[tuple[str, Block | None]]:
    """One thing wrong with each of the lines of subtotals, and of the loops that add to them."""
    root = plan.loops
    starts = [n for n in nodes(root) if isinstance(n, Subtotal)]
    for node in nodes(root):
        match node:
            case Subtotal(local, total):
                yield f"no {local}", replaced(root, node)
                yield f"{local} twice", replaced(root, node, node, node)
                yield f"{local} of itself", replaced(root, node, replace(node, total=local))
                yield f"{local} as another type", replaced(root, node, replace(node, dtype="int32"))
                for other in {s.total for s in starts} - {total}:
                    yield f"{local} of {other}", replaced(root, node, replace(node, total=other))
            case AddUp(found):
                yield f"{found.local} lost", replaced(root, node)
                yield f"{found.local} twice", replaced(root, node, node, node)
                other_way = Subtotal(found.total, found.local, found.whole, found.dtype)
                yield f"{found.local} the other way round", replaced(root, node, AddUp(other_way))
                yield f"{found.local} in a block of its own", replaced(root, node, Block((node,)))
            case Instance(locals=own):
                for array, local in own.items():
                    for s in starts:
                        if s.local == local:
                            moved = replace(node, locals={**own, array: s.total})
                            yield f"past {local}", replaced(root, node, moved)
            case Loop(how=Vector(sums=sums) as how):
                for k, one in enumerate(sums):
                    if any(s.local == one.local for s in starts):
                        wrong = replace(one, reduction="max"), replace(one, local=f"{one.local}_")
                        for w in wrong:
                            changed = replace(how, sums=(*sums[:k], w, *sums[k + 1 :]))
                            yield f"lanes of {one.local}", replaced(root, node, replace(node, how=changed))
            case Loop(step=step) if step > 1 and any(isinstance(c, Let) for c in node.body.children):
                yield "a gap", replaced(root, node, replace(node, step=step + 1))
                yield "an overlap", replaced(root, node, replace(node, step=step - 1))
            case Parts(sums=sums):
                yield (
                    "parts in float32",
                    replaced(root, node, replace(node, sums=tuple(replace(s, dtype="") for s in sums))),
                )
            case _:
                pass


@pytest.mark.parametrize("machine", [TINY, PARTS], ids=["blocks", "parts"])
def test_what_is_wrong_is_refused(machine: Machine) -> None:
    plan = summed(machine)
    tried, kept = 0, []
    for what, loops in mutants(plan):
        assert loops is not None, what
        tried += 1
        try:
            certify(replace(plan, loops=loops), {"N": 9, "M": 11})
            kept.append(what)
        except CertificationError:
            pass
    assert tried > 30 and not kept, kept


def test_what_is_right_is_not_refused() -> None:
    plan = summed()
    assert not [*wrong_subtotals(plan.loops, plan.known.touches, plan.program.arrays)]


def test_infinities_and_overflow() -> None:
    x = pa.placeholder((pa.sizes("N"),), "x", "float32")
    for optimize in range(4):
        kernel = pa.compile(pa.numpy.sum(x), [x], target=pa.Target("c", optimize=optimize))
        values = np.ones(1000, np.float32)
        values[77] = np.inf
        assert kernel(values) == np.inf
        values[500] = -np.inf
        assert np.isnan(kernel(values))
        assert kernel(np.full(1000, 3e38, np.float32)) == np.inf


def names(root: Node) -> list[str]:
    """The variables of the subtotals of a tree."""
    return [n.local for n in nodes(root) if isinstance(n, Subtotal)]


def test_each_subtotal_has_a_name_of_its_own() -> None:
    found = names(summed().loops)
    assert len(found) == len({*found})
