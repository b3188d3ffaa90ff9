"""Wavefronts: found where two sequential loops would leave nothing free, legal, and made only where they pay."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.state.problem import problem_of, row_relation
from polyad.schedule.strategies import ALL
from tests.programs import program
from tests.schedule.execution import violations
from tests.schedule.test_scheduler import loops_around


def soft_dtw(n: object, m: object, gradient: bool = True) -> Program:
    """Soft-DTW of a matrix of distances, and its gradient."""
    d = pa.placeholder((n, m), "d", "float64")

    def cell(r, i, j):
        a, b, c = r[i - 1, j], r[i, j - 1], r[i - 1, j - 1]
        least = pa.stop_gradient(pa.minimum(pa.minimum(a, b), c))
        value = d[i - 1, j - 1] + least - pa.log(pa.exp(least - a) + pa.exp(least - b) + pa.exp(least - c))
        return pa.select((i == 0) & (j == 0), 0.0, pa.select((i == 0) | (j == 0), 1e10, value))

    r = pa.recurrence((n + 1, m + 1), cell, name="r")
    loss = pa.compute((), lambda: r[n, m], name="loss")
    return prepare(program_of([loss, *(pa.grad(loss, [d]) if gradient else ())], None, "soft_dtw")[0])


def test_forward_and_backward_run_along_diagonals() -> None:
    N, M = pa.sizes("N M")
    p = soft_dtw(N, M)
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {"N": 4, "M": 3})
    assert loops_around(s.tree(), "r_exp") == ["for i + j", "simd for j"]
    (weight,) = {t.name for t in p.statements if t.array == "r_exp_bar"}
    interior = max((t for t in p.statements if t.array == "d_bar"), key=lambda t: len([*t.reads()])).name
    for name in (weight, interior):
        outer, inner = loops_around(s.tree(), name)
        assert outer.startswith("for -i - j") and inner == "simd for j"


def test_without_the_strategy_the_loops_are_those_of_the_dimensions() -> None:
    N, M = pa.sizes("N M")
    p = soft_dtw(N, M, gradient=False)
    s = default_schedule(p, replace(ALL, wavefront=False))
    assert loops_around(s.tree(), "r_2") == ["for i", "for j"]


# Distances that are lexicographically positive: with them i, then j, is an order.
POSITIVE = st.tuples(st.integers(0, 2), st.integers(-2, 2)).filter(lambda d: d > (0, 0))


def recurrence(distances: list[tuple[int, int]], role: str = "temporary", body: str = "tanh({})") -> Program:
    reads = " + ".join(f"a[i + {20 - p}, j + {20 - q}]" for p, q in distances)
    output = "" if role == "output" else "  output    b: float64[N, N]\n"
    copy = (
        ""
        if role == "output"
        else "  C: [N] -> { C[i, j] : 0 <= i < N and 0 <= j < N }\n      b[i, j] = a[i + 20, j + 20]\n"
    )
    return program(f"""
program random: [N] -> {{ : N >= 1 }}
  {role} a: float64[N + 40, N + 40]
{output}  Z: [N] -> {{ Z[i, j] : 0 <= i, j < N + 40 and (i < 20 or j < 20 or i - 20 >= N or j - 20 >= N) }}
      a[i, j] = 1.0
  S: [N] -> {{ S[i, j] : 0 <= i < N and 0 <= j < N }}
      a[i + 20, j + 20] = {body.format(reads)}
{copy}""")


@given(st.lists(POSITIVE, min_size=1, max_size=3))
def test_random_recurrences(distances: list[tuple[int, int]]) -> None:
    p = recurrence(distances)
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {"N": 5})


@pytest.mark.parametrize(
    ("distances", "loop"),
    [([(1, 0), (0, 1)], "for i + j"), ([(1, -1), (0, 1)], "for 2 * i + j"), ([(1, 1), (1, 0), (0, 1)], "for i + j")],
)
def test_the_skew_follows_from_the_distances(distances: list[tuple[int, int]], loop: str) -> None:
    s = default_schedule(recurrence(distances))
    outer, inner = loops_around(s.tree(), "S")
    assert outer == loop and inner.startswith("simd for")


def test_one_sequential_loop_is_not_skewed() -> None:
    outer, inner = loops_around(default_schedule(recurrence([(1, 0), (1, 1)])).tree(), "S")
    assert outer == "for i" and "simd" in inner


def test_cheap_bodies_do_not_pay_for_strided_outputs() -> None:
    cheap = recurrence([(1, 0), (0, 1)], "output", "{}")
    assert loops_around(default_schedule(cheap).tree(), "S") == ["for i", "prefix 256 for j"]


def test_layers_share_one_loop_along_the_wavefront() -> None:
    w = pa.placeholder((8, 5), "w", "float64")
    text = pa.placeholder((50, 5), "text", "float64")

    def layer(x, t, k, i):
        gate = pa.sigmoid(x[t, k - 1, i] * w[2 * k - 2, i])
        before = gate * pa.tanh(x[t - 1, k, i] * w[2 * k - 1, i])
        first = pa.select(t == 0, 0.0, text[t - 1, i])
        return pa.select(k == 0, first, pa.select(t == 0, 0.5, before))

    x = pa.recurrence((51, 5, 5), layer, name="x", dtype="float64")
    outputs = [pa.numpy.sum(x[1:, 4] ** 2), *pa.grad(pa.numpy.sum(x[1:, 4] ** 2), [w])]
    p = prepare(program_of(outputs, None, "layers")[0])
    s = default_schedule(p)
    s.check(p)
    gates = [t.name for t in p.statements if t.array.startswith("x_") and "bar" not in t.array]
    assert len(gates) == 2
    for gate in gates:
        assert loops_around(s.tree(), gate) == ["for t + k", "parallel for k", "simd for i"]
    assert s.tree().count("for t + k") == 1


def test_pairs_of_one_iteration_are_found_once_for_each_two_rows() -> None:
    """Edges that are kept are those that would be found anew, whichever the rows; the same rows get the same edges."""
    p = recurrence([(1, 0), (0, 1), (1, -1), (2, 1)])
    problem, checked = problem_of(p), 0
    rows = [Affine.of("i"), Affine.of("j"), Affine.of("i") + Affine.of("j"), Affine.of("i") * 2 - Affine.of("j")]
    for e in problem.edges:
        source, sink = (problem.facts[n].statement for n in (e.source, e.sink))
        for own, other in product(rows, rows):
            along = {e.source: own, e.sink: other}
            if e.source == e.sink and own != other:
                continue
            same = row_relation(source, [own]).apply_range(row_relation(sink, [other]).reverse())
            anew = e.relation.intersect(same)
            kept = problem.within(e, along)
            assert kept is problem.within(e, along)
            assert anew.is_empty() if kept is None else kept.relation.is_equal(anew)
            checked += kept is not None
    assert checked > 5
