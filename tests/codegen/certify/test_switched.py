"""Guards that test a switch: what is needed is refused behind one, and so is a test of what is not there yet."""

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.generate import source_of
from polyad.codegen.loops.loop_values import Compare, Nonzero
from polyad.codegen.loops.nodes import Block, Contraction, Guard, Instance, Loop, Node
from polyad.codegen.loops.traversal import map_blocks, nodes
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from tests.codegen.certify.mutants import planned


def plan() -> Plan:
    x, w = pa.placeholder((3,), "x", "float64"), pa.placeholder((3, 3), "w", "float64")
    h = pa.while_loop(lambda h: h[0] + h[1] > 0.1, lambda h: pa.tanh(w @ h), x, max_steps=4)
    return planned(program_of([h.sum(), *pa.grad(h.sum(), [x, w])], [x, w], "ended")[0])


def switched(node: Node) -> bool:
    return isinstance(node, Guard) and isinstance(node.condition, Nonzero)


def wider(block: Block) -> Block:
    """Put the nodes behind a guard into it."""
    for n, child in enumerate(block.children[:-1]):
        if isinstance(child, Guard) and switched(child):
            return Block(
                (*block.children[:n], replace(child, then=Block((*child.then.children, *block.children[n + 1 :]))))
            )
    return block


def earlier(block: Block) -> Block:
    """The guard in front of the instance that it tests."""
    at = next((n for n, c in enumerate(block.children) if switched(c)), 0)
    if at and isinstance(block.children[at - 1], Instance):
        before, test, guard, rest = (
            block.children[: at - 1],
            block.children[at - 1],
            block.children[at],
            block.children[at + 1 :],
        )
        return Block((*before, guard, test, *rest))
    return block


def elsewhere(block: Block) -> Block:
    """Another step's element is tested."""

    def one(child: Node) -> Node:
        if not isinstance(child, Guard) or not isinstance(child.condition, Nonzero):
            return child
        return replace(child, condition=replace(child.condition, index=tuple(i * 0 for i in child.condition.index)))

    return Block(tuple(map(one, block.children)))


def test_switches_are_certified() -> None:
    made = plan()
    assert sum(map(switched, nodes(made.loops))) == 2
    assert any(isinstance(n, Loop) for n in nodes(made.loops))
    certify(made)
    assert certify(made, operations=10**8).all_sizes


def branches(w: pa.Tensor, x: pa.Tensor, h: pa.Tensor) -> pa.Tensor:
    """A product in one of two branches, chosen in each step; its adjoint is a temporary of its own."""

    def step(h: pa.Tensor, x: pa.Tensor) -> tuple[pa.Tensor, None]:
        product = pa.numpy.tanh(h) @ w
        return pa.cond(pa.numpy.sum(x) > 0, lambda: product + x, lambda: 0.5 * pa.numpy.sin(h)), None

    last, _ = pa.scan(step, h, x)
    return pa.numpy.sum(last * last)


def test_what_overwrites_memory_runs_where_it_adds_zero() -> None:
    """The gradient by a matrix that the macro-kernel multiplies with, in steps that take the other branch."""
    rng = np.random.default_rng(1)
    given = rng.standard_normal((64, 64)), rng.standard_normal((6, 64)), rng.standard_normal(64)
    plain, fast = (
        pa.jit(pa.value_and_grad(branches, argnums=(0, 1, 2)), target=pa.Target(optimize=level)) for level in (1, 3)
    )
    expected, found = plain(*given), fast(*given)
    assert {*(given[1].sum(axis=1) > 0)} == {True, False}
    np.testing.assert_allclose(found[0], expected[0], rtol=1e-12)
    for one, other in zip(found[1], expected[1], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


def test_a_test_around_what_overwrites_memory_is_refused() -> None:
    """As it stood once: the product left out where it adds zero to what only it fills."""
    w, x, h = (pa.placeholder(s, n, "float64") for s, n in (((64, 64), "w"), ((6, 64), "x"), ((64,), "h")))
    loss = branches(w, x, h)
    made = planned(program_of([loss, *pa.grad(loss, [w, x, h])], [w, x, h], "branches")[0])
    tests = [n.condition for n in nodes(made.loops) if isinstance(n, Guard) and isinstance(n.condition, Nonzero)]

    def tested(block: Block) -> Block:
        def one(child: Node) -> Node:
            overwrites = isinstance(child, Contraction) and child.fresh
            return Guard(tests[-1], Block((child,))) if overwrites else child

        return Block(tuple(map(one, block.children)))

    loops = map_blocks(tested, made.loops)
    assert isinstance(loops, Block)
    with pytest.raises(CertificationError, match="may be needed there"):
        certify(replace(made, loops=loops))


@pytest.mark.parametrize("change", [wider, earlier, elsewhere])
def test_others_are_refused(change: Callable[[Block], Block]) -> None:
    made = plan()
    loops = map_blocks(change, made.loops)
    assert isinstance(loops, Block)
    with pytest.raises(CertificationError):
        certify(replace(made, loops=loops))


def test_a_switch_alone_in_the_other_branch() -> None:
    """`else if` tests an element as `if` does, and the text is read back so."""

    def other(block: Block) -> Block:
        never = Compare(">=", Affine.of(0), Affine.of(1))
        return Block(tuple(Guard(never, Block(()), Block((n,))) if switched(n) else n for n in block.children))

    made = plan()
    made = replace(made, loops=map_blocks(other, made.loops))
    text = source_of(made).c
    assert re.search(r"\} else if \(\w+(\[.*\])? != 0\) \{", text)
    certify(made)
