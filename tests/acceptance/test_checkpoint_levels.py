"""Checkpoints in levels: segments of segments, in one scan and in scans of scans, in as few states as was asked for."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise, product
from math import ceil, prod
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.checkpoint import Checkpoint, binomial, every, sqrt
from polyad.frontend.compiled import program_of
from polyad.kernel import Kernel
from polyad.semantics.evaluate import evaluate

RNG = np.random.default_rng(0)
B, H = 2, 3

LEVELS = (every(4, 2), every(6, 3), every(8, 4, 2), every(6, 2, 1), every(3, 1), every(50, 10))
LENGTHS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 24, 29)


@cache
def network(checkpoint: Checkpoint | None, reverse: bool, length: int | None, level: int = 3) -> Kernel:
    """Value and gradients of a network of two states, with a loss of the last ones and of all outputs."""
    T: Any = pa.sizes("T") if length is None else length
    x, U = pa.placeholder((T, B, H), "x", "float64"), pa.placeholder((H, H), "U", "float64")
    h0, g0 = pa.placeholder((B, H), "h0", "float64"), pa.placeholder((), "g0", "float64")

    def step(carry: Any, v: Any) -> Any:
        h, g = carry
        h = pa.tanh(v + h @ U.T) * g
        return (h, pa.sin(g) + 0.1 * h.sum()), (h * v, g)

    (h, g), (ys, gs) = pa.scan(step, (h0, g0), x, checkpoint=checkpoint, reverse=reverse)
    loss = (h * h).sum() * g + pa.sin(ys).sum() + (gs * gs).sum()
    outputs = [loss, h, ys, gs, *pa.grad(loss, [x, U, h0, g0])]
    return pa.compile(outputs, [x, U, h0, g0], name="network", target=pa.Target(optimize=level))


def arrays_of(length: int) -> dict[str, Any]:
    normal = RNG.standard_normal
    return {"x": normal((length, B, H)), "U": normal((H, H)), "h0": normal((B, H)), "g0": normal(())}


def agree(found: Any, expected: Any) -> None:
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("checkpoint", LEVELS, ids=str)
@pytest.mark.quick_cases(2)
def test_same_numbers_for_any_length(checkpoint: Checkpoint, reverse: bool) -> None:
    for length in LENGTHS:
        arrays = arrays_of(length)
        agree(network(checkpoint, reverse, None)(**arrays), network(None, reverse, None)(**arrays))


@pytest.mark.slow
@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("checkpoint", [every(4, 2), every(6, 2, 1), sqrt(), binomial(10)], ids=str)
@pytest.mark.parametrize("length", [1, 4, 7, 13])
def test_same_numbers_of_fixed_lengths(checkpoint: Checkpoint, length: int, level: int) -> None:
    arrays = arrays_of(length)
    agree(network(checkpoint, False, length, level)(**arrays), network(None, False, length)(**arrays))


@pytest.mark.parametrize("checkpoint", [every(4, 2), every(3), binomial(4), sqrt()], ids=str)
def test_no_steps(checkpoint: Checkpoint) -> None:
    def last(h: Any) -> Any:
        return pa.scan(lambda h, _: (pa.sin(h), h), h, length=0, checkpoint=checkpoint)[0]

    assert pa.jit(last)(np.float64(0.7)) == 0.7 and pa.grad(last)(np.float64(0.7)) == 1


@pytest.mark.slow
def test_central_differences() -> None:
    x = RNG.standard_normal((7, H))

    def loss(h: Any, w: Any, x: Any) -> Any:
        last, ys = pa.scan(lambda h, v: (pa.sin(h * w + v), h * v), h, x, checkpoint=every(4, 2))
        return (last**2).sum() + pa.sin(ys).sum()

    pa.check_grads(loss, (RNG.standard_normal(H), RNG.standard_normal(H), x))


@pytest.mark.slow
def test_second_derivatives() -> None:
    def f(checkpoint: Checkpoint | None) -> Callable[[Any], Any]:
        return lambda h: pa.scan(lambda h, _: (pa.sin(h) * h, None), h, length=12, checkpoint=checkpoint)[0]

    x = np.float64(1.3)
    for policy in (every(6, 2), binomial(10)):
        found, expected = (pa.grad(pa.grad(f(c)))(x) for c in (policy, None))
        np.testing.assert_allclose(found, expected, rtol=1e-10)


# Memory and work.


def one_state(checkpoint: Checkpoint | None, length: int | None = None) -> Kernel:
    """Gradients by everything of a scan whose step is elementwise."""
    T: Any = pa.sizes("T") if length is None else length
    x, w = pa.placeholder((T, 4), "x", "float64"), pa.placeholder((4,), "w", "float64")
    h0 = pa.placeholder((4,), "h0", "float64")
    last, _ = pa.scan(lambda h, v: (pa.sin(h * w + v), None), h0, x, checkpoint=checkpoint)
    return pa.compile(pa.grad((last * last).sum(), [x, w, h0]), [x, h0, w], name="one_state")


def states(kernel: Kernel, length: int | None) -> float:
    """The memory of a kernel in states."""
    return kernel.memory_plan(**({} if length is None else {"T": length})).total_bytes / (4 * 8)


def formula(length: int, *segments: int) -> int:
    """docs/mathematics.md, eq. 17."""
    parts = sum(n // m for n, m in pairwise(segments))
    return ceil(length / segments[0]) + 1 + parts + segments[-1] + 1


FEW = 14
"""States besides those of the formula: two of each level's in its loops, and the adjoint's."""


@pytest.mark.parametrize("segments", [(8,), (32, 8), (27, 9, 3), (100, 50, 10), (64, 16, 4), (20, 10, 2), (9, 3, 1)])
@pytest.mark.quick_cases(2)
def test_memory_is_that_of_the_formula(segments: tuple[int, ...]) -> None:
    kernel = one_state(every(*segments))
    for length in (900, 2700):
        kept = formula(length, *segments)
        # What the step computes is kept for the innermost segment.
        assert kept - segments[-1] <= states(kernel, length) <= kept + segments[-1] + FEW


@pytest.mark.slow
@pytest.mark.parametrize("segments", [(8, 4), (6, 3, 1)])
def test_kernels_are_proved_for_all_sizes(segments: tuple[int, ...]) -> None:
    assert "proved for all sizes" in str(one_state(every(*segments)).certify())


@pytest.mark.parametrize(("length", "slots"), [(1000, 64), (1000, 32), (100, 16), (5000, 60)])
@pytest.mark.quick_cases(1)
def test_slots_bound_the_states(length: int, slots: int) -> None:
    kernel = one_state(binomial(slots), length)
    assert states(kernel, None) <= slots + slots // 2 + FEW
    kept = [p for n, p in kernel.memory_plan().arrays.items() if n.startswith("h") and p > 2 * 4 * 8]
    assert sum(kept) / (4 * 8) <= slots


@pytest.mark.parametrize("segments", [(8,), (32, 8), (27, 9, 3)])
@pytest.mark.quick_cases(2)
def test_each_level_runs_segments_again_but_the_last(segments: tuple[int, ...]) -> None:
    length = 864
    counts = one_state(every(*segments)).instances(T=length)
    again = [n for n in counts if n.startswith("h_segment_again") and counts[n] > 4 * length // segments[-1]]
    expected = [length * (n - m) // n for n, m in pairwise(segments)]
    # Of the innermost segments the last state is not read.
    assert sorted(counts[n] / 4 for n in again) == sorted([*expected, length * (segments[-1] - 1) // segments[-1]])


@pytest.mark.parametrize("levels", [1, 2, 3])
def test_binomial_finds_the_fewest_states(levels: int) -> None:
    """Against all segments: no others of as many levels have fewer states."""
    for length in range(4, 80):
        least = min(formula(length, *segments) for segments in _all(length, levels))
        found = binomial(least).steps(length)
        if found:  # fewer levels may do
            assert len(found) <= levels and formula(length, *found) <= least
        if least <= length and len(found) == levels:
            fewer = _steps(length, least - 1)
            assert fewer is None or len(fewer) > levels


def _all(most: int, levels: int) -> list[tuple[int, ...]]:
    """All segments of so many levels, the outermost of at most so many steps."""
    if levels == 1:
        return [(n,) for n in range(1, most + 1)]
    return [(n, *rest) for n in range(2, most + 1) for rest in _all(n // 2, levels - 1) if n % rest[0] == 0]


def _nested(segments: tuple[int, ...]) -> bool:
    return all(n % m == 0 and n > m for n, m in pairwise(segments))


def _steps(length: int, slots: int) -> tuple[int, ...] | None:
    try:
        return binomial(slots).steps(length)
    except pa.DefinitionError:
        return None


def test_binomial_covers_the_length() -> None:
    for length, slots in product((1, 2, 17, 100, 1009, 10**6), (3, 20, 40, 64, 300)):
        segments = _steps(length, slots)
        if segments:
            assert formula(length, *segments) <= slots and _nested(segments)
            assert prod((ceil(length / segments[0]), segments[0])) >= length
        assert segments != () or length + 1 <= slots


# Scans in scans.


def nested(outer: Checkpoint | None, inner: Checkpoint | None, reverse: bool, length: Any) -> tuple[Any, Any]:
    """(loss, gradients), (inputs) of a scan in the body of another one."""
    x, h0 = pa.placeholder((length, H), "x", "float64"), pa.placeholder((H,), "h0", "float64")
    w = pa.placeholder((H,), "w", "float64")

    def body(h: Any, x_t: Any) -> Any:
        g, ys = pa.scan(lambda g, _: (pa.sin(g * w + x_t), g * x_t), h, length=5, checkpoint=inner, reverse=not reverse)
        return pa.tanh(g + h), ys.sum()

    last, ys = pa.scan(body, h0, x, checkpoint=outer, reverse=reverse)
    loss = (last * last).sum() + (ys * ys).sum()
    return [loss, *pa.grad(loss, [x, h0, w])], [x, h0, w]


BOTH = [
    (every(3), every(2)),
    (None, every(2)),
    (None, every(4, 2)),
    (every(4, 2), every(2)),
    (every(3), every(4, 2)),
    (every(4, 2), None),
]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("outer", "inner"), BOTH)
@pytest.mark.quick_cases(2)
def test_scans_in_scans(outer: Checkpoint | None, inner: Checkpoint | None, reverse: bool) -> None:
    T = pa.sizes("T")
    plain, segmented = (
        pa.compile(*nested(*policies, reverse, T), name="nested") for policies in ((None, None), (outer, inner))
    )
    for length in (1, 2, 3, 4, 6, 7, 10):
        arrays = {"x": RNG.normal(size=(length, H)), "h0": RNG.normal(size=H), "w": RNG.normal(size=H)}
        agree(segmented(**arrays), plain(**arrays))


@pytest.mark.parametrize(("outer", "inner"), BOTH)
@pytest.mark.quick_cases(1)
def test_equations_of_scans_in_scans(outer: Checkpoint | None, inner: Checkpoint | None) -> None:
    arrays = {"x": RNG.normal(size=(3, H)), "h0": RNG.normal(size=H), "w": RNG.normal(size=H)}
    found = []
    for policies in ((None, None), (outer, inner)):
        program, _ = program_of(*nested(*policies, False, 3), "gradient")
        found.append([evaluate(program, arrays, {})[name] for name in program.outputs])
    agree(*found)


@pytest.mark.slow
def test_scans_in_scans_keep_no_inner_states() -> None:
    plain, outer, both = (
        pa.compile(*nested(*policies, False, pa.sizes("T")), name="nested").memory_plan(T=600).total_bytes / (H * 8)
        for policies in ((None, None), (every(20), None), (every(20), every(2)))
    )
    assert both <= outer <= 600 + 200 and plain > 600 * 5


# Errors.


@pytest.mark.parametrize(
    ("policy", "message"),
    [
        (lambda: every(10, 3), r"every\(10, 3\): segments of 10 steps are not made of several segments of 3.*as 2"),
        (lambda: every(10, 10), "several"),
        (lambda: every(4, 0), "positive"),
        (lambda: every(4, True), "positive"),
        (lambda: binomial(0), "positive"),
        (lambda: binomial(2.5), "positive"),
    ],
)
def test_policies_that_make_no_sense(policy: Callable[[], Checkpoint], message: str) -> None:
    with pytest.raises(pa.DefinitionError, match=message):
        policy()


def test_too_few_slots_say_how_many_would_do() -> None:
    with pytest.raises(
        pa.DefinitionError, match=r"test_checkpoint_levels.*binomial\(5\).* 1000 steps .*; (\d+) are"
    ) as e:
        pa.scan(lambda h, _: (pa.sin(h), None), 0.0, length=1000, checkpoint=binomial(5))
    least = int(str(e.value).rsplit("; ", 1)[1].split()[0])
    assert binomial(least).steps(1000) and _steps(1000, least - 1) is None


def test_lengths_that_are_no_numbers() -> None:
    x = pa.placeholder((pa.sizes("T"),), "x")
    with pytest.raises(pa.DefinitionError, match=r"binomial\(9\) needs a length that is a number.*every"):
        pa.scan(lambda c, v: (c + v, None), 0.0, x, checkpoint=binomial(9))
