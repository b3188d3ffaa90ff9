"""Contractions that the macro-kernel is to have, and what their dimensions do."""

from collections.abc import Set
from dataclasses import replace

import pytest

from polyad.analysis.contraction import contraction_of
from polyad.ir.affine import Affine
from polyad.ops.program_text import parse_program
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.state.contraction import ContractionLoops, contraction_loops
from polyad.schedule.state.problem import row_relation
from polyad.transforms.passes.initialise import initialise
from tests.programs import program
from tests.schedule.samples import MATMUL_DOT
from tests.schedule.test_scheduler import loops_around


def text(arrays: str, domain: str, equation: str, dtype: str = "float64") -> str:
    """A program of one statement S; `arrays` as "a[M, K] b[K, N] -> c[M, N]", `domain` as "i, j, k : condition"."""
    inputs, output = arrays.split(" -> ")
    lines = [f"  input     {a.replace('[', f': {dtype}[', 1)}" for a in inputs.replace("] ", "]\n").split("\n")]
    lines.append(f"  output    {output.replace('[', f': {dtype}[', 1)}")
    dims, condition = domain.split(" : ")
    sizes = "[M, N, K, P]"
    return (
        f"program p: {sizes} -> {{ : M >= 1 and N >= 1 and K >= 1 and P >= 1 }}\n"
        + "\n".join(lines)
        + f"\n  S: {sizes} -> {{ S[{dims}] : {condition} }}\n      {equation}\n"
    )


def recognised(source: str, left: str = "", computed: Set[str] | None = None) -> ContractionLoops | None:
    """Return the statement S as a contraction.

    Args:
        source: a program.
        left: the dimensions that still need loops, all by default.
        computed: what recurrences around compute.
    """
    parsed = parse_program(source)
    statement = parsed.statement("S")
    needed = tuple(left.split()) or statement.dims
    around = row_relation(statement, [Affine.of(d) for d in statement.dims if d not in needed])
    domain = statement.domain.intersect_params(parsed.context)
    return contraction_loops(contraction_of(statement), domain, needed, around, computed)


def shape(batch: str = "", peeled: str = "", rows: str = "", columns: str = "", sums: str = "") -> ContractionLoops:
    return ContractionLoops(*(tuple(dims.split()) for dims in (batch, peeled, rows, columns, sums)))


MNK = "0 <= i < M and 0 <= j < N and 0 <= k < K"
IJK = f"i, j, k : {MNK}"
RECOGNISED = {
    "product": (
        text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += a[i, k] * b[k, j]"),
        shape(rows="i", columns="j", sums="k"),
    ),
    "transposed": (
        text("a[K, M] b[N, K] -> c[N, M]", IJK, "c[j, i] += a[k, i] * b[j, k]"),
        shape(rows="i", columns="j", sums="k"),
    ),
    "rows are what the first operand uses": (
        text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += b[k, j] * a[i, k]"),
        shape(rows="j", columns="i", sums="k"),
    ),
    "batch": (
        text(
            "a[P, M, K] b[P, K, N] -> c[P, M, N]",
            f"p, i, j, k : 0 <= p < P and {MNK}",
            "c[p, i, j] += a[p, i, k] * b[p, k, j]",
        ),
        shape(batch="p", rows="i", columns="j", sums="k"),
    ),
    "several loops in each group": (
        text(
            "a[P, M, K, 3] b[N, 5, K, 3] -> c[P, M, N, 5]",
            f"p, i, j, q, k, r : 0 <= p < P and {MNK} and 0 <= q < 5 and 0 <= r < 3",
            "c[p, i, j, q] += a[p, i, k, r] * b[j, q, k, r]",
        ),
        shape(rows="p i", columns="j q", sums="k r"),
    ),
    "rows against rows": (
        text("a[M, K] -> c[M, M]", "i, j, k : 0 <= i, j < M and 0 <= k < K", "c[i, j] += a[i, k] * a[j, k]"),
        shape(rows="i", columns="j", sums="k"),
    ),
    "sum over outer products": (
        text("a[K, M] b[K, N] -> c[M, N]", IJK, "c[i, j] += a[k, i] * b[k, j]"),
        shape(rows="i", columns="j", sums="k"),
    ),
    "a sum over what one operand leaves out": (
        text("a[M, K] b[K, P, N] -> c[M, N]", f"i, j, k, p : {MNK} and 0 <= p < P", "c[i, j] += a[i, k] * b[k, p, j]"),
        shape(rows="i", columns="j", sums="k p"),
    ),
    "convolution with a stride of 2": (
        text(
            "w[M, K, 3] x[K, 2*N + 1] -> y[M, N]",
            f"i, j, k, r : {MNK} and 0 <= r < 3",
            "y[i, j] += w[i, k, r] * x[k, 2*j + r]",
        ),
        shape(rows="i", columns="j", sums="k r"),
    ),
    "convolution with a dilation of 2": (
        text(
            "w[M, K, 3] x[K, N + 4] -> y[M, N]",
            f"i, j, k, r : {MNK} and 0 <= r < 3",
            "y[i, j] += w[i, k, r] * x[k, j + 2*r]",
        ),
        shape(rows="i", columns="j", sums="k r"),
    ),
    "convolution with a border: each place of the window has a box of its own": (
        text(
            "w[M, K, 3] x[K, N] -> y[M, N]",
            f"i, j, k, r : {MNK} and 0 <= r < 3 and 0 <= j + r - 1 < N",
            "y[i, j] += w[i, k, r] * x[k, j + r - 1]",
        ),
        shape(peeled="r", rows="i", columns="j", sums="k"),
    ),
    "two dimensions with a border": (
        text(
            "w[M, K, 3, 3] x[K, N, P] -> y[M, N, P]",
            f"i, j, p, k, r, s : {MNK} and 0 <= p < P and 0 <= r, s < 3 and 0 <= j + r - 1 < N and 0 <= p + s - 1 < P",
            "y[i, j, p] += w[i, k, r, s] * x[k, j + r - 1, p + s - 1]",
        ),
        shape(peeled="r s", rows="i", columns="j p", sums="k"),
    ),
    "a triangle of the batch": (
        text(
            "a[P, M, K] b[P, K, N] -> c[P, M, N]",
            "p, i, j, k : 0 <= p < P and 0 <= i < M and 0 <= j < N and 0 <= k < K and k <= p",
            "c[p, i, j] += a[p, i, k] * b[p, k, j]",
        ),
        shape(batch="p", rows="i", columns="j", sums="k"),
    ),
    "every second row": (
        text("a[M, K] b[K, N] -> c[M, N]", f"i, j, k : {MNK} and i mod 2 = 1", "c[i, j] += a[i, k] * b[k, j]"),
        shape(rows="i", columns="j", sums="k"),
    ),
    "just enough to do": (
        text(
            "a[16, 8] b[8, 16] -> c[16, 16]", "i, j, k : 0 <= i, j < 16 and 0 <= k < 8", "c[i, j] += a[i, k] * b[k, j]"
        ),
        shape(rows="i", columns="j", sums="k"),
    ),
}

REFUSED = {
    "outer product": text("a[M] b[N] -> c[M, N]", "i, j : 0 <= i < M and 0 <= j < N", "c[i, j] += a[i] * b[j]"),
    "outer product of sums": text(
        "a[M, K] b[P, N] -> c[M, N]", f"i, j, k, p : {MNK} and 0 <= p < P", "c[i, j] += a[i, k] * b[p, j]"
    ),
    "matrix times vector": text("a[M, K] x[K] -> y[M]", "i, k : 0 <= i < M and 0 <= k < K", "y[i] += a[i, k] * x[k]"),
    "inner product": text("a[K] b[K] -> c[]", "k : 0 <= k < K", "c[] += a[k] * b[k]"),
    "triangle of the sum": text(
        "a[M, M] b[M, N] -> c[M, N]", f"i, j, k : {MNK} and k <= i", "c[i, j] += a[i, k] * b[k, j]"
    ),
    "triangle of the result": text(
        "a[M, K] b[K, N] -> c[M, N]", f"i, j, k : {MNK} and j <= i", "c[i, j] += a[i, k] * b[k, j]"
    ),
    "a product is in many elements": text(
        "a[M, K] b[K, N] -> c[M, N, P]", f"i, j, k, p : {MNK} and 0 <= p < P", "c[i, j, p] += a[i, k] * b[k, j]"
    ),
    "an element has several rows and columns": text(
        "a[M, K] b[K, N] -> c[M + N]", IJK, "c[i + j] += a[i, k] * b[k, j]"
    ),
    "rows meet in an element": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i // 2, j] += a[i, k] * b[k, j]"),
    "three factors": text("a[M, K] b[K, N] d[K] -> c[M, N]", IJK, "c[i, j] += a[i, k] * b[k, j] * d[k]"),
    "one factor": text("a[M, K, N] -> c[M, N]", IJK, "c[i, j] += a[i, k, j]"),
    "sum of products": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += a[i, k] * b[k, j] + a[i, k]"),
    "function of a product": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += tanh(a[i, k] * b[k, j])"),
    "product of products": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] *= a[i, k] * b[k, j]"),
    "maximum of products": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] max= a[i, k] * b[k, j]"),
    "integers": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += a[i, k] * b[k, j]", "int64"),
    "converted operands": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += a[i, k] * b[k, j]", "float32")
    .replace("output    c: float32", "output    c: float64")
    .replace("a[i, k] * b[k, j]", "cast_float64(a[i, k]) * cast_float64(b[k, j])"),
    "rows picked by data": text("a[M, K] b[K, N] -> c[M, N]", IJK, "c[i, j] += a[ids[i], index(k)] * b[k, j]").replace(
        "  output", "  input     ids: int64[M]\n  output"
    ),
    "too little to do": text(
        "a[15, 8] b[8, 16] -> c[15, 16]",
        "i, j, k : 0 <= i < 15 and 0 <= j < 16 and 0 <= k < 8",
        "c[i, j] += a[i, k] * b[k, j]",
    ),
}


@pytest.mark.parametrize("name", RECOGNISED)
def test_recognised(name: str) -> None:
    source, expected = RECOGNISED[name]
    assert recognised(source) == expected


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    assert recognised(REFUSED[name]) is None


MATVEC = text(
    "a[M, K] x[N, K] -> y[N, M]", "t, i, k : 0 <= t < N and 0 <= i < M and 0 <= k < K", "y[t, i] += a[i, k] * x[t, k]"
)


def test_a_matrix_times_a_vector_pays_where_the_matrix_is_used_again() -> None:
    """In a sequential loop t that leaves the matrix as it is; not once, and not where the matrix changes with t."""
    assert recognised(MATVEC, left="i k") is None
    assert recognised(MATVEC, left="i k", computed={"y"}) == shape(rows="i", sums="k")
    assert recognised(MATVEC, left="i k", computed={"y", "a"}) is None
    triangle = MATVEC.replace("0 <= k < K", "0 <= k < K and k <= t")
    assert recognised(triangle, left="i k", computed={"y"}) is None, "another part of it in each step"
    changes = MATVEC.replace("a: float64[M, K]", "a: float64[N, M, K]").replace("a[i, k]", "a[t, i, k]")
    assert recognised(changes, left="i k", computed={"y"}) is None
    # A vector times a matrix, and an inner product.
    assert recognised(MATVEC.replace("a[i, k] * x[t, k]", "x[t, k] * a[i, k]"), "i k", {"y"}) == shape(
        columns="i", sums="k"
    )
    inner = MATVEC.replace("y: float64[N, M]", "y: float64[N]").replace("y[t, i]", "y[t]").replace("i, k] :", "k] :")
    inner = inner.replace("0 <= i < M and ", "").replace("a[i, k]", "a[0, k]")
    assert recognised(inner, left="k", computed={"y"}) is None


def test_dimensions_that_have_loops_are_no_part_of_it() -> None:
    source = RECOGNISED["several loops in each group"][0]
    assert recognised(source, left="i j q k r") == shape(rows="i", columns="j q", sums="k r")
    # A triangle is a box inside of the loop that cuts it.
    assert recognised(REFUSED["triangle of the sum"], left="j k") is None, "a row times a matrix, once"
    batch = RECOGNISED["a triangle of the batch"][0]
    assert recognised(batch, left="i j k") == shape(rows="i", columns="j", sums="k")


def test_the_schedule_marks_one_band_and_leaves_peeled_loops_outside() -> None:
    identity = (
        "  y_init: [M, N, K, P] -> { y_init[i, j, p] : 0 <= i < M and 0 <= j < N and 0 <= p < P }\n"
        "      y[i, j, p] = 0.0\n"
    )
    source = RECOGNISED["two dimensions with a border"][0].replace("  S:", f"{identity}  S:")
    drawn = default_schedule(program(source)).tree()
    assert loops_around(drawn, "S") == ["for r", "for s", "contraction for i", "for j", "for p", "for k"]
    assert loops_around(default_schedule(program(MATMUL_DOT)).tree(), "C_upd") == [
        "contraction for i",
        "for j",
        "for k",
    ]


STAIRS = text(
    "a[M, M] b[M, N] -> c[M, N]",
    "i, j, k : 0 <= i < M and 0 <= j < N and 0 <= k < M and k <= 64 * floor(i / 64) + 63",
    "c[i, j] += a[i, k] * b[k, j]",
)


def test_stairs_are_a_box_in_each_block() -> None:
    assert recognised(STAIRS) == replace(shape(rows="i", columns="j", sums="k"), blocked="i")
    assert recognised(STAIRS.replace("63", "62")) == replace(shape(rows="i", columns="j", sums="k"), blocked="i")
    assert recognised(STAIRS.replace("/ 64", "/ 63")) is None, "blocks of another size"
    assert recognised(STAIRS.replace("64 * floor(i / 64) + 63", "i")) is None, "a triangle"


def test_stairs_get_a_loop_over_blocks() -> None:
    drawn = default_schedule(initialise(parse_program(STAIRS)))
    assert loops_around(drawn.tree(), "S") == ["for i (tiles of 64)", "contraction for i", "for j", "for k"]
    drawn.check(initialise(parse_program(STAIRS)))
