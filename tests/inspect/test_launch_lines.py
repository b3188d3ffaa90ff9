"""The launches of a kernel in text: what they ask for, and how long they should take, held against measurements."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import polyad as pa
from polyad.inspect.launch_lines import expected_time
from polyad.kernel import Kernel
from polyad.machine.rates import RATES
from tests.cuda.test_programs import lstm

pnp = pa.numpy

PAGE = Path(__file__).parents[2] / "docs" / "performance-cuda.md"
GPU = pa.Target("cuda", arch="compute_90")


def network(T: Any, B: Any, H: Any, dtype: str = "float32") -> Kernel:
    shapes = {"x": (T, B, H), "W": (H, 4 * H), "U": (H, 4 * H), "b": (4 * H,), "h0": (B, H), "c0": (B, H)}
    given = [pa.placeholder(shape, name, dtype) for name, shape in shapes.items()]
    loss = lstm(*given)
    return pa.compile([loss, *pa.grad(loss, given)], given, target=GPU)


def of(function: Callable[..., Any], *shapes: tuple[int, ...]) -> Kernel:
    given = [pa.placeholder(shape, f"x{n}", "float32") for n, shape in enumerate(shapes)]
    return pa.compile([function(*given)], given, target=GPU)


MEASURED: dict[str, Callable[[], Kernel]] = {
    "matmul_1024": lambda: of(lambda a, b: a @ b, (1024, 1024), (1024, 1024)),
    "chain_16M": lambda: of(lambda x, y: pa.tanh(x) * y + pa.exp(-y * y), (1 << 24,), (1 << 24,)),
    "sum_16M": lambda: of(lambda x: pnp.sum(x), (1 << 24,)),
    "softmax_8192x1024": lambda: of(lambda x: pa.nn.softmax(x, 1), (8192, 1024)),
    "lstm_T100_B16_H128": lambda: network(100, 16, 128),
    "lstm_T100_B1_H64": lambda: network(100, 1, 64),
    "lstm_T100_B64_H256": lambda: network(100, 64, 256),
    "lstm_T100_B64_H512": lambda: network(100, 64, 512),
    "lstm_T100_B1_H512": lambda: network(100, 1, 512),
    "lstm_T35_B20_H650": lambda: network(35, 20, 650),
    "lstm_f64_T100_B64_H256": lambda: network(100, 64, 256, "float64"),
    "cumsum_100M": lambda: of(pnp.cumsum, (100_000_000,)),
}


def measured(name: str) -> float:
    """Seconds on the device that the page is about."""
    page = PAGE.read_text(encoding="utf-8")
    assert "H200" in page
    (row,) = re.findall(rf"^\| {name} \| ([\d.]+) \|", page, re.MULTILINE)
    return float(row) * 1e-3


@pytest.mark.parametrize("name", MEASURED)
@pytest.mark.quick_cases(5)
def test_expected_times_are_within_a_factor_of_two_of_measured_ones(name: str) -> None:
    expected = expected_time(MEASURED[name](), {}, RATES["h200"])
    assert 0.5 < expected / measured(name) < 2.0


def test_a_launch_says_what_it_asks_for_and_how_often_threads_meet() -> None:
    T, B, H = pa.sizes("T B H")
    kernel = network(T, B, H)
    plain = kernel.describe()
    assert "teams of blocks for B rows" in plain and "meetings" not in plain and " us" not in plain
    sizes = {"T": 100, "B": 16, "H": 128}
    assert "operations" in kernel.describe(**sizes) and "about" not in kernel.describe(**sizes)
    text = kernel.describe("h100", **sizes)
    teams = re.findall(r"teams of blocks.*\n(.*)", text)
    assert len(teams) == 2
    for line in teams:
        assert "64 blocks of 512 threads, 4 a team, a cluster, " in line and "; 200 meetings; about " in line
    assert text.count("about ") == len(kernel.code.launches) + 1 and "us on an H100" in text
    ampere = kernel.describe("A100", **sizes)
    assert "4 a team that count in memory" in ampere and "on an A100" in ampere


def test_bytes_are_those_of_elements_and_operations_those_of_instances() -> None:
    kernel = of(lambda x: x * 2.0, (1000,))
    (line,) = re.findall(r"kernel_0: .*\n *(.*)", kernel.describe("h200"))
    assert line.startswith("8 blocks of 128 threads; 8,000 bytes, 2,000 operations; about 3.1 us")


def test_another_device_and_missing_sizes_are_refused() -> None:
    n, _ = pa.sizes("n m")
    x = pa.placeholder((n,), "x", "float32")
    kernel = pa.compile(pa.tanh(x), [x], target=GPU)
    with pytest.raises(pa.CallError, match="device='v100': expected one of h200, h100, a100"):
        kernel.describe("v100", n=3)
    with pytest.raises(pa.CallError, match="expected times need sizes: n"):
        kernel.describe("h100")
    with pytest.raises(pa.CallError, match="m"):
        kernel.describe("h100", m=3)
