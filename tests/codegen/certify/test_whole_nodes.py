"""Nodes that stand as a whole (contractions, prefix scans, sums in parts) with one thing wrong: all are refused."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.loops.loop_values import add
from polyad.codegen.loops.nodes import Block, Contraction, ContractionAxis, Node, Pack, Parts, PrefixScan, Shape
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.ir.polynomials import total
from tests.codegen.certify.mutants import planned, replaced

ONE = Affine.of(1)


def recurrent() -> tuple[Plan, dict[str, int]]:
    """Products in time, with weights packed before it, and their gradients."""
    T, B, H = pa.sizes("T B H")
    x, W, U = (pa.placeholder(s, n, "float64") for n, s in (("x", (T, B, H)), ("W", (H, H)), ("U", (H, H))))

    def step(h, x_t):
        h = pa.tanh(x_t @ W.T + h @ U.T)
        return h, h

    states = pa.scan(step, pa.numpy.zeros((B, H), dtype="float64"), x)[1]
    loss = pa.numpy.sum(states * states)
    program = program_of([loss, *pa.grad(loss, [x, W, U])], [x, W, U], "recurrent")[0]
    return planned(program), {"T": 3, "B": 2, "H": 3}


def weighted() -> tuple[Plan, dict[str, int]]:
    """A product that an element of a vector multiplies."""
    N = pa.sizes("N")
    x, w = pa.placeholder((N, N), "x", "float64"), pa.placeholder((N + 2,), "w", "float64")
    k = pa.reduce_axis((0, N), "k")
    y = pa.compute((N, N), lambda i, j: pa.sum(w[N] * x[i, k] * x[k, j], k), "y")
    return planned(program_of([y], [x, w], "weighted")[0]), {"N": 3}


def convolved() -> tuple[Plan, dict[str, int]]:
    """Several loops to a group, of which neighbours are joined."""
    C, K, N = pa.sizes("C K N")
    x, w = pa.placeholder((C, N, N), "x", "float64"), pa.placeholder((K, C, 2, 2), "w", "float64")
    y = pa.nn.conv2d(x[None], w)
    return planned(program_of([y], [x, w], "convolved")[0]), {"C": 2, "K": 3, "N": 4}


def scanned(gradient: bool = True) -> tuple[Plan, dict[str, int]]:
    """A scan, and one backwards in time that stores its states in turn."""
    T = pa.sizes("T")
    x, a = pa.placeholder((T,), "x", "float64"), pa.placeholder((T,), "a", "float64")

    def step(h, here):
        new = pa.sigmoid(here[1]) * h + pa.exp(here[0])
        return new, new * pa.exp(here[0])

    _, y = pa.scan(step, pa.numpy.zeros((), dtype="float64"), (x, a))
    loss = pa.numpy.sum(y * y)
    outputs = [loss, *pa.grad(loss, [x, a])] if gradient else [loss]
    return planned(program_of(outputs, [x, a], "scanned")[0]), {"T": 40}


def kept() -> tuple[Plan, dict[str, int]]:
    """A scan with values that are kept for the loop behind it."""
    return scanned(gradient=False)


def summed() -> tuple[Plan, dict[str, int]]:
    N = pa.sizes("N")
    x, y = pa.placeholder((N,), "x", "float64"), pa.placeholder((N,), "y", "float64")
    return planned(program_of([pa.numpy.sum(x * y), pa.numpy.max(x)], [x, y], "summed")[0]), {"N": 40}


OPERANDS = {"rows": "ca", "columns": "cb", "sums": "ab"}
"""Which operands move along a group of loops."""


def shapes(shape: Shape, operands: str) -> Iterator[tuple[str, Shape]]:
    """Yield the shape of some operands for the macro-kernel, with one thing wrong."""
    for group, moved in OPERANDS.items():
        axes: tuple[ContractionAxis, ...] = getattr(shape, group)
        for n, axis in enumerate(axes):
            changed = [replace(axis, count=add(axis.count, ONE))] if operands == "cab" else []
            for operand in {*moved} & {*operands}:
                strides = [
                    total([stride, {(): 1}]) if name == operand else stride
                    for name, stride in zip("cab", axis.strides, strict=True)
                ]
                changed.append(replace(axis, strides=tuple(strides)))
            for new in changed:
                what = "count" if new.count != axis.count else "stride"
                yield f"{what} of {group}", replace(shape, **{group: (*axes[:n], new, *axes[n + 1 :])})
    for n, weight in enumerate(shape.weights if operands == "cab" else ()):
        weights = list(shape.weights)
        weights[n] = replace(weight, index=(*weight.index[:-1], weight.index[-1] - 1))
        yield "weight", replace(shape, weights=tuple(weights))
        yield "no weight", replace(shape, weights=(*shape.weights[:n], *shape.weights[n + 1 :]))
    for name in operands:
        operand = getattr(shape, name)
        if operand.index:
            index = (*operand.index[:-1], operand.index[-1] - 1)
            yield f"start of {name}", replace(shape, **{name: replace(operand, index=index)})


def wrong(node: Node) -> Iterator[tuple[str, Node | None]]:
    """Yield nodes in the place of a node, each with what is wrong; None for no node."""
    match node:
        case Contraction(nest=nest, shape=Shape() as shape):
            for step in (nest.step, -nest.step):
                yield "bound", replace(node, nest=replace(nest, last=add(nest.last, Affine.of(step))))
            yield "fresh", replace(node, fresh=not node.fresh)
            yield "left out", None
            for what, other in shapes(shape, "cab"):
                yield what, replace(node, shape=other)
        case Pack(contraction=contraction):
            yield "left out", None
            assert contraction.shape is not None
            for what, other in shapes(contraction.shape, "b"):
                yield what, replace(node, contraction=replace(contraction, shape=other))
        case PrefixScan(state=state):
            yield "left out", None
            for step in (1, -1):
                loop = replace(state.loop, last=add(state.loop.last, Affine.of(step)))
                yield "bound", replace(node, state=replace(state, loop=loop))
            for part in ("first", "second"):
                own = getattr(state, part)
                for n in range(len(own)):
                    if own[n] is state.writer and state.in_turn:
                        continue  # where nobody reads its state, slots are filled at the end of each block
                    yield part, replace(node, state=replace(state, **{part: (*own[:n], *own[n + 1 :])}))
            for n in range(len(state.kept)):
                yield "kept", replace(node, state=replace(state, kept=(*state.kept[:n], *state.kept[n + 1 :])))
            yield "before", replace(node, state=replace(state, before=state.after))
            yield "after", replace(node, state=replace(state, after=state.before))
        case Parts(loop=loop, sums=sums):
            yield "left out", None
            for step in (1, -1):
                yield "bound", replace(node, loop=replace(loop, last=add(loop.last, Affine.of(step))))
            for n in range(len(sums)):
                yield "sum", replace(node, sums=(*sums[:n], *sums[n + 1 :]))
        case _:
            pass


def mutants(plan: Plan) -> Iterator[tuple[str, Plan]]:
    for node in nodes(plan.loops):
        for what, other in wrong(node):
            tree: Block | None = replaced(plan.loops, node, *([] if other is None else [other]))
            assert tree is not None
            yield f"{type(node).__name__}: {what}", replace(plan, loops=tree)


def is_refused(plan: Plan, sizes: dict[str, int]) -> bool:
    try:
        certify(plan, sizes)
    except CertificationError:
        return True
    return False


KINDS = {
    recurrent: {
        "Contraction": {"bound", "count of sums", "stride of rows", "start of b", "fresh"},
        "Pack": {"left out", "stride of columns", "stride of sums", "start of b"},
    },
    weighted: {"Contraction": {"weight", "no weight"}},
    convolved: {"Contraction": {"count of sums", "stride of columns"}},
    scanned: {"PrefixScan": {"first", "second", "bound", "before", "after"}},
    kept: {"PrefixScan": {"kept"}},
    summed: {"Parts": {"bound", "sum"}},
}
"""Of what there are mutants, among others."""


@pytest.mark.parametrize("make", KINDS)
@pytest.mark.quick_cases(2)
def test_whole_nodes_with_one_thing_wrong_are_refused(make: Callable[[], tuple[Plan, dict[str, int]]]) -> None:
    plan, sizes = make()
    assert certify(plan, sizes).sizes
    found: list[str] = []
    for what, mutant in mutants(plan):
        assert is_refused(mutant, sizes), what
        found.append(what)
    assert {f"{node}: {what}" for node, kinds in KINDS[make].items() for what in kinds} <= {*found}
