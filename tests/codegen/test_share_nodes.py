"""Recurrences over a batch in C: one parallel region, one part of the batch a thread, for all steps."""

import ctypes
import re

import numpy as np
import pytest

from polyad.codegen.options import CodegenOptions
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import FLAGS, Library, compile_only, source_of
from tests.codegen.samples import INFERENCE
from tests.codegen.threads import threads
from tests.machines import LOOPS_IN_THREADS
from tests.programs_gradient import LSTM_GRADIENT

ALWAYS = CodegenOptions(machine=LOOPS_IN_THREADS)
# Without limits from below: no steps, no batch, no state at all.
ANY_SIZE = INFERENCE.replace("T >= 1 and B >= 1 and H >= 1", "T >= 0 and B >= 0 and H >= 0")
# The batch is last in memory for one of the arrays: parts of it are columns, and the product has a factor.
ACROSS = """
program across: [T, B, H] -> { : T >= 1 and B >= 1 and H >= 1 }
  input     h0: float32[B, H]
  input     W: float32[H, H]
  temporary z: float32[T, H, B]
  output    h: float32[T + 1, B, H]
  S0: [T, B, H] -> { S0[b, j] : 0 <= b < B and 0 <= j < H }
      h[0, b, j] = h0[b, j]
  z_init: [T, B, H] -> { z_init[t, j, b] : 0 <= t < T and 0 <= b < B and 0 <= j < H }
      z[t, j, b] = h0[b, j]
  Sz: [T, B, H] -> { Sz[t, b, j, k] : 0 <= t < T and 0 <= b < B and 0 <= j < H and 0 <= k < H }
      z[t, j, b] += float32(0.3) * h[t, b, k] * W[j, k]
  Sh: [T, B, H] -> { Sh[t, b, j] : 0 <= t < T and 0 <= b < B and 0 <= j < H }
      h[t + 1, b, j] = tanh(z[t, j, b])
"""
NATIVE = ("-std=c99", "-O3", "-march=native", "-ffp-contract=fast", "-fopenmp")


def readout(batch: int) -> str:
    """Five sums of 36 terms for each row: a block of rows would add them up in another order than a row does."""
    return f"""
program readout: [T] -> {{ : T >= 1 }}
  input     x: float32[T, {batch}]
  input     h0: float32[{batch}, 36]
  input     W: float32[36, 36]
  input     V: float32[5, 36]
  temporary z: float32[T, {batch}, 36]
  temporary h: float32[T + 1, {batch}, 36]
  temporary s: float32[T, {batch}, 5]
  output    y: float32[T, {batch}, 5]
  S0: [T] -> {{ S0[b, j] : 0 <= b < {batch} and 0 <= j < 36 }}
      h[0, b, j] = h0[b, j]
  z_init: [T] -> {{ z_init[t, b, j] : 0 <= t < T and 0 <= b < {batch} and 0 <= j < 36 }}
      z[t, b, j] = x[t, b]
  Sz: [T] -> {{ Sz[t, b, j, k] : 0 <= t < T and 0 <= b < {batch} and 0 <= j < 36 and 0 <= k < 36 }}
      z[t, b, j] += h[t, b, k] * W[j, k]
  Sh: [T] -> {{ Sh[t, b, j] : 0 <= t < T and 0 <= b < {batch} and 0 <= j < 36 }}
      h[t + 1, b, j] = tanh(z[t, b, j])
  s_init: [T] -> {{ s_init[t, b, o] : 0 <= t < T and 0 <= b < {batch} and 0 <= o < 5 }}
      s[t, b, o] = float32(0)
  Ss: [T] -> {{ Ss[t, b, o, k] : 0 <= t < T and 0 <= b < {batch} and 0 <= o < 5 and 0 <= k < 36 }}
      s[t, b, o] += h[t + 1, b, k] * V[o, k]
  Sy: [T] -> {{ Sy[t, b, o] : 0 <= t < T and 0 <= b < {batch} and 0 <= o < 5 }}
      y[t, b, o] = tanh(s[t, b, o])
"""


def inputs_of(source: object, sizes: dict[str, int]) -> dict[str, np.ndarray]:
    random = np.random.default_rng(5)
    return {
        a.name: (0.5 * random.standard_normal(tuple(e.evaluate(sizes) for e in a.shape))).astype(a.dtype)
        for a in source.arguments  # type: ignore[attr-defined]
        if not a.is_output
    }


def region(c: str) -> str:
    """The text of the last parallel region with parts."""
    start = c.rindex("PA_PARALLEL_IF(")
    indent = c.rindex("\n", 0, start) + 1
    spaces = " " * (start - indent)
    return c[start : c.index(f"\n{spaces}}}\n", start)]


def test_one_region_holds_the_whole_scan() -> None:
    c = source_of(INFERENCE, ALWAYS)[1].c
    assert c.count("PA_PARALLEL_IF(") == c.count("pa_share(0, B - 1, &b_first, &b_last);") == 1
    inside = region(c)
    assert "for (int64_t t = 0; t < T; t += 1) {" in inside
    # No loop over all of b, no other threads, no barrier; the contraction is over the part.
    assert "b < B" not in inside and "b_last; b += 1" in inside
    assert len(re.findall(r"PA_PARALLEL|PA_FOR|PA_BARRIER", inside)) == 1
    assert "{1, {b_last - b_first + 1}}, {1, {H}}, {1, {H}}," in inside
    assert "&h[(t % 2 * B + b_first) * H]" in inside


def test_a_gradient_has_a_region_each_way() -> None:
    c = source_of(LSTM_GRADIENT, ALWAYS)[1].c
    assert c.count("PA_PARALLEL_IF(") == c.count("pa_share(") == 2
    assert "for (int64_t t = T - 1; t >= 0; t -= 1) {" in region(c)
    for name in ("Shu", "h_bar_u"):
        assert f"/* {name}: " in c


def test_without_openmp_the_part_is_the_whole() -> None:
    source = source_of(INFERENCE, CodegenOptions(openmp=False))[1]
    assert "PA_PARALLEL" not in source.c and "pa_share" not in source.c
    assert "const int64_t b_first = 0, b_last = B - 1;" in source.c
    sizes = {"T": 3, "B": 4, "H": 5}
    inputs = inputs_of(source, sizes)
    with_threads = Library(source_of(INFERENCE)[1]).run(sizes, inputs)
    np.testing.assert_array_equal(Library(source).run(sizes, inputs)["last"], with_threads["last"])


@pytest.mark.parametrize(
    "sizes", [(0, 3, 4), (3, 0, 4), (3, 2, 0), (0, 0, 0), (1, 1, 1), (4, 3, 2), (2, 5, 20), (2, 70, 9)]
)
@pytest.mark.parametrize("number", [1, 2, 8])
@pytest.mark.quick_cases(2)
def test_any_number_of_threads_for_any_size_of_batch(sizes: tuple[int, int, int], number: int) -> None:
    """No steps, no batch, fewer elements than threads."""
    named = dict(zip("TBH", sizes, strict=True))
    program, source = source_of(ANY_SIZE, ALWAYS)
    library = Library(source)
    inputs = inputs_of(source, named)
    with threads(library.path, number):
        made = library.run(named, inputs)
    np.testing.assert_allclose(made["last"], evaluate(program, inputs, named)["last"], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (INFERENCE, {"T": 5, "B": 37, "H": 50}),
        (ACROSS, {"T": 5, "B": 64, "H": 50}),
        (ACROSS, {"T": 4, "B": 150, "H": 7}),
        (readout(4), {"T": 3}),
        (readout(7), {"T": 2}),
        (LSTM_GRADIENT, {"T": 3, "B": 21, "I": 10, "H": 20}),
    ],
)
@pytest.mark.quick_cases(2)
def test_threads_do_not_change_a_bit(text: str, sizes: dict[str, int]) -> None:
    source = source_of(text, ALWAYS)[1]
    assert "pa_share(" in source.c
    library = Library(source, flags=NATIVE)
    inputs = inputs_of(source, sizes)
    results = []
    for number in (1, 2, 3, 8):
        with threads(library.path, number):
            results.append({n: v.tobytes() for n, v in library.run(sizes, inputs).items()})
    assert all(r == results[0] for r in results)


@pytest.mark.parametrize("batch", [4, 7])
def test_no_block_of_rows_depends_on_the_number_of_threads(batch: int) -> None:
    """Compilers add up a block of rows in another order than a row by itself."""
    c = source_of(readout(batch), ALWAYS)[1].c
    loops = re.findall(r"for \(int64_t (\w+) = (\w+)_first; [^;]*; \1 \+= (\d+)\)", c[c.index("pa_share(") :])
    assert len(loops) > 1 and all(step == "1" for _, name, step in loops if name == "b"), loops
    assert "s_3" in c[c.index("pa_share(") :], "blocks of columns stay"


IN_A_REGION = """
void everyone(const rnn_sizes *sizes, const float *x, const float *U, const float *h0, float *last, int64_t each,
              unsigned char *workspace, size_t bytes, int *status);
void everyone(const rnn_sizes *sizes, const float *x, const float *U, const float *h0, float *last, int64_t each,
              unsigned char *workspace, size_t bytes, int *status)
{
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 4; i += 1)
    status[i] = rnn(sizes, x, U, h0, last + i * each, workspace + (size_t)i * bytes, bytes);
}
"""


@pytest.mark.parametrize("fixed", [False, True])
def test_in_the_region_of_a_caller_each_call_does_all(fixed: bool) -> None:
    """A kernel may be called from several threads at once, those of OpenMP too: small, and of any size."""
    sizes = {"T": 3, "B": 8, "H": 16}
    text = INFERENCE
    if fixed:
        text = re.sub(r"\[T, B, H\] -> ", "", text).replace("T >= 1 and B >= 1 and H >= 1", "")
        for name, value in sizes.items():
            text = re.sub(rf"\b{name}\b", str(value), text)
    source = source_of(text)[1]
    inputs = inputs_of(source, {} if fixed else sizes)
    library = Library(source)
    named = {} if fixed else sizes
    expected = library.run(named, inputs)["last"]
    path = compile_only(source.c + IN_A_REGION, "gcc", FLAGS)
    bytes_needed = library.workspace_bytes(named)
    results = np.full((4, 8, 16), np.nan, np.float32)
    workspace, status = np.zeros(4 * bytes_needed, np.uint8), np.full(4, -77, np.int32)
    members = np.array([*sizes.values()], np.int64)  # of the struct of sizes, which has at least one

    def pointer(array: np.ndarray) -> ctypes.c_void_p:
        return ctypes.c_void_p(array.ctypes.data)

    ctypes.CDLL(str(path)).everyone(
        pointer(members),
        *(pointer(inputs[n]) for n in ("x", "U", "h0")),
        pointer(results),
        ctypes.c_int64(8 * 16),
        pointer(workspace),
        ctypes.c_size_t(bytes_needed),
        pointer(status),
    )
    assert (status == 0).all()
    for result in results:
        np.testing.assert_array_equal(result, expected)
