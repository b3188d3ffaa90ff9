"""Contractions in tiles: all shapes of tiles at odd extents, operands in any order of memory, sums of any length."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
import polyad_c
from polyad.codegen.cuda import tiles
from polyad.codegen.launch_shape import Geometry, LaunchShape
from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.machine.device import DEVICE, TileShape
from polyad.transforms.passes.sums import product_sums
from polyad.transforms.rewrite.sums import product_extents
from tests.cuda.device import agrees, in_order, kernel_of, same_values, target
from tests.cuda.test_programs import arrays

pnp = pa.numpy

SHAPES = [(dtype, shape) for dtype, n in (("float32", 4), ("float64", 8)) for shape in DEVICE.tile_shapes[n]]
"""Type of the operands, shape of a tile."""

NAMES = [f"{dtype}-{shape.rows}x{shape.columns}" for dtype, shape in SHAPES]

EXTENTS = [(1, 1, 1), (33, 31, 15), (129, 127, 17), (65, 130, 33), (5, 64, 96), (31, 33, 700)]


@contextmanager
def only(shape: TileShape | None = None) -> Iterator[None]:
    """All contractions are computed by tiles, those of one shape where one is given."""
    shapes = DEVICE.tile_shapes if shape is None else {4: (shape,), 8: (shape,)}
    with pytest.MonkeyPatch.context() as patch:
        for module in (tiles, product_extents, product_sums):
            patch.setattr(module, "DEVICE", replace(DEVICE, tiles=0, tile_least=0, tile_shapes=shapes))
        yield


def of_tiles(kernel: Kernel) -> list[LaunchShape]:
    return [launch for launch in kernel.code.launches if launch.tile is not None]


@pytest.mark.parametrize(("dtype", "shape"), SHAPES, ids=NAMES)
@pytest.mark.quick_cases(1)
def test_any_extents(dtype: str, shape: TileShape) -> None:
    n, m, k = pa.sizes("n m k")
    a, b = pa.placeholder((n, k), "a", dtype), pa.placeholder((k, m), "b", dtype)
    with only(shape):
        kernel = pa.compile([pa.tanh(a @ b) + 1.0], [a, b], name=f"any_{shape.rows}_{shape.columns}", target=target())
        assert kernel.certify()
    (launch,) = of_tiles(kernel)
    assert launch.tile == shape
    for rows, columns, terms in EXTENTS:
        same_values(kernel, *arrays((rows, terms), (terms, columns), dtype=dtype))


@pytest.mark.parametrize(("dtype", "shape"), SHAPES, ids=NAMES)
@pytest.mark.quick_cases(1)
def test_packs_of_sixteen_bytes(dtype: str, shape: TileShape) -> None:
    """Operands in any order of memory, of rows, columns and terms that are no multiples of a tile."""
    rows, columns, terms = shape.rows + 12, shape.columns + 4, 52
    pack = 16 // np.dtype(dtype).itemsize
    a, at, b, bt = arrays((rows, terms), (terms, rows), (terms, columns), (columns, terms), dtype=dtype)
    with only(shape):
        for equation, given, order in (
            ("ik,kj->ij", (a, b), f"TERMS, {pack}, COLUMNS, {pack}"),
            ("ki,kj->ij", (at, b), f"ROWS, {pack}, COLUMNS, {pack}"),
            ("ik,jk->ij", (a, bt), f"TERMS, {pack}, TERMS, {pack}"),
            ("ki,jk->ij", (at, bt), f"ROWS, {pack}, TERMS, {pack}"),
        ):
            kernel = agrees(lambda x, y, e=equation: pnp.einsum(e, x, y), *given)
            assert order in kernel.source and kernel.certify()


@pytest.mark.parametrize("by", [1, 2, 3, 4])
@pytest.mark.quick_cases(1)
def test_packs_lie_at_multiples_of_their_size(by: int) -> None:
    """Whatever an operand begins with, and however long its rows are."""
    a, b = arrays((40, 16 + by), (16 + by, 36 + by), dtype="float32")
    with only():
        kernel = agrees(lambda x, y: x[:, by:] @ y[by:, by:], a, b)
        assert ("TERMS, 4, COLUMNS, 4" in kernel.source) == (by == 4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.quick_cases(1)
def test_batches_groups_and_epilogues(dtype: str) -> None:
    x, w, v, bias = arrays((5, 34, 20), (20, 36), (5, 20, 33), (36,), dtype=dtype)
    image, kernel = arrays((2, 3, 9, 8), (4, 3, 3, 3), dtype=dtype, seed=1)
    with only():
        agrees(lambda x, w, b: pa.sigmoid(pnp.einsum("tbk,kn->tbn", x, w) + b), x, w, bias)
        agrees(lambda x, v: pnp.einsum("bij,bjk->bik", x, v) * 2.0, x, v)
        agrees(lambda x, w: pnp.einsum("tbk,kn->nbt", x, w), x, w)
        agrees(lambda x: pnp.einsum("tbk,tbn->kn", x, x), x)
        agrees(pa.grad(lambda x, w: pnp.sum(pa.tanh(x @ w)), argnums=(0, 1)), x, w)
        found = agrees(lambda x, w: pa.nn.conv2d(x, w, stride=2, dilation=2), image, kernel)
    assert of_tiles(found), "a convolution is a contraction, too"


@pytest.mark.parametrize("blocks", [1, 3])
def test_any_number_of_blocks(blocks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A block computes several tiles, one after the other."""
    a, b = arrays((70, 40), (40, 100), dtype="float32")
    with only(DEVICE.tile_shapes[4][-1]):
        kernel = kernel_of(lambda a, b: a @ b, a, b)
        wanted = np.array(kernel(a, b))
        monkeypatch.setattr(LaunchShape, "geometry", lambda self, *_: Geometry(blocks, self.tile.threads))
        for seed in (0, 1, 2):
            with in_order(seed):
                np.testing.assert_array_equal(kernel(a, b), wanted)


def pairwise(terms: np.ndarray) -> np.ndarray:
    """NumPy's sum along the last dimension, in the type of the terms."""
    return np.add.reduce(np.ascontiguousarray(terms), axis=-1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("kind", ["normal", "positive"])
@pytest.mark.quick_cases(1)
def test_sums_are_off_by_few_roundings(dtype: str, kind: str) -> None:
    """At most twice as far off as pairwise sums of rounded products, in the mean; those of float32 at any length."""
    k = pa.sizes("k")
    a, b = pa.placeholder((8, k), "a", dtype), pa.placeholder((k, 32), "b", dtype)
    with only(DEVICE.tile_shapes[4 if dtype == "float32" else 8][-1]):
        kernel = pa.compile([a @ b], [a, b], name="long", target=target())
    rng = np.random.default_rng(0)
    for terms in (16, 100, 512, 513, 1000, 3000, *([20_000, 100_000] if dtype == "float32" else [])):
        x, y = rng.normal(size=(8, terms)).astype(dtype), rng.normal(size=(terms, 32)).astype(dtype)
        if kind == "positive":
            x, y = np.abs(x), np.abs(y)
        exact = x.astype(np.longdouble) @ y.astype(np.longdouble)
        products = x[:, None, :] * y.T[None, :, :]
        far, near = (np.sqrt(np.mean((np.asarray(r) - exact) ** 2)) for r in (kernel(x, y), pairwise(products)))
        assert far <= 2.0 * near, (terms, float(far / near))


BARRIERS = polyad_c.header("polyad_cuda_tiles.h").count("__syncthreads();")


@pytest.mark.parametrize("gone", range(BARRIERS))
@pytest.mark.quick_cases(1)
def test_without_a_barrier_threads_race(gone: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver names a race, whichever of the barriers is missing."""
    if "CUDA_CPU_HOME" not in os.environ:
        pytest.skip("a device names no races")
    header = polyad_c.header

    def changed(name: str) -> str:
        if name != "polyad_cuda_tiles.h":
            return header(name)
        parts = header(name).split("__syncthreads();")
        return "__syncthreads();".join(parts[: gone + 1]) + "__syncthreads();".join(["", *parts[gone + 1 :]])[16:]

    assert BARRIERS == 4 and header("polyad_cuda_tiles.h").count("__syncthreads();") == 4
    monkeypatch.setattr(polyad_c, "header", changed)
    monkeypatch.setattr(LaunchShape, "geometry", lambda self, *_: Geometry(1, self.tile.threads))
    a, b = arrays((70, 40), (40, 100), dtype="float32")
    with only(DEVICE.tile_shapes[4][0]), pytest.raises(CallError):
        pa.jit(lambda a, b: a @ b, target(extra_flags=(f"-DGONE_{gone}",)))(a, b)


def test_geometry_follows_from_sizes() -> None:
    """Large products have large tiles, small ones as many as keep a device busy."""

    def shape(rows: int, columns: int, terms: int, dtype: str = "float32") -> tuple[int, int]:
        a, b = pa.placeholder((rows, terms), "a", dtype), pa.placeholder((terms, columns), "b", dtype)
        (launch,) = of_tiles(pa.compile([a @ b], [a, b], name="sized", target=target()))
        assert launch.tile is not None
        return launch.tile.rows, launch.tile.columns

    assert shape(4096, 4096, 4096) == (128, 128)
    assert shape(1024, 1024, 1024) == (128, 64)
    assert shape(256, 256, 256) == (32, 32)
    assert shape(2048, 2048, 2048, "float64") == (128, 64)


@pytest.mark.slow
def test_no_registers_are_spilled_in_loops(tmp_path: Any) -> None:
    from polyad.runtime.library import source_files
    from tests.cuda.test_compilers import compiled, spills

    for dtype, shape in SHAPES:
        a, b = pa.placeholder((256, 256), "a", dtype), pa.placeholder((256, 256), "b", dtype)
        with only(shape):
            kernel = pa.compile([pa.tanh(a @ b)], [a, b], name=f"spilled_{shape.rows}_{shape.columns}", target=target())
        # The largest tile has all 255 registers: a few addresses wait in memory, and it is still the fastest.
        most = 48 if shape.rows == shape.columns == 128 else 0
        assert spills(compiled(source_files(kernel.code), tmp_path, "sm_90")) <= most, shape
