"""Golden CUDA C++, one small program of each kind of launch: it is what it was, and NVIDIA's compilers are content.

A team is one text, whether it runs as one block, as a cluster, or as blocks that count in memory: that is the host's
choice (tests/codegen/host). `--update-golden` writes the texts anew.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import polyad as pa
from polyad.kernel import Kernel
from polyad.machine.device import DEVICE, LIMITS
from polyad.runtime.library import source_files
from tests.cuda.device import target
from tests.cuda.test_compilers import compiled, resources

pnp = pa.numpy

GOLDEN = Path(__file__).parent / "golden"


def kernel(name: str, function: Callable[..., Any], *shapes: tuple[int, ...], dtype: str = "float32") -> Kernel:
    given = [pa.placeholder(shape, letter, dtype) for shape, letter in zip(shapes, "xyz", strict=False)]
    return pa.compile([function(*given)], given, name=name, target=target())


def rolled(x: Any, w: Any) -> Any:
    """Each step reads what its neighbours wrote: threads of a block meet."""
    h, _ = pa.scan(lambda h, row: (pa.tanh(pnp.roll(h, 1, axis=-1) * w + row), None), pnp.zeros((3, 40)), x)
    return h


def network(x: Any, W: Any) -> Any:
    h, _ = pa.scan(lambda h, row: (pa.tanh(h @ W + row), None), pnp.zeros((4, 64)), x)
    return h


def scattered() -> Kernel:
    """The adjoint of a read at places that data say, which are checked first."""
    table, ids = pa.placeholder((6, 3), "table", "float32"), pa.placeholder((4,), "ids", "int64")
    loss = pnp.sum(table[ids] ** 2)
    return pa.compile(pa.grad(loss, [table]), [table, ids], name="scatter", target=target())


def checked() -> Kernel:
    """Places that data say, which a launch of its own checks, one for each thread."""
    table, ids = pa.placeholder((6,), "table", "float32"), pa.placeholder((4,), "ids", "int64")
    return pa.compile([pa.tanh(table[ids + 1])], [table, ids], name="index_checks", target=target())


KINDS: dict[str, tuple[Callable[[], Kernel], list[str]]] = {
    "pointwise": (lambda: kernel("pointwise", lambda x, y: pa.tanh(x) * y, (50, 7), (7,)), ["threads"]),
    "rows": (lambda: kernel("rows", lambda x: pa.nn.softmax(x, axis=1), (9, 300)), ["blocks"]),
    "full_sum": (lambda: kernel("full_sum", lambda x: pnp.sum(x * x), (262144,)), ["blocks", "block"]),
    "prefix_scan": (lambda: kernel("prefix_scan", lambda x: pnp.cumsum(x), (5000,)), ["thread", "scans", "scans"]),
    "team": (lambda: kernel("team", network, (5, 4, 64), (64, 64)), ["threads", "threads", "teams", "threads"]),
    "block": (lambda: kernel("block", rolled, (5, 3, 40), (40,)), ["threads", "blocks", "threads"]),
    "tiles": (lambda: kernel("tiles", lambda x, y: pa.tanh(x @ y), (128, 32), (32, 128)), ["tiles"]),
    "scatter": (scattered, ["threads"] * 4),
    "index_checks": (checked, ["threads", "threads"]),
}
"""Name -> program, and who runs its kernels."""


@pytest.mark.parametrize("name", KINDS)
def test_the_text_is_what_it_was(name: str, update_golden: bool) -> None:
    make, over = KINDS[name]
    made = make()
    assert [launch.over for launch in made.code.launches] == over
    path = GOLDEN / f"{name}.cu"
    if update_golden:
        path.write_text(made.code.c, encoding="utf-8")
    assert made.code.c == path.read_text(encoding="utf-8"), "run the tests with --update-golden, and read the diff"


@pytest.mark.parametrize("arch", ["sm_90", "sm_80", "sm_100"])
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.quick_cases(2)
def test_compilers_say_nothing_and_blocks_fit(name: str, arch: str, tmp_path: Path) -> None:
    """No warning, no register in memory, and as many registers and as much shared memory as a block may have."""
    made = KINDS[name][0]()
    found = resources(compiled(source_files(made.code), tmp_path, arch))
    assert {launch.kernel for launch in made.code.launches} == found.keys()
    for launch in made.code.launches:
        own, geometry = found[launch.kernel], launch.geometry({})
        assert own.spilled == 0
        assert own.registers * geometry.threads <= 65536
        assert own.shared <= DEVICE.own_shared, "of products at work, and of sums that threads share"
        assert own.shared + geometry.room <= LIMITS.shared


def test_golden_texts_are_of_programs() -> None:
    assert {path.stem for path in GOLDEN.glob("*.cu")} == {*KINDS, "recurrence"}
