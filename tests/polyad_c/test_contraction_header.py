"""The macro-kernel by itself: compiled in several ways and compared with NumPy over shapes, layouts and threads."""

import itertools
import platform
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cffi
import numpy as np
import numpy.typing as npt
import pytest

from polyad.codegen.storage.room import room_bytes
from tests.polyad_c.test_runtime_header import OPENMP, run_compiler

Array = npt.NDArray[Any]

X86 = platform.machine().lower() in ("x86_64", "amd64")
MACHINES = {
    "native": ["-march=native"],
    **({"avx2": ["-march=x86-64-v3"], "baseline": ["-march=x86-64"]} if X86 else {}),
    # Without vector types, for compilers that have none; the system's own headers need to know their compiler.
    "plain C": ["-march=native", "-DPLAIN_C"],
}
FLAGS = ["-std=c99", "-O2", "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]

INTERFACE = """
typedef struct { int rank; int64_t extent[4]; } pa_group;
typedef struct { int64_t rows[4], columns[4]; } pa_strides;
typedef struct { pa_group m, n, k; pa_strides a, b, c; } pa_contraction;
"""
FUNCTIONS = """
void contract_{suffix}(const pa_contraction *p, const {real} *a, const {real} *b, {real} *c, {real} scale, int add,
                       unsigned char *space, int64_t copies, size_t each);
void contract_share_{suffix}(const pa_contraction *p, const {real} *a, const {real} *b, {real} *c, {real} scale,
                             int add, unsigned char *space, int64_t copies, size_t each);
void contract_packed_{suffix}(const pa_contraction *p, const {real} *a, const {real} *b, {real} *panels, {real} *c,
                              {real} scale, int add, unsigned char *space, int64_t copies, size_t each);
"""
REALS = {"f32": "float", "f64": "double"}
DECLARATIONS = "".join(FUNCTIONS.format(suffix=s, real=r) for s, r in REALS.items()) + "void set_threads(int number);\n"
DEFINITIONS = """
void contract_{suffix}(const pa_contraction *p, const {real} *a, const {real} *b, {real} *c, {real} scale, int add,
                       unsigned char *space, int64_t copies, size_t each)
{{
    const pa_room room = pa_rooms(space, copies, each);
    pa_contract_{suffix}(p, a, b, c, scale, add, &room);
}}
void contract_share_{suffix}(const pa_contraction *p, const {real} *a, const {real} *b, {real} *c, {real} scale,
                             int add, unsigned char *space, int64_t copies, size_t each)
{{
    const pa_room room = pa_rooms(space, copies, each);
    pa_contract_share_{suffix}(p, a, b, c, scale, add, &room);
}}
void contract_packed_{suffix}(const pa_contraction *p, const {real} *a, const {real} *b, {real} *panels, {real} *c,
                              {real} scale, int add, unsigned char *space, int64_t copies, size_t each)
{{
    const pa_room room = pa_rooms(space, copies, each);
    pa_pack_{suffix}(p, b, panels);
    pa_contract_packed_{suffix}(p, a, panels, c, scale, add, &room);
}}
"""
PROGRAM = (
    """
#if defined(PLAIN_C)
#include "polyad_runtime.h"
#if defined(_OPENMP)
#include <omp.h>
#endif
#undef __GNUC__
#undef __clang__
#endif
#define PA_CONTRACTION_F64
#include "polyad_contraction.h"
/* Another kernel of the same translation unit asks for the other type, and a third one again for both. */
#define PA_CONTRACTION_F32
#include "polyad_contraction.h"
#define PA_CONTRACTION_F64
#include "polyad_contraction.h"
"""
    + DECLARATIONS
    + "".join(DEFINITIONS.format(suffix=s, real=r) for s, r in REALS.items())
    + """
void set_threads(int number)
{
#if defined(_OPENMP)
    omp_set_num_threads(number);
#else
    (void)number;
#endif
}
"""
)
SIZES = (0, 1, 2, 5, 6, 7, 16, 17, 63, 64, 65, 257)
PANEL_EXTRA = 63
UNTOUCHED = 12345.0
GUARD, PATTERN = 64, 0xA5  # bytes behind the room of each thread


@dataclass(frozen=True)
class MacroKernel:
    """The compiled macro-kernel for one element type."""

    library: Any
    ffi: Any
    dtype: np.dtype[Any]

    def __call__(
        self,
        a: Array,
        b: Array,
        c: Array,
        *,
        sums: int = 1,
        scale: float = 1.0,
        add: bool = False,
        packed: bool = False,
        share: bool = False,
        threads: int = 1,
    ) -> None:
        """c[m..., n...] (+)= scale * sum of a[m..., k...] * b[k..., n...], arrays of any strides, `sums` dims of k."""
        rows = a.ndim - sums
        p = self.ffi.new("pa_contraction *")
        for group, extents in ((p.m, a.shape[:rows]), (p.n, b.shape[sums:]), (p.k, a.shape[rows:])):
            group.rank = max(len(extents), 1)
            group.extent[0] = 1
            for i, extent in enumerate(extents):
                group.extent[i] = extent
        for strides, array, cut in ((p.a, a, rows), (p.b, b, sums), (p.c, c, rows)):
            for d, stride in enumerate(array.strides):
                part, i = (strides.rows, d) if d < cut else (strides.columns, d - cut)
                part[i] = stride // array.itemsize
        suffix = "f32" if self.dtype == np.float32 else "f64"
        real = f"{REALS[suffix]} *"
        at = [self.ffi.cast(real, x.ctypes.data) for x in (a, b, c)]
        self.library.set_threads(threads)
        # Each thread has its part of the room, with a guard behind it: what generated code reserves must be enough.
        m, k = (int(np.prod(e)) for e in (a.shape[:rows], a.shape[rows:]))
        direct = sums < 2 and all(s == a.itemsize for s in a.strides[rows:])
        each = room_bytes(m, k, a.itemsize, packed=packed, direct=direct)
        stride = each + GUARD
        memory = np.full(threads * stride + GUARD, PATTERN, np.uint8)
        start = -memory.ctypes.data % GUARD
        parts = memory[start : start + threads * stride].reshape(threads, stride)
        room = (self.ffi.cast("unsigned char *", parts.ctypes.data), threads, stride)
        call = f"contract_packed_{suffix}" if packed else f"contract_share_{suffix}" if share else f"contract_{suffix}"
        if not packed:
            getattr(self.library, call)(p, *at, scale, add, *room)
            assert (parts[:, each:] == PATTERN).all(), "written behind the room"
            return
        depth, columns = int(np.prod(b.shape[:sums])), int(np.prod(b.shape[sums:]))
        panels = np.full(depth * (columns + PANEL_EXTRA) + 1, UNTOUCHED, self.dtype)
        place = self.ffi.cast(real, panels.ctypes.data)
        getattr(self.library, call)(p, at[0], at[1], place, at[2], scale, add, *room)
        assert (parts[:, each:] == PATTERN).all(), "written behind the room"
        assert panels[-1] == UNTOUCHED, "written behind the panels"


# Older machines take the same text through other widths of vectors; people at their desks wait for the two ends.
ENDS = ("native", "plain C")
OFTEN = [name if name in ENDS else pytest.param(name, marks=pytest.mark.slow) for name in MACHINES]


@pytest.fixture(scope="module", params=OFTEN)
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """The header compiled for one machine, with threads, without a warning."""
    folder = tmp_path_factory.mktemp("contraction")
    source, made = folder / "contraction.c", folder / "contraction.so"
    source.write_text(PROGRAM)
    flags = [*FLAGS, *WARNINGS, *MACHINES[request.param], "-fopenmp", "-o", str(made)]
    done = run_compiler(next((c for c in ("gcc", "clang") if shutil.which(c)), "cc"), flags, source, "-lm")
    assert done.returncode == 0, done.stderr
    ffi = cffi.FFI()
    ffi.cdef(INTERFACE + DECLARATIONS)
    return ffi, ffi.dlopen(str(made))


@pytest.fixture(params=["float32", "float64"])
def kernel(request: pytest.FixtureRequest, library: tuple[Any, Any]) -> MacroKernel:
    return MacroKernel(library[1], library[0], np.dtype(request.param))


def values(kernel: MacroKernel, *shape: int, seed: int = 0) -> Array:
    return np.random.default_rng([seed, *shape]).standard_normal(shape).astype(kernel.dtype)


def exactly(a: Array, b: Array, sums: int = 1) -> tuple[Array, Array]:
    """The sums of products in double, and those of their sizes."""
    wide = a.astype(np.float64), b.astype(np.float64)
    return np.tensordot(*wide, axes=sums), np.tensordot(np.abs(wide[0]), np.abs(wide[1]), axes=sums)


def check(kernel: MacroKernel, a: Array, b: Array, c: Array, sums: int = 1, exact: Any = None, **how: Any) -> None:
    """Run, and compare with NumPy within the rounding of sums of products; `exact` where these are known already."""
    before = c.astype(np.float64)
    scale, add = how.get("scale", 1.0), how.get("add", False)
    scale = float(kernel.dtype.type(scale))
    found, sizes = exact or exactly(a, b, sums)
    kernel(a, b, c, sums=sums, **how)
    depth = int(np.prod(a.shape[a.ndim - sums :]))
    start = before if add else np.zeros(c.shape)
    expected = start + scale * found
    size = np.abs(start) + abs(scale) * sizes
    bound = (depth + 4) * float(np.finfo(kernel.dtype).eps) * size
    assert (np.abs(c - expected) <= bound).all(), (a.shape, b.shape, how)


@pytest.mark.parametrize("k", [k for k in SIZES if k])
def test_products_of_all_shapes(kernel: MacroKernel, k: int) -> None:
    """Whole tiles and all edges; what stands around c stays as it is."""
    for m, n in itertools.product(SIZES, SIZES):
        a, b = values(kernel, m, k), values(kernel, k, n, seed=1)
        around = np.full((m + 1, n + 3), UNTOUCHED, kernel.dtype)
        add, packed = bool((m + n) % 2), bool((m + k) % 2)
        c = around[:m, :n]
        c[...] = values(kernel, m, n, seed=2)
        check(kernel, a, b, c, add=add, packed=packed)
        assert (around[m:] == UNTOUCHED).all() and (around[:, n:] == UNTOUCHED).all()


def test_an_empty_sum_adds_nothing(kernel: MacroKernel) -> None:
    """A contraction that overwrites is asked for only where the sum has terms (codegen/storage/overwriting.py)."""
    for m, n in itertools.product(SIZES, SIZES):
        c = values(kernel, m, n)
        before = c.copy()
        kernel(values(kernel, m, 0), values(kernel, 0, n), c, add=True)
        kernel(values(kernel, m, 0), values(kernel, 0, n), c, add=True, packed=True)
        assert (c == before).all()


@pytest.mark.parametrize(("m", "n", "k"), [(7, 65, 5), (64, 64, 64), (257, 33, 300), (1, 1, 513), (100, 300, 600)])
def test_scale_and_add(kernel: MacroKernel, m: int, n: int, k: int) -> None:
    a, b = values(kernel, m, k), values(kernel, k, n, seed=1)
    exact = exactly(a, b)
    for scale, add, packed in itertools.product((1.0, -1.0, 0.3), (False, True), (False, True)):
        check(kernel, a, b, values(kernel, m, n, seed=2), exact=exact, scale=scale, add=add, packed=packed)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("a_way", ["rows", "columns", "every second", "reversed"])
@pytest.mark.parametrize("b_way", ["rows", "columns", "every second", "reversed"])
def test_layouts(kernel: MacroKernel, a_way: str, b_way: str, packed: bool) -> None:
    """Transposed operands, distances of two, negative ones; c by rows, by columns, and spread out."""

    def laid_out(way: str, x: Array) -> Array:
        if way == "columns":
            return np.ascontiguousarray(x.T).T
        if way == "every second":
            return np.repeat(np.repeat(x, 2, axis=0), 2, axis=1)[::2, ::2]
        return np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1] if way == "reversed" else x

    for m, n, k in ((5, 17, 7), (64, 65, 63), (130, 70, 300)):
        a, b = laid_out(a_way, values(kernel, m, k)), laid_out(b_way, values(kernel, k, n, seed=1))
        exact = exactly(a, b)
        for c_way in ("rows", "columns", "every second", "reversed"):
            c = laid_out(c_way, values(kernel, m, n, seed=2))
            check(kernel, a, b, c, exact=exact, add=True, packed=packed)


@pytest.mark.parametrize("packed", [False, True])
def test_groups_of_several_loops(kernel: MacroKernel, packed: bool) -> None:
    """m, n and k of up to four loops each, in any order in memory."""
    m, n, k = (3, 5, 2), (2, 3, 4, 3), (2, 7, 3)
    a = np.moveaxis(values(kernel, *k, *m), (0, 1, 2), (3, 4, 5))
    b = np.moveaxis(values(kernel, *n, *k, seed=1), (4, 5, 6), (0, 1, 2))
    c = np.moveaxis(values(kernel, n[3], *m, *n[:3], seed=2), 0, -1)
    check(kernel, a, b, c, sums=3, add=True, packed=packed)
    # A convolution: windows of x overlap, which is a matter of strides.
    x, w = values(kernel, 3, 20, 21), values(kernel, 5, 3, 3, 4, seed=1)
    step = x.itemsize
    shape, strides = (3, 3, 4, 9, 6), (x.strides[0], 2 * x.strides[1], step, 2 * x.strides[1], 3 * step)
    windows = np.lib.stride_tricks.as_strided(x, shape, (strides[0], x.strides[1], step, strides[3], strides[4]))
    check(kernel, w, windows, np.zeros((5, 9, 6), kernel.dtype), sums=3, packed=packed)


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("step", [1, 2])
def test_convolutions_and_their_gradients(kernel: MacroKernel, step: int, packed: bool) -> None:
    """Images whose rows are longer and shorter than vectors: stretches of memory along n, along k, and in a."""
    for width in (3, 9, 16, 37):
        x, w = values(kernel, 3, width + 2, width + 2), values(kernel, 7, 3, 3, 3, seed=1)
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(1, 2))[:, ::step, ::step]  # c i j k l
        windows = windows.transpose(0, 3, 4, 1, 2)
        y = values(kernel, 7, *windows.shape[3:], seed=2)
        check(kernel, w, windows, np.zeros_like(y), sums=3, packed=packed)
        check(kernel, y, windows.transpose(3, 4, 0, 1, 2), np.zeros_like(w), sums=2, packed=packed)
        turned = windows.transpose(0, 1, 2, 3, 4), y.transpose(1, 2, 0)
        check(kernel, *turned, np.zeros((3, 3, 3, 7), kernel.dtype), sums=2, packed=packed)


@pytest.mark.parametrize("packed", [False, True])
def test_elements_between_which_others_lie(kernel: MacroKernel, packed: bool) -> None:
    """Sixteen places along k, the first and the last as far apart as if they stood in a row."""
    x, step = values(kernel, 9, 30), np.dtype(kernel.dtype).itemsize
    places = np.lib.stride_tricks.as_strided(x, (4, 4, 9), (3 * step, 2 * step, x.strides[0]))
    check(kernel, values(kernel, 20, 4, 4), places, np.zeros((20, 9), kernel.dtype), sums=2, packed=packed)
    a = places.transpose(2, 0, 1)
    check(kernel, a, values(kernel, 4, 4, 20), np.zeros((9, 20), kernel.dtype), sums=2, packed=packed)


def test_a_group_may_be_empty_of_loops(kernel: MacroKernel) -> None:
    """Matrix times vector, vector times matrix, and the inner product."""
    matrix, vector = values(kernel, 65, 70), values(kernel, 70, seed=1)
    for packed in (False, True):
        check(kernel, matrix, vector, np.zeros(65, kernel.dtype), packed=packed)
        check(kernel, vector, np.ascontiguousarray(matrix.T), np.zeros(65, kernel.dtype), packed=packed)
        check(kernel, vector, vector, np.zeros((), kernel.dtype), packed=packed)


def test_an_operand_may_leave_out_loops_of_the_sum(kernel: MacroKernel) -> None:
    """Strides of 0: sum over k and l of a[m, k] * b[k, l, n]."""
    a = np.broadcast_to(values(kernel, 9, 10, 1), (9, 10, 6))
    check(kernel, a, values(kernel, 10, 6, 33, seed=1), np.zeros((9, 33), kernel.dtype), sums=2)


def test_infinities_and_nans_go_where_they_belong(kernel: MacroKernel) -> None:
    """Panels are filled up with zeros, and 0 * inf is nan: none of it may reach c."""
    for m, n, k in ((7, 17, 5), (13, 65, 300)):
        a, b = values(kernel, m, k), values(kernel, k, n, seed=1)
        a[2, 3], b[1, n - 1] = np.inf, np.nan
        c = np.zeros((m, n), kernel.dtype)
        kernel(a, b, c)
        finite = np.isfinite(c)
        expected = np.ones((m, n), bool)
        expected[2, :] = expected[:, n - 1] = False
        assert (finite == expected).all()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("scale", [1.0, -1.0, 0.3])
@pytest.mark.parametrize(("m", "n", "k"), [(257, 130, 300), (64, 515, 65), (1000, 33, 40), (7, 3000, 50)])
def test_threads_do_not_change_a_bit(kernel: MacroKernel, m: int, n: int, k: int, scale: float, packed: bool) -> None:
    a, b, start = values(kernel, m, k), values(kernel, k, n, seed=1), values(kernel, m, n, seed=2)
    results = []
    for threads in (1, 2, 3):
        c = start.copy()
        kernel(a, b, c, scale=scale, add=True, packed=packed, threads=threads)
        results.append(c.tobytes())
    assert len(set(results)) == 1


@pytest.mark.parametrize("scale", [1.0, -1.0, 0.3])
def test_an_element_does_not_depend_on_what_is_computed_with_it(kernel: MacroKernel, scale: float) -> None:
    """Parts of a batch give the bits of the whole: whichever tile an element falls into, it is the same sum."""
    a, b, start = values(kernel, 50, 70), values(kernel, 70, 150, seed=1), values(kernel, 50, 150, seed=2)
    whole = start.copy()
    kernel(a, b, whole, scale=scale, add=True)
    for rows, columns in ((7, 21), (6, 64), (25, 75)):
        parts = start.copy()
        for i, j in itertools.product(range(0, 50, rows), range(0, 150, columns)):
            part = parts[i : i + rows, j : j + columns]
            kernel(a[i : i + rows], b[:, j : j + columns], part, scale=scale, add=True)
        assert parts.tobytes() == whole.tobytes(), (rows, columns)
    for i, j in itertools.product(range(50), range(0, 150, 11)):  # alone: all rows, and columns in all places of tiles
        element = start[i : i + 1, j : j + 1].copy()
        kernel(a[i : i + 1], b[:, j : j + 1], element, scale=scale, add=True)
        assert element.tobytes() == whole[i, j].tobytes(), (i, j)


COMPILERS = [("gcc", "c99"), ("clang", "c99"), ("g++", "c++11"), ("clang++", "c++11")]


def complaints(name: str, standard: str, machine: str, openmp: str, how: list[str], folder: Path) -> str:
    """Return the complaints of a compiler about the text, with all warnings on."""
    source = folder / "contraction.c"
    source.write_text(PROGRAM)
    language = ["-x", "c++"] if "++" in name else []
    flags = [f"-std={standard}", *WARNINGS, *MACHINES[machine], *OPENMP[openmp], *how, *language]
    return run_compiler(name, flags, source).stderr


@pytest.mark.parametrize("openmp", OPENMP)
@pytest.mark.parametrize("machine", [m for m in MACHINES if m in ENDS])
@pytest.mark.parametrize(("name", "standard"), COMPILERS)
def test_compilers_have_nothing_to_say(name: str, standard: str, machine: str, openmp: str, tmp_path: Path) -> None:
    assert not complaints(name, standard, machine, openmp, ["-fsyntax-only"], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("openmp", OPENMP)
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(("name", "standard"), COMPILERS)
def test_optimisers_have_nothing_to_say(name: str, standard: str, machine: str, openmp: str, tmp_path: Path) -> None:
    """Some warnings need to know where values come from; those of the syntax come, too."""
    how = ["-O1", "-c", "-o", str(tmp_path / "o")]
    assert not complaints(name, standard, machine, openmp, how, tmp_path)
