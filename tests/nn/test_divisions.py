"""Layers that count in steps do not divide for each element, and how many instances they have."""

import re
from collections.abc import Callable, Iterator
from math import ceil
from random import Random
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn

DIVISION = re.compile(r"pa_(floordiv|mod|ceildiv)\w*\(|%|[\w)\]] / -?\d+(?![.\d])")

CASES: dict[str, tuple[Callable[..., Any], list[tuple[int, ...]]]] = {
    **{
        f"conv2d k{k} s{s} d{d}": (
            lambda x, w, s=s, d=d: nn.conv2d(x, w, stride=s, dilation=d),
            [(1, 2, 10, 10), (2, 2, k, k)],
        )
        for k, s, d in ((3, 2, 1), (3, 3, 1), (3, 2, 2), (3, 3, 2), (2, 2, 3))
    },
    **{
        f"conv2d_transpose k{k} s{s} d{d}": (
            lambda x, w, s=s, d=d: nn.conv2d_transpose(x, w, stride=s, dilation=d),
            [(1, 2, 5, 5), (2, 3, k, k)],
        )
        for k, s, d in ((3, 1, 2), (3, 2, 1), (3, 3, 1), (2, 2, 1), (2, 3, 1), (3, 2, 2))
    },
    "conv2d in groups": (lambda x, w: nn.conv2d(x, w, groups=2), [(1, 4, 8, 8), (6, 2, 3, 3)]),
    "conv2d of each channel": (lambda x, w: nn.conv2d(x, w, groups=4), [(1, 4, 8, 8), (4, 1, 3, 3)]),
    "conv2d_transpose in groups": (lambda x, w: nn.conv2d_transpose(x, w, groups=2), [(1, 4, 5, 5), (4, 3, 3, 3)]),
    "reshape to rows": (lambda x: pn.reshape(x, (1, 50)) * 2, [(1, 2, 5, 5)]),
    "reshape to halves": (lambda x: pn.reshape(x, (3, 8)) * 2, [(6, 4)]),
    "reshape of rows that do not nest": (lambda x: pn.reshape(x, (14, 15)) * 2, [(6, 35)]),
    "reshape of short rows that do not nest": (lambda x: pn.reshape(x, (8, 3)) * 2, [(6, 4)]),
    "reshape of a transpose": (lambda x: pn.reshape(x.T, (14, 15)) * 2, [(6, 35)]),
    "reshape of a permutation": (lambda x: pn.reshape(x.transpose(2, 0, 1), (20, 21)) * 2, [(6, 7, 10)]),
    "reshape of a permutation to rows": (lambda x: pn.reshape(x.transpose(1, 2, 0), (-1,)) * 2, [(6, 7, 10)]),
    "reshape of four dimensions": (lambda x: pn.reshape(x.transpose(0, 2, 3, 1), (8, 30, 6)) * 2, [(4, 6, 6, 10)]),
    "heads together": (
        lambda x: pn.reshape(pn.reshape(x, (5, 7, 4, 6)).transpose(0, 2, 1, 3), (20, 7, 6)) * 2,
        [(5, 7, 24)],
    ),
    "tile": (lambda x: pn.tile(x, (2, 3)), [(4, 5)]),
    "repeat": (lambda x: pn.repeat(x, 3, 1), [(4, 5)]),
    "upsample": (lambda x: nn.upsample(x, 2), [(1, 2, 4, 5)]),
    "upsample bilinear": (lambda x: nn.upsample(x, 2, "bilinear"), [(1, 2, 4, 5)]),
    "max_pool2d": (lambda x: nn.max_pool2d(x, 2), [(1, 2, 6, 6)]),
    "avg_pool2d": (lambda x: nn.avg_pool2d(x, 2), [(1, 2, 6, 6)]),
    "pixel_shuffle": (lambda x: nn.pixel_shuffle(x, 2), [(1, 8, 3, 4)]),
    "unfold": (lambda x: nn.unfold(x, 2), [(1, 2, 5, 5)]),
    "fold": (lambda x: nn.fold(x, (6, 6), 2, stride=2), [(1, 8, 9)]),
    "group_norm": (lambda x: nn.group_norm(x, 2), [(1, 4, 3, 4)]),
    "heads": (
        lambda q, k: nn.scaled_dot_product_attention(q, k, k, is_causal=True),
        [(1, 4, 5, 3), (1, 2, 5, 3)],
    ),
}
"""Of each the value, and the gradient by each argument."""


def innermost(c: str) -> Iterator[str]:
    """The lines of loops without loops inside, their heads and comments left out."""
    lines = re.sub(r"/\*.*?\*/", lambda m: "\n" * m[0].count("\n"), c, flags=re.S).split("\n")
    loops: list[tuple[int, int]] = []
    opened: list[tuple[int, bool]] = []
    for n, line in enumerate(lines):
        head = re.match(r"\s*for \(", line) is not None
        if head and "{" not in line:
            loops.append((n, n + 1))
        for character in line:
            if character == "{":
                opened.append((n, head))
            elif character == "}":
                start, loop = opened.pop()
                if loop:
                    loops.append((start, n))
    for start, end in loops:
        if not any(start < s and e <= end for s, e in loops):
            yield from lines[start + 1 : end + 1]


@pytest.mark.parametrize("title", CASES)
def test_no_division_in_innermost_loops(title: str) -> None:
    layer, shapes = CASES[title]
    given = [pa.placeholder(s, n, "float64") for s, n in zip(shapes, "xw", strict=False)]
    y = layer(*given)
    bars = pa.differentiate(pn.sum(y * pa.placeholder(y.shape, "h", "float64")), given)
    for outputs in (y, *(bars[t] for t in given)):
        kernel = pa.compile(outputs)
        assert not [line for line in innermost(kernel.source) if DIVISION.search(line)]


def test_a_division_would_be_found() -> None:
    """No dimension counts the numerator by one."""
    x = pa.placeholder((4,), "x", "float64")
    lines = list(innermost(pa.compile(pa.compute((8, 5), lambda i, j: x[(2 * i + 3 * j) // 7] * 2)).source))
    assert lines
    assert [line for line in lines if DIVISION.search(line)]


def factors(random: Random, total: int, rank: int) -> tuple[int, ...]:
    """A shape of that many elements."""
    shape = [1] * rank
    rest = total
    for p in (2, 3, 5, 7):
        while rest and rest % p == 0:
            shape[random.randrange(rank)] *= p
            rest //= p
    return tuple(shape) if total else (*shape[1:], 0)


def reshapes(number: int) -> tuple[tuple[int, ...], Callable[..., Any]]:
    """A shape, and what counts the elements of such an array otherwise."""
    random = Random(f"divisions {number}")
    total = random.choice([0, 1, 6, 24, 30, 60, 84, 210, 216, 720, 1260])
    shape, other = factors(random, total, random.randint(1, 3)), factors(random, total, random.randint(1, 3))
    axes = random.sample(range(len(shape)), len(shape)) if len(shape) > 1 and random.random() < 0.6 else None
    copies = random.choice([None, None, 2, 3])

    def layer(x: Any, m: Any = pn) -> Any:
        y = m.reshape(x if axes is None else m.transpose(x, axes), other)
        if copies is not None:
            y = m.tile(y, copies) if copies == 2 else m.repeat(y, copies, 0)
        return y * 2

    return shape, layer


@pytest.mark.parametrize("number", range(60))
@pytest.mark.quick_cases(10)
def test_random_reshapes(number: int) -> None:
    """Any extents: the values of NumPy, and no division in an innermost loop, forward or backward."""
    shape, layer = reshapes(number)
    x = pa.placeholder(shape, "x", "float64")
    y = layer(x)
    values = np.random.default_rng(number).normal(size=shape)
    kernel = pa.compile(y)
    np.testing.assert_array_equal(kernel(**({"x": values} if values.size else {})), layer(values, np))
    h = pa.placeholder(y.shape, "h", "float64")
    back = pa.compile(pa.differentiate(pn.sum(y * h), [x])[x])
    weights = np.random.default_rng(number + 1).normal(size=layer(values, np).shape)
    numbers = layer(np.arange(values.size).reshape(shape), np) // 2
    expected = np.bincount(numbers.ravel().astype(int), weights.ravel() * 2, values.size).reshape(shape)
    np.testing.assert_allclose(back(**({"h": weights} if values.size else {})), expected, rtol=1e-12, atol=1e-13)
    for made in (kernel, back):
        assert not [line for line in innermost(made.source) if DIVISION.search(line)]


@pytest.mark.parametrize(
    ("shape", "other"),
    [(("N", 6), ("2*N", 3)), (("3*N", 4), ("2*N", 6)), (("N", 10), ("5*N", 2)), (("4*N", 3), ("N", 12))],
)
def test_reshapes_of_named_sizes(shape: tuple[Any, Any], other: tuple[Any, Any]) -> None:
    N = pa.sizes("N")
    here, there = (tuple(eval(str(e), {"N": N}) for e in s) for s in (shape, other))
    kernel = pa.compile(pn.reshape(pa.placeholder(here, "x", "float64"), there) * 2)
    assert not [line for line in innermost(kernel.source) if DIVISION.search(line)]
    for n in (1, 2, 5):
        rows, columns = (eval(str(e), {"N": n}) for e in shape)
        x = np.arange(float(rows * columns)).reshape(rows, columns)
        np.testing.assert_array_equal(kernel(x=x), 2 * x.reshape([eval(str(e), {"N": n}) for e in other]))


@pytest.mark.parametrize(("kernel", "stride"), [(3, 2), (3, 3), (2, 3)])
def test_transposed_convolutions_have_a_product_for_each_position_and_tap(kernel: int, stride: int) -> None:
    x, w = pa.placeholder((1, 2, 5, 5), "x"), pa.placeholder((2, 3, kernel, kernel), "w")
    y = nn.conv2d_transpose(x, w, stride=stride)
    products = 2 * 3 * 25 * kernel * kernel
    assert pa.compile(y, target=pa.Target(optimize=1)).instances()["conv2d_transpose"] == products
    # One product of matrices for each class of residues: where a tap hangs over, its class has a frame of zeros.
    classes = [n for s, n in pa.compile(y).instances().items() if re.fullmatch(r"conv2d_transpose(_\d+)?", s)]
    framed = sum(ceil((kernel - p) / stride) * (4 + ceil((kernel - p) / stride)) for p in range(stride))
    if kernel > stride:
        assert len(classes) == stride**2
        assert sum(classes) == 2 * 3 * framed**2
    else:  # taps do not meet: the sum over two channels is written out
        assert classes == [products]
    bars = pa.differentiate(pn.sum(y * y), [w])
    assert max(pa.compile(bars[w]).instances().values()) == products


def test_values_of_split_loops() -> None:
    """The extent is no multiple of what is divided by."""
    x = np.arange(7.0)
    f = pa.jit(lambda x: pa.compute((19,), lambda j: x[(j + 1) // 3] * 2))
    np.testing.assert_array_equal(f(x), [2 * x[(j + 1) // 3] for j in range(19)])
