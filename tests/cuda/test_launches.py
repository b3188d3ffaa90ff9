"""The launches that nests become: structure, and how many blocks and threads run."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.launch_shape import Geometry, LaunchShape
from polyad.codegen.loops.nodes import Launch
from polyad.ir.affine import Affine
from polyad.kernel import Kernel
from polyad.machine.device import DEVICE
from tests.cuda.device import kernel_of, target
from tests.cuda.test_programs import arrays, lstm

pnp = pa.numpy


def kinds(kernel: Kernel) -> list[str]:
    return [launch.over for launch in kernel.code.launches]


def texts(kernel: Kernel) -> list[str]:
    return kernel.source.split("PA_KERNEL")[1:]


def test_a_pointwise_chain_is_one_launch() -> None:
    kernel = kernel_of(lambda x, y: pa.exp(pa.tanh(x) * y) + 1.0, *arrays((5, 7), (5, 7)))
    assert kinds(kernel) == ["threads"]
    assert kernel.code.launches[0].counts == (Affine.of(5), Affine.of(7))


def test_a_recurrence_is_one_launch_of_blocks_whatever_its_length() -> None:
    shapes = (3, 4), (4, 20), (5, 20), (20,), (3, 5), (3, 5)
    found = []
    for T in (5, 50):
        kernel = kernel_of(pa.value_and_grad(lstm, argnums=(0, 1)), *arrays((T, *shapes[0]), *shapes[1:]))
        scans = [text for text in texts(kernel) if re.search(r"for \(int64_t t = ", text) and "tanh_" in text]
        assert len(scans) == 2, "the scan and its adjoint"
        found.append(kinds(kernel))
    assert len(found[0]) == len(found[1]) <= 13
    assert "thread" not in found[0]


def test_each_step_meets_as_often_as_it_must() -> None:
    kernel = kernel_of(lstm, *arrays((5, 3, 4), (4, 20), (5, 20), (20,), (3, 5), (3, 5)))
    (scan,) = (text for text in texts(kernel) if "pa_sigmoid" in text)
    assert scan.count("PA_MEET") == 2, "behind the product and behind the state"


def test_sums_stay_in_one_thread() -> None:
    kernel = kernel_of(lambda a, b: a @ b, *arrays((5, 6), (6, 7)))
    assert kinds(kernel) == ["threads"]
    assert "atomic" not in kernel.source
    assert re.search(r"double \w+ = 0\.0;\s+PA_UNROLL\s+for", kernel.source)


def test_a_recurrence_of_numbers_runs_in_one_thread() -> None:
    kernel = kernel_of(lambda x: pa.scan(lambda s, v: (pa.sin(s) + v, s), 0.0, x)[1], *arrays((9,)))
    assert "thread" in kinds(kernel)


def test_rows_are_summed_by_blocks_and_columns_by_threads() -> None:
    """Neighbours in a warp read neighbours in memory, whichever loop is the sum."""
    (given,) = arrays((5000, 40))
    assert kinds(kernel_of(lambda x: x.sum(axis=1), given)) == ["blocks"]
    assert kinds(kernel_of(lambda x: x.sum(axis=0), *arrays((40, 5000)))) == ["threads"]
    assert kinds(kernel_of(lambda x: x.sum(axis=1), *arrays((5000, 8)))) == ["threads"], "shorter than a warp"
    kernel = kernel_of(lambda x: pa.nn.softmax(x, axis=1), given)
    assert kinds(kernel) == ["blocks"] and kernel.source.count("pa_block_") == 2


def test_a_product_has_a_thread_for_each_element() -> None:
    kernel = kernel_of(lambda a, b: a @ b.T, *arrays((10, 50), (60, 50)))
    assert kinds(kernel) == ["threads", "threads"] and "b_columns" in kernel.source, "read side by side"
    assert kinds(kernel_of(lambda a, b: a @ b, *arrays((10, 50), (50, 60)))) == ["threads"]
    assert kinds(kernel_of(lambda a, x: a @ x, *arrays((5000, 50), (50,)))) == ["blocks"]


def test_a_long_running_maximum_has_many_parts() -> None:
    n = 10_000
    x = pa.placeholder((n,), "x", "float64")
    running = pa.recurrence((n,), lambda m, i: pa.select(i == 0, x[i], pa.maximum(m[i - 1], x[i])), "m", "float64")
    kernel = pa.compile([running], [x], target=target())
    assert kinds(kernel).count("threads") >= 2, "parts, and what is put together of them"
    assert max(launch.geometry({}).blocks for launch in kernel.code.launches) >= n // DEVICE.threads


def test_large_products_are_computed_by_tiles() -> None:
    kernel = kernel_of(lambda a, b: a @ b, *arrays((130, 17), (17, 70)))
    (launch,) = kernel.code.launches
    assert (launch.over, launch.tiles, launch.geometry({})) == ("tiles", ("rows", "columns"), Geometry(5 * 3, 64))
    assert kinds(kernel_of(lambda a, b: a @ b, *arrays((130, 8), (8, 70)))) == ["threads"], "few terms"
    n, m = pa.sizes("n m")
    x, y = pa.placeholder((n, m), "x", "float32"), pa.placeholder((m, n), "y", "float32")
    launch = pa.compile([x @ y], [x, y], target=target()).code.launches[0]
    assert launch.over == "tiles", "sizes that nobody knows are large"
    assert launch.geometry({"n": 65, "m": 3}) == Geometry(4, 128) and not launch.geometry({"n": 0, "m": 3}).blocks


@pytest.mark.parametrize(
    ("over", "counts", "shared", "sizes", "geometry"),
    [
        ("threads", "n", [], {"n": 0}, (0, 128)),
        ("threads", "n", [], {"n": 1}, (1, 128)),
        ("threads", "n", [], {"n": 129}, (2, 128)),
        ("threads", "n", [], {"n": 1 << 40}, (DEVICE.most_blocks, 128)),
        ("blocks", "n", ["m"], {"n": 3, "m": 0}, (3, 32)),
        ("blocks", "n", ["m"], {"n": 3, "m": 33}, (3, 64)),
        ("blocks", "n", ["m"], {"n": 1 << 20, "m": 4000}, (DEVICE.most_blocks, DEVICE.most_threads)),
        ("block", "", ["m"], {"m": 100}, (1, 128)),
        ("thread", "", [], {}, (1, 1)),
    ],
)
def test_geometry(over: str, counts: str, shared: list[str], sizes: dict[str, int], geometry: tuple[int, int]) -> None:
    grid = (Affine.of(counts),) if counts else ()
    launch = LaunchShape("k", (), over, grid, tuple((Affine.of(s),) for s in shared), steps=True)
    assert launch.geometry(sizes) == Geometry(*geometry)
    rows = replace(launch, steps=False).geometry(sizes)
    assert rows == Geometry(geometry[0], min(geometry[1], DEVICE.row_threads))


def test_a_bound_that_no_formula_says_runs_all_the_same() -> None:
    launch = LaunchShape("k", (), "threads", (None, Affine.of("n")), ())
    assert launch.geometry({"n": 5}).blocks > 0
    assert not launch.geometry({"n": 0}).blocks


def test_the_tree_and_memory_are_there_without_a_device() -> None:
    kernel = kernel_of(lambda x: pa.tanh(x).sum(axis=0), *arrays((4, 5)))
    assert "grid for" in kernel.schedule.tree()
    assert kernel.memory_plan().total_bytes >= 0
    text = kernel.describe()
    assert "launches" in text and "a thread for each" in text
    assert "polyad_cuda.h" in kernel.source


def test_nothing_depends_on_how_many_threads_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops stride over their iterations: any grid runs all of them once."""
    given = arrays((7, 5), (5, 9))
    kernel = kernel_of(lambda a, b: (pa.tanh(a @ b), pnp.cumsum(a, axis=0)), *given)
    wanted = [np.array(r) for r in kernel(*given)]
    for blocks, threads in ((1, 32), (3, 96), (50, 64)):

        def geometry(self: LaunchShape, sizes: Any, limits: Any, b: int = blocks, t: int = threads) -> Geometry:
            if self.over in ("thread", "block"):
                return Geometry(1, 1 if self.over == "thread" else t)
            return Geometry(b, t)

        monkeypatch.setattr(LaunchShape, "geometry", geometry)
        for one, other in zip(kernel(*given), wanted, strict=True):
            np.testing.assert_array_equal(one, other)


def test_launches_hold_their_variables() -> None:
    from polyad.codegen.plan import plan_kernel
    from polyad.runtime.codegen_options import codegen_options, language_of

    kernel = kernel_of(lambda x: (x.sum(), pa.tanh(x)), *arrays((40,)))
    plan = plan_kernel(kernel.program, kernel.schedule, codegen_options(target()), passes=language_of(target()).passes)
    assert all(isinstance(node, Launch) for node in plan.loops.children)
