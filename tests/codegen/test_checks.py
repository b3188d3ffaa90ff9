"""Kernels refuse wrong arguments, and have then written nothing."""

import numpy as np
import pytest

from tests import programs
from tests.codegen.compiled import Library, source_of
from tests.codegen.samples import INDICES, INFERENCE

NULL, WORKSPACE, SIZE, INDEX = -1, -2, -3, -4


@pytest.fixture(scope="module")
def inference() -> Library:
    return Library(source_of(INFERENCE)[1])


def _arguments(library: Library) -> tuple[dict[str, int], dict[str, np.ndarray]]:
    sizes = {"T": 2, "B": 3, "H": 4}
    arrays = {a.name: np.ones(tuple(e.evaluate(sizes) for e in a.shape), a.dtype) for a in library.source.arguments}
    return sizes, arrays


def _raw(library: Library, **changes: object) -> int:
    """Call with some arguments replaced."""
    sizes, arrays = _arguments(library)
    needed = library.workspace_bytes(sizes)
    buffer = np.zeros(needed + 128, np.uint8)
    start = buffer.ctypes.data + (-buffer.ctypes.data % 64)
    values: dict[str, object] = {
        "sizes": library.sizes(sizes),
        **{n: library.ffi.cast("float *", a.ctypes.data) for n, a in arrays.items()},
        "workspace": library.ffi.cast("void *", start),
        "bytes": needed,
    }
    values |= changes
    if values["workspace"] == "misaligned":
        values["workspace"] = library.ffi.cast("void *", start + 8)
    return int(library.library.rnn(*values.values()))


def test_good_arguments_are_accepted(inference: Library) -> None:
    assert _raw(inference) == 0


@pytest.mark.parametrize("name", ["sizes", "x", "U", "h0", "last"])
def test_null_pointers(inference: Library, name: str) -> None:
    assert _raw(inference, **{name: inference.ffi.NULL}) == NULL


@pytest.mark.parametrize("sizes", [{"T": 0, "B": 3, "H": 4}, {"T": 2, "B": -1, "H": 4}, {"T": 2, "B": 1, "H": 0}])
def test_sizes_outside_of_the_context(inference: Library, sizes: dict[str, int]) -> None:
    assert _raw(inference, sizes=inference.sizes(sizes)) == SIZE


def test_workspace(inference: Library) -> None:
    needed = inference.workspace_bytes({"T": 2, "B": 3, "H": 4})
    assert needed > 0
    assert _raw(inference, bytes=needed - 1) == WORKSPACE
    assert _raw(inference, workspace=inference.ffi.NULL) == NULL
    assert _raw(inference, workspace="misaligned") == 0


def test_no_workspace_needed_means_none_looked_at() -> None:
    library = Library(source_of(programs.MATVEC)[1])
    sizes = library.sizes({"N": 2, "K": 2})
    a, x, y = np.ones((2, 2)), np.ones(2), np.zeros(2)
    pointers = [library.ffi.cast("double *", v.ctypes.data) for v in (a, x, y)]
    assert library.library.mv(sizes, *pointers, library.ffi.NULL, 0) == 0
    np.testing.assert_allclose(y, [2, 2])
    assert library.library.mv_workspace(library.ffi.NULL) == 0


def _indices(**changes: tuple[int, int]) -> tuple[int, dict[str, np.ndarray]]:
    """Call the sample with index arrays changed at one position: name -> (position, value)."""
    library = Library(source_of(INDICES)[1])
    sizes = {"N": 4, "V": 9}
    arrays: dict[str, np.ndarray] = {
        "table": np.ones((9, 2), np.float32),
        "ids": np.array([1, 2, 0, 8], np.int32),
        "order": np.array([3, 1, 2, 0], np.int64),
        "a": np.full((4, 2), -7, np.float32),
        "b": np.full(9, -7, np.float32),
        "c": np.full(4, -7, np.float32),
        "d": np.full((), -7, np.float32),
    }
    for name, (position, value) in changes.items():
        arrays[name][position] = value
    return library.call(sizes, arrays), arrays


def test_indices_in_range_pass() -> None:
    status, arrays = _indices()
    assert status == 0
    assert (arrays["a"] == 1).all()


@pytest.mark.parametrize(
    "change", [{"ids": (0, 9)}, {"ids": (3, -1)}, {"order": (1, 4)}, {"order": (2, -5)}, {"order": (0, 2**40)}]
)
def test_indices_from_inputs_are_checked_first(change: dict[str, tuple[int, int]]) -> None:
    status, arrays = _indices(**change)
    assert status == INDEX
    for name in "abcd":
        assert (arrays[name] == -7).all()


def test_a_computed_index_is_checked_where_it_is_used() -> None:
    """best = min(order[i] + i) is 3 or less for valid `order`; a table of two rows is too small for it."""
    library = Library(source_of(INDICES)[1])
    sizes = {"N": 4, "V": 2}
    arrays: dict[str, np.ndarray] = {
        "table": np.ones((2, 2), np.float32),
        "ids": np.array([1, 0, 0, 1], np.int32),
        "order": np.array([3, 3, 3, 3], np.int64),
        "a": np.zeros((4, 2), np.float32),
        "b": np.zeros(2, np.float32),
        "c": np.zeros(4, np.float32),
        "d": np.full((), -7, np.float32),
    }
    assert library.call(sizes, arrays) == INDEX
    assert arrays["d"] == 0  # nothing was read out of bounds


def test_what_callers_are_told() -> None:
    source = source_of(INDICES)[1]
    told = [(c.array, c.dimension, str(c.extent), c.index, c.before) for c in source.checks]
    assert told == [
        ("ids", 0, "N", "order[i]", True),
        ("table", 0, "V", "ids[order[i]]", True),
        ("b", 0, "V", "ids[i]", True),
        ("table", 0, "V", "best[]", False),
    ]
    assert "/* the index ids[order[i]] of table, dimension 0 */" in source.c


def test_a_clipped_index_needs_no_check() -> None:
    assert not any("minimum" in c.index for c in source_of(INDICES)[1].checks)


def test_one_index_of_two_arrays_as_long_is_checked_once() -> None:
    text = """
program both: [N, V] -> { : N >= 1 and V >= 1 }
  input     x: float64[V]
  input     y: float64[V]
  input     w: float64[N]
  input     ids: int64[N]
  output    z: float64[N]
  S: [N, V] -> { S[i] : 0 <= i < N }
      z[i] = x[ids[i]] * y[ids[i]] + w[ids[i]]
"""
    source = source_of(text)[1]
    assert [(c.array, str(c.extent), c.before) for c in source.checks] == [("w", "N", True), ("y", "V", True)]
    assert source.c.count("return POLYAD_ERROR_INDEX;") == 2
