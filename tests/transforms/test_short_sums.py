"""Short sums: which are written out, in what order, and what loops become of them."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ir.expr import reads
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.ops.program_text import parse_program
from polyad.transforms.passes.inline import inline
from polyad.transforms.passes.sums.short_sums import write_out
from tests.programs import MATVEC, program
from tests.transforms.equivalence import assert_same

FILTER = """
program filter: [N] -> { : N >= 1 }
  input     f: float64[3]
  input     x: float64[N + 2]
  output    y: float64[N + 1]
  Y: [N] -> { Y[i, k] : 0 <= i < N and 0 <= k < 3 }
      y[i] {sign} f[k] * x[i + k]
"""

# The gradient of a filter: elements at the ends have fewer terms.
ENDS = """
program ends: [N] -> { : N >= 1 }
  input     f: float64[3]
  input     r: float64[N]
  output    b: float64[N + 2]
  B: [N] -> { B[i, k] : 0 <= k < 3 and k <= i < N + k }
      b[i] {sign} f[k] * r[i - k]
"""

SIZES = ({"N": 1}, {"N": 2}, {"N": 9})


def text(given: str, sign: str = "+=") -> Program:
    return parse_program(given.replace("{sign}", sign))


@pytest.mark.parametrize("sign", ["+=", "*=", "max=", "min="])
def test_whole_sums_are_one_equation(sign: str) -> None:
    before = text(FILTER, sign)
    after = write_out(before)
    # What nothing contributes to is still the identity.
    (equation,) = [s for s in after.statements if list(reads(s.body))]
    assert equation.dims == ("i",) and equation.reduction is None
    assert [str(r.access.get_aff(0)) for r in reads(equation.body) if r.array == "x"] == [
        f"[N] -> {{ Y_1[i] -> [({'i' if not k else f'{k} + i'})] }}".replace("Y_1", equation.name) for k in range(3)
    ]
    assert_same(before, after, *SIZES)


def test_sums_that_are_cut_are_contributions() -> None:
    before = text(ENDS)
    after = write_out(before)
    assert [s.reduction for s in after.statements] == ["sum"] * 3
    assert_same(before, after, *SIZES)


@pytest.mark.parametrize("sign", ["*=", "max=", "min="])
def test_other_reductions_that_are_cut_stay(sign: str) -> None:
    before = text(ENDS, sign)
    assert write_out(before) is before


def test_long_sums_and_rows_of_matrices_stay() -> None:
    before = program(MATVEC)
    assert write_out(before) is before
    rows = parse_program(str(text(FILTER)).replace("x[i + k]", "x[9*i + k]").replace("float64[N + 2]", "float64[9*N]"))
    assert write_out(rows) is rows, "along i memory is strided by more than vectors that are loaded whole and parted"


@pytest.mark.parametrize(("step", "fires"), [(2, True), (4, True), (5, False)])
@pytest.mark.parametrize("sign", ["+=", "max="])
def test_windows_side_by_side_are_written_out(step: int, fires: bool, sign: str) -> None:
    """Steps of a few elements are loaded whole and parted, in the array that is read and in that of a stage before."""
    before = parse_program(f"""
program windows: [N] -> {{ : N >= 1 }}
  input     x: float64[8, {step} * N]
  output    y: float64[N]
  output    z: float64[N, {step}]
  Y: [N] -> {{ Y[i, k] : 0 <= i < N and 0 <= k < {step} }}
      y[i] {sign} x[0, {step} * i + k]
  Z: [N] -> {{ Z[i, r, k] : 0 <= i < N and 0 <= r < {step} and 0 <= k < 2 }}
      z[i, r] {sign} x[r + k, {step} * i]
""")
    after = write_out(before)
    assert [s.reduction is None for s in after.statements if list(reads(s.body))] == [fires, fires]
    assert_same(before, after, {"N": 1}, {"N": 7})


def test_products_of_matrices_stay() -> None:
    given = """
program product: [N] -> { : N >= 1 }
  input     a: float64[N, 8]
  input     b: float64[8, N]
  output    c: float64[N, N]
  C: [N] -> { C[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < 8 }
      c[i, j] += a[i, k] * b[k, j]
"""
    before = parse_program(given)
    assert write_out(before) is before
    few = parse_program(given.replace("8", str(MACHINE.jam)))
    assert write_out(few) is not few
    assert_same(few, write_out(few), *SIZES)


def test_differences_of_pairs_are_computed_where_they_are_read() -> None:
    before = parse_program("""
program pairs: [N] -> { : N >= 1 }
  input     a: float64[N, 2]
  input     b: float64[N, 2]
  temporary d: float64[N, N, 2]
  output    s: float64[N, N]
  output    e: float64[N, 2]
  D: [N] -> { D[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < 2 }
      d[i, j, k] = a[i, k] - b[j, k]
  S: [N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < 2 }
      s[i, j] += d[i, j, k] * d[i, j, k]
  E: [N] -> { E[i, j, k] : 0 <= i < N and 0 <= j < N and 0 <= k < 2 }
      e[i, k] += d[i, j, k]
""")
    after = inline(before)
    assert "d" not in {s.array for s in after.statements}
    assert_same(before, after, *SIZES)


def filtered(by_shifts: bool) -> Any:
    def taps(x: Any, w: Any) -> Any:
        if by_shifts:
            y = sum(w[None, :, k, None] * x[:, :, k : k + 64] for k in range(3))
        else:

            def element(n: Any, c: Any, t: Any) -> Any:
                k = pa.reduce_axis(3, "k")
                return pa.sum(w[c, k] * x[n, c, t + k], axis=k)

            y = pa.compute((2, 5, 64), element)
        return pa.numpy.sum(pa.tanh(y))

    return taps


def test_two_wordings_of_a_filter_are_one_program() -> None:
    rng = np.random.default_rng(3)
    x, w = rng.normal(size=(2, 5, 66)).astype("float32"), rng.normal(size=(5, 3)).astype("float32")
    work, room, values = [], [], []
    for by_shifts in (False, True):
        given = pa.placeholder(x.shape, "x", x.dtype), pa.placeholder(w.shape, "w", w.dtype)
        total = filtered(by_shifts)(*given)
        kernel = pa.compile([total, *pa.grad(total, given)])
        work.append(sum(kernel.instances().values()))
        room.append(kernel.code.memory.workspace_bytes({}, 1))
        values.append(kernel(x=x, w=w))
    assert work[0] <= 1.1 * work[1] and room[0] <= room[1]
    for one, other in zip(*values, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_distances_of_all_pairs_are_not_kept_by_coordinates() -> None:
    n, d = 200, 6
    x, y = (pa.placeholder((n, d), name, "float32") for name in "xy")
    apart = x[:, None, :] - y[None, :, :]
    total = pa.numpy.sum(pa.exp(-0.5 * pa.numpy.sum(apart * apart, axis=-1)))
    kernel = pa.compile([total, *pa.grad(total, [x, y])])
    assert kernel.code.memory.workspace_bytes({}, 1) < 4 * n * n * 2
    assert "y_columns" in kernel.program.arrays, "vectors run along y, which has its coordinates one after the other"
