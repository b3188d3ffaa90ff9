"""The benchmarks run, compare results before they time anything, and say so when contenders disagree."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import WORKLOADS
from benchmarks.report import disagreement, time_text
from benchmarks.worker import Worker, find

ROOT = Path(__file__).resolve().parents[2]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "benchmarks", *arguments], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
def test_a_table_is_printed() -> None:
    done = benchmarks("call_overhead", "--peer", "", "--rounds", "1", "--budget", "0.01")
    assert done.returncode == 0, done.stdout + done.stderr
    rows = [line.split() for line in done.stdout.splitlines() if line.startswith("N8 ")]
    assert [row[1] for row in rows] == ["polyad", "polyad", "numpy"]
    assert "1.00" in rows[0]  # the contender that all are compared with


@pytest.mark.parametrize("arguments", [("nothing",), ("--peer", "nobody")])
def test_what_is_unknown_is_refused(arguments: tuple[str, ...]) -> None:
    done = benchmarks(*arguments)
    assert done.returncode == 2
    assert arguments[-1] in done.stderr


@pytest.mark.parametrize("name", WORKLOADS)
def test_workloads_declare_what_they_are(name: str) -> None:
    workload = find(name)
    assert workload.cases and workload.contenders
    assert next(iter(workload.contenders)).startswith("polyad")


def with_arrays(*arrays: object) -> Worker:
    worker = Worker.__new__(Worker)
    worker.arrays = [np.asarray(a, dtype=float) for a in arrays]
    return worker


def test_results_are_compared() -> None:
    own = with_arrays([1.0, 2.0])
    assert disagreement(with_arrays([1.0, 2.00001]), own, rtol=1e-4) is None
    assert disagreement(with_arrays([1.0, 2.1]), own, rtol=1e-4) == "result 0 is off by 5.0e-02"
    assert disagreement(with_arrays([1.0, np.nan]), own, rtol=1e-4) == "result 0 is off by nan"
    assert disagreement(with_arrays([1.0]), own, rtol=1e-4) == "result 0 has shape (1,), not (2,)"
    assert disagreement(with_arrays([1.0, 2.0], 3.0), own, rtol=1e-4) == "2 results for 1"


@pytest.mark.parametrize(("value", "text"), [(2.5, "2.500 s"), (0.0123, "12.300 ms"), (4e-6, "4.000 us")])
def test_times_have_units(value: float, text: str) -> None:
    assert time_text(value) == text
