"""The C that launches kernels does what the launch record says, which Python launches by: at many sizes."""

import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.source import Source
from polyad.pipeline import compile_program
from polyad.targets import Target
from tests.acceptance.random_definitions import random_definition
from tests.acceptance.test_random_programs import drawn
from tests.codegen.host.recorded import FOREIGN, NEW, OLD, STREAM, built, compare, recorded, recorder
from tests.export.conftest import needs

pytestmark = needs("cc")

TARGET = Target("cuda", arch="compute_80")
EXTENTS = (0, 1, 2, 31, 33, 64, 65, 127, 129, 1000, 65536, 1 << 23, 1 << 40, 1 << 47)


def scan() -> Source:
    """A recurrence, and its gradient: grids of threads and of blocks."""
    T, B, H = pa.sizes("T B H")
    W, x, h0 = (pa.placeholder(s, n, "float32") for n, s in (("W", (H, H)), ("x", (T, B, H)), ("h0", (B, H))))
    _, hs = pa.scan(lambda h, row: (pa.tanh(h @ W + row), h), h0, x)
    loss = pa.numpy.sum(hs * hs)
    return pa.compile([loss, *pa.grad(loss, [W, x])], [W, x, h0], name="scan", target=TARGET).code


def product() -> Source:
    """A batch of products: tiles."""
    B, N, M, K = pa.sizes("B N M K")
    a, b = pa.placeholder((B, N, K), "a", "float64"), pa.placeholder((B, K, M), "b", "float64")
    return pa.compile([a @ b], [a, b], name="product", target=TARGET).code


def gather() -> Source:
    """Indices that are checked, before and where they are used."""
    V, D, T = pa.sizes("V D T")
    table, ids = pa.placeholder((V, D), "table", "float32"), pa.placeholder((T,), "ids", "int32")
    loss = pa.numpy.sum(table[ids] ** 2)
    return pa.compile([loss, *pa.grad(loss, [table])], [table, ids], name="gather", target=TARGET).code


def named() -> Source:
    """Names that the text has a use for."""
    stream, n = pa.sizes("stream offset")
    x = pa.placeholder((stream, n), "named_image", "float64")
    y = pa.placeholder((n,), "pa_error", "float64")
    z = pa.placeholder((n,), "slot_0", "float64")
    return pa.compile([(x * y).sum(axis=1), pa.numpy.cumsum(z)], [x, y, z], name="named", target=TARGET).code


def triangle() -> Source:
    """Bounds with a division, and loops whose length no formula says."""
    n = pa.sizes("n")
    x = pa.placeholder((n,), "x", "float64")
    halves = pa.compute((n // 2,), lambda i: x[2 * i] + x[2 * i + 1], name="halves")
    i, j = (pa.compute((n, n), lambda i, j, s=s: pa.select(s * (i - j) >= 0, x[i] * x[j], 0.0)) for s in (1, -1))
    return pa.compile([halves, i.sum(axis=1), j.sum(axis=0)], [x], name="triangle", target=TARGET).code


def fixed() -> Source:
    """No sizes at all."""
    x = pa.placeholder((70, 33), "x", "float32")
    return pa.compile([pa.nn.softmax(x, axis=1), x.sum()], [x], name="fixed", target=TARGET).code


def nothing() -> Source:
    """No launches."""
    x = pa.placeholder((0,), "x", "float64")
    return pa.compile([x + 1.0], [x], name="nothing", target=TARGET).code


SOURCES = (nothing, scan, product, gather, named, triangle, fixed)


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return recorder(tmp_path_factory.mktemp("driver"))


def cases(source: Source) -> list[dict[str, int]]:
    """All sizes alike, each of them alone unlike, and some at random; some are refused."""
    names, rng = source.sizes, np.random.default_rng(0)
    alike = [dict.fromkeys(names, e) for e in EXTENTS]
    alone = [{**dict.fromkeys(names, 5), n: e} for n, e in itertools.product(names, (-1, *EXTENTS))]
    drawn_ = [dict(zip(names, map(int, 2 ** rng.uniform(0, 9, len(names))), strict=True)) for _ in range(100)]
    return [*alike, *alone, *drawn_]


@pytest.mark.parametrize("make", SOURCES)
def test_launches_are_those_of_the_record(make: Callable[[], Source], driver: Path, tmp_path: Path) -> None:
    source = make()
    library = built(source, tmp_path)
    for device in (NEW, OLD, FOREIGN):
        compare(source, library, driver, cases(source), device)


@pytest.mark.parametrize("chunk", range(6))
@pytest.mark.quick_cases(1)
def test_of_random_programs(chunk: int, driver: Path, tmp_path: Path) -> None:
    for number, d in enumerate(drawn(random_definition(most=3), 6, chunk)):
        source = compile_program(pa.compile([d.output], [*d.inputs], target="c").definition, TARGET).code
        folder = tmp_path / str(number)
        folder.mkdir()
        compare(source, built(source, folder), driver, cases(source))


WRONG = [
    (r"pa_groups\((.*), 128\)", r"pa_groups(\1, 127)", "scan"),
    (r"pa_least\(", "pa_most(", "scan"),
    (r"65536\)", "65537)", "scan"),
    (r"pa_difference\(pa_shared, 45056", "pa_difference(pa_shared, 0", "scan"),
    (r"pa_found_(\d+), 16384", r"pa_found_\1, 32768", "scan"),
    (r"pa_cluster <= pa_found", "2 <= pa_found", "scan"),
    (r"pa_sum\(pa_multiprocessors, 1\)", "pa_sum(1, 1)", "scan"),
    (r"(pa_room_\d+) = pa_least\(pa_sum\(", r"\1 = pa_least(pa_most(", "scan"),
    (r"\? pa_limited_(\d+) : pa_least\(pa_limited_\d+, pa_cluster\)", r"? pa_limited_\1 : pa_limited_\1", "scan"),
    (r"pa_quotient\(pa_multiprocessors,", "pa_quotient(pa_multiprocessors / 2,", "scan"),
    (r"(pa_launch_team\(.*), pa_members_\d+", r"\1, 1", "scan"),
    (r"pa_most\(pa_running_\d+", "pa_most(3", "scan"),
    (r"&pa_running_(\d+)\)", r"&pa_room_\1)", "scan"),
    (r"<= pa_cluster \? 0 : 1", "<= pa_cluster ? 1 : 0", "scan"),
    (r"pa_error = pa_meet\(.*\n", "", "scan"),
    (r"!= 0 \? \(int64_t\)pa_members_\d+ : 0", "!= 0 ? 1 : 0", "scan"),
    (r"slots \+ 256", "slots + 128", "scan"),
    (r"pa_iterations\(T\)", "pa_iterations(T - 1)", "scan"),
    (r"pa_iterations\(H\)", "pa_iterations(B)", "scan"),
    (r"pa_product\((.*?), (.*?)\)", r"pa_least(\1, \2)", "scan"),
    (r"32\), 1\)", "32), 2)", "scan"),
    (r"pa_threads_0 = 128", "pa_threads_0 = 64", "scan"),
    (r"\{&H, &T", "{&T, &H", "scan"),
    (r"&slot_0", "&slot_1", "scan"),
    (r"pa_kernels\[1\]", "pa_kernels[0]", "scan"),
    (r'"scan_0", "scan_1"', '"scan_0", "scan_0"', "scan"),
    (r"(offset = pa_after\(offset, ).*\);", r"\g<1>4);", "scan"),
    (r"bytes = pa_after\(bytes, pa_times.*\);", ";", "scan"),
    (r"T < 1", "T < 0", "scan"),
    (r"pa_groups\((.*?), 64\)", r"pa_groups(\1, 65)", "product"),
    (r"pa_given_1, stream\);", "pa_given_1, 0);", "scan"),
    (r"pa_clear\((.*), 8,", r"pa_clear(\1, 4,", "gather"),
    (r"  pa_error = pa_clear.*\n", "", "gather"),
]


@pytest.fixture(scope="session")
def known() -> dict[str, Source]:
    return {make.__name__: make() for make in (scan, product, gather)}


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_a_wrong_launch_is_found(number: int, known: dict[str, Source], driver: Path, tmp_path: Path) -> None:
    wrong, instead, name = WRONG[number]
    source = known[name]
    host, found = re.subn(wrong, instead, source.host, count=1)
    assert found, "the text to be made wrong is not there"
    library = built(source, tmp_path, host)
    with pytest.raises(AssertionError, match=rf"{name} at "):
        compare(source, library, driver, cases(source))


def test_behind_an_error_nothing_is_launched(known: dict[str, Source], driver: Path, tmp_path: Path) -> None:
    source = known["scan"]
    sizes: dict[str, Any] = dict.fromkeys(source.sizes, 3)
    (said,) = recorded(source, built(source, tmp_path), driver, [sizes], fails=719)["cases"]
    assert said["status"] == -1719 and len(said["told"]) == 1 < len(source.launches)
    assert said["told"][0]["more"] == [0, STREAM, 1]


def test_the_header_is_that_of_the_kernel(known: dict[str, Source]) -> None:
    source = known["gather"]
    assert "int gather_status(const void *workspace, struct CUstream_st *stream);" in source.header
    assert "gather_status" not in known["scan"].header
    assert "polyad_driver.h" not in source.header, "a host includes one file"
    shared = source.header.split("#include")[0]
    assert source.host.startswith(shared)
