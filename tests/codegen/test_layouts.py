"""Temporaries stored along the wavefront: the same memory in another order, and the same results."""

import itertools

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.storage.layouts import Layout
from polyad.errors import CertificationError
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from tests.codegen.certify.mutants import planned
from tests.evaluated import values_of

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("layout", [Layout(1, {0: 1}), Layout(1, {0: -1}), Layout(0, {1: 2}), Layout(0, {1: -3})])
@pytest.mark.parametrize("extents", [(4, 4), (3, 5), (5, 2), (1, 4)])
def test_a_layout_is_a_permutation(layout: Layout, extents: tuple[int, int]) -> None:
    places = set()
    for element in itertools.product(*(range(e) for e in extents)):
        index = layout.index([Affine.of(i) for i in element], [Affine.of(e) for e in extents])
        assert all(i.constant >= 0 for i in index)
        places.add(tuple(index[d].constant % extents[d] for d in layout.order(2)))
    assert places == set(itertools.product(*(range(extents[d]) for d in layout.order(2))))


def soft_dtw(n, m, dtype="float64"):
    d = pa.placeholder((n, m), "d", dtype)

    def cell(r, i, j):
        a, b, c = r[i - 1, j], r[i, j - 1], r[i - 1, j - 1]
        least = pa.stop_gradient(pa.minimum(pa.minimum(a, b), c))
        value = d[i - 1, j - 1] + least - pa.log(pa.exp(least - a) + pa.exp(least - b) + pa.exp(least - c))
        return pa.select((i == 0) & (j == 0), 0.0, pa.select((i == 0) | (j == 0), 1e10, value))

    r = pa.recurrence((n + 1, m + 1), cell, name="r")
    loss = pa.compute((), lambda: r[n, m], name="loss")
    return d, loss, pa.grad(loss, [d])[0]


@pytest.mark.slow
def test_neighbours_on_a_diagonal_are_neighbours_in_memory():
    N, M = pa.sizes("N M")
    d, loss, d_bar = soft_dtw(N, M)
    kernel = pa.compile([loss, d_bar], [d])
    assert "for (int64_t diagonal = 0;" in kernel.source and "diagonal >= " in kernel.source
    assert "r_exp[diagonal % N * M + j]" in kernel.source
    assert "r[(diagonal + 1) % (N + 1) * (M + 1) + j + 1]" in kernel.source
    plain = pa.compile([loss, d_bar], [d], target=pa.Target("c", optimize=1))
    assert "diagonal" not in plain.source
    of_all_cells = {
        "r": 10 * 5 * 8,
        "r_exp": 9 * 4 * 8,
        "r_exp_1": 9 * 4 * 8,
        "r_exp_2": 9 * 4 * 8,
        "r_exp_bar": 9 * 4 * 8,
    }
    assert kernel.memory_plan(N=9, M=4).arrays == {**of_all_cells, "r_stop_gradient": 0}


def test_a_remainder_of_a_negative_number_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """C's remainder of -1 by N is -1, Python's N - 1: the certifier must not take one for the other."""
    N, M = pa.sizes("N M")
    d, loss, d_bar = soft_dtw(N, M)
    plan = planned(program_of([loss, d_bar], [d], "loss")[0])
    certify(plan, {"N": 4, "M": 3})
    right = Layout.index
    skewed = next(iter(plan.storage.layouts.values()))
    (q,) = skewed.skews

    def further_down(layout: Layout, index: list[Affine], extents: list[Affine]) -> list[Affine]:
        """The same place modulo the extent."""
        found = right(layout, index, extents)
        found[q] = found[q] - extents[q] * 4
        return found

    monkeypatch.setattr(Layout, "index", further_down)
    with pytest.raises(CertificationError, match=r"remainder of .*-.*, which C takes of no negative number"):
        certify(plan, {"N": 4, "M": 3})


@pytest.mark.parametrize("shape", [(1, 1), (1, 5), (6, 1), (2, 2), (5, 8), (9, 4), (40, 37)])
@pytest.mark.quick_cases(2)
def test_soft_dtw(shape):
    N, M = pa.sizes("N M")
    d, loss, d_bar = soft_dtw(N, M)
    x = RNG.random(shape)
    value, gradient = pa.compile([loss, d_bar], [d])(x)
    expected = values_of([loss, d_bar], d=x)
    np.testing.assert_allclose(value, expected[0], rtol=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("size", [1, 5, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 12))])
def test_soft_dtw_of_fixed_sizes(size):
    d, loss, d_bar = soft_dtw(size, size + 3)
    x = RNG.random((size, size + 3))
    value, gradient = pa.compile([loss, d_bar], [d])(x)
    expected = values_of([loss, d_bar], d=x)
    np.testing.assert_allclose(value, expected[0], rtol=1e-12)
    np.testing.assert_allclose(gradient, expected[1], rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize(
    "reads",
    [
        ((1, 0), (0, 1)),
        pytest.param(((1, -1), (0, 1)), marks=pytest.mark.slow),
        ((1, 0), (0, -1)),
        ((-1, 0), (0, 1)),
        ((-1, 1), (0, -1)),
        ((1, 1), (1, 0), (0, 2)),
    ],
)
@pytest.mark.quick_cases(2)
def test_other_directions(reads):
    """Values and gradients of recurrences that run from other corners, and of other slopes."""
    N = pa.sizes("N")
    x = pa.placeholder((N, N), "x", "float64")

    def cell(a, i, j):
        inside = None
        total = x[i, j]
        for p, q in reads:
            here = (i - p >= 0) & (i - p < N) & (j - q >= 0) & (j - q < N)
            inside = here if inside is None else inside & here
            total = total + a[i - p, j - q] * 0.7
        return pa.select(inside, pa.tanh(total), x[i, j])

    a = pa.recurrence((N, N), cell, name="a")
    loss = pa.numpy.sum(a * a)
    (x_bar,) = pa.grad(loss, [x])
    kernel = pa.compile([loss, x_bar], [x])
    assert "diagonal" in kernel.source
    for n in (3, 4, 11):
        v = RNG.standard_normal((n, n))
        value, gradient = kernel(v)
        expected = values_of([loss, x_bar], x=v)
        np.testing.assert_allclose(value, expected[0], rtol=1e-12)
        np.testing.assert_allclose(gradient, expected[1], rtol=1e-9, atol=1e-12)


def layers(steps, count, width):
    """Layers on top of each other, element by element; x[t, k] is what layer k reads at step t."""
    w = pa.placeholder((2 * count, width), "w", "float64")
    text = pa.placeholder((steps, width), "text", "float64")

    def layer(x, t, k, i):
        before = pa.tanh(x[t, k - 1, i] * w[2 * k - 2, i] + x[t - 1, k, i] * w[2 * k - 1, i])
        first = pa.select(t == 0, 0.0, text[t - 1, i])
        return pa.select(k == 0, first, pa.select(t == 0, 0.5, before))

    x = pa.recurrence((steps + 1, count + 1, width), layer, name="x", dtype="float64")
    loss = pa.numpy.sum(x[1:, count] ** 2)
    return w, text, [loss, *pa.grad(loss, [w, text])]


@pytest.mark.parametrize("count", [1, 2, pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.quick_cases(1)
def test_layers_against_time(count):
    T = pa.sizes("T")
    w, text, outputs = layers(T, count, 5)
    kernel = pa.compile(outputs, [w, text])
    plain = pa.compile(outputs, [w, text], target=pa.Target("c", optimize=1))
    for steps in (1, 2, 7):
        a, b = RNG.standard_normal((2 * count, 5)), RNG.standard_normal((steps, 5))
        expected = values_of(outputs, w=a, text=b)
        for found, also, value in zip(kernel(a, b), plain(a, b), expected, strict=True):
            np.testing.assert_allclose(found, value, rtol=1e-11, atol=1e-13)
            np.testing.assert_allclose(also, value, rtol=1e-11, atol=1e-13)


def test_gradients_of_weights_are_summed_along_the_wavefront():
    w, text, outputs = layers(50, 4, 5)
    tree = pa.compile(outputs, [w, text]).schedule.tree()
    backward = tree[tree.rindex("\nfor ") :]
    assert " - t" in backward.splitlines()[1] and "w_bar_x" in backward
