"""The benchmarks run, compare results before they time anything, and say so when contenders disagree."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import wanted
from benchmarks.page import kept_notes, page_text
from benchmarks.plot import draw
from benchmarks.record import Run
from benchmarks.rounds import Measured, apart
from benchmarks.table import changes, failures, memory_text, row_text, rows, time_text
from benchmarks.worker import find
from benchmarks.workloads import WORKLOADS

ROOT = Path(__file__).resolve().parents[2]


def benchmarks(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "benchmarks", *arguments], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.slow
def test_a_table_is_printed() -> None:
    done = benchmarks("call_overhead", "--cases", "N8", "--peer", "", "--rounds", "1", "--budget", "0.01")
    assert done.returncode == 0, done.stdout + done.stderr
    (row,) = [line for line in done.stdout.splitlines() if line.startswith("call_overhead")]
    assert "N8 f32" in row and "numpy" in row
    assert "also polyad jit" in done.stdout


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
    titles = [case.title for case in workload.cases]
    assert len(set(titles)) == len(titles)
    assert set(workload.tiny) <= {size for case in workload.cases for size in case.sizes}


def arrays(*values: object) -> list[np.ndarray]:
    return [np.asarray(a, dtype=float) for a in values]


def test_results_are_compared() -> None:
    own = arrays([1.0, 2.0])
    assert apart(arrays([1.0, 2.0]), own) == 0
    assert apart(arrays([1.0, 2.1]), own) == pytest.approx(0.05)
    assert np.isnan(apart(arrays([1.0, np.nan]), own))
    assert np.isinf(apart(arrays([1.0]), own))
    assert np.isinf(apart(arrays([1.0, 2.0], 3.0), own))


def measured(contender: str, median: float, apart: float = 0.0, error: str | None = None) -> Measured:
    return Measured("soft_dtw", "N512 f32", 1, contender, median, apart=apart, error=error)


def test_the_fastest_peer_with_right_results_counts() -> None:
    own = measured("polyad", 1.0)
    (row,) = rows([own, measured("torch", 8.0), measured("jax", 4.0), measured("jax fast", 0.1, apart=1.0)])
    assert row.best is not None and row.best.contender == "jax"
    assert (row.ratio, row.goal, row.wrong, row.verdict) == (0.25, 0.3, ("jax fast",), "met")
    assert "WRONG: jax fast" in row_text(row)
    (row,) = rows([measured("polyad", 1.0, apart=1.0), measured("jax", 4.0)])
    assert row.verdict == "WRONG" and failures([row])
    (row,) = rows([own, measured("jax", 2.0)])
    assert row.verdict == "missed"
    (row,) = rows([measured("polyad", 0.0, error="too slow"), measured("jax", 2.0)])
    assert (row.ratio, row.verdict) == (None, "failed")


def test_the_polyad_of_another_checkout_is_no_peer() -> None:
    (row,) = found = rows([measured("polyad", 1.0), measured("jax", 4.0), measured("before", 2.0)])
    assert row.best is not None and row.best.contender == "jax"
    assert row.change == 0.5 and "before 2.000 s: 0.50 of it" in row_text(row)
    assert changes(found) == ["over the polyad before, 1 thread: median 0.50, least 0.50, greatest 0.50, of 1"]
    (row,) = rows([measured("polyad", 1.0), measured("before", 0.0, error="too slow")])
    assert row.change is None and changes([row]) == []


@pytest.mark.slow
def test_a_run_against_another_checkout(tmp_path: Path) -> None:
    options = ("call_overhead", "--cases", "N8", "--peer", "", "--rounds", "1", "--budget", "0.01", "--against")
    done = benchmarks(*options, str(ROOT))
    assert "over the polyad before, 1 thread: median" in done.stdout, done.stdout + done.stderr
    done = benchmarks(*options, str(tmp_path))
    assert f"{tmp_path} holds no polyad" in done.stdout


def run_of(*found: Measured) -> Run:
    return Run({"date": "2026-01-01", "cores": "2"}, found)


def test_runs_are_kept_in_files(tmp_path: Path) -> None:
    run = run_of(measured("polyad", 1.0), measured("jax", 4.0, error="too slow"))
    run.save(tmp_path / "run.json")
    assert Run.load(tmp_path / "run.json") == run


def test_the_page_has_the_machine_the_table_and_the_notes() -> None:
    early, late = run_of(measured("polyad", 9.0)), run_of(measured("polyad", 1.0), measured("jax", 4.0))
    text = page_text([early, late], "performance.svg", "<!-- notes -->\nA note.\n<!-- end of notes -->")
    assert "| cores | 2 |" in text and "\nA note.\n" in text and "1 of 1 aims are met" in text
    assert text.count("| soft dtw | N512 f32 | 1.000 s | 4.000 s | jax | **0.25** | 0.30 | met |") == 1
    assert "9.000 s" not in text


def test_notes_on_the_page_stay(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text("old\n<!-- notes -->\nA note.\n<!-- end of notes -->\nold")
    assert kept_notes(page) == "<!-- notes -->\nA note.\n<!-- end of notes -->"
    assert kept_notes(tmp_path / "none.md") == "<!-- notes -->\n<!-- end of notes -->"


def test_the_plot_is_drawn_and_the_same_each_time(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    found = rows([measured("polyad", 1.0), measured("jax", 4.0)])
    draw(found, tmp_path / "one.svg")
    draw(found, tmp_path / "two.svg")
    assert (tmp_path / "one.svg").read_bytes() == (tmp_path / "two.svg").read_bytes()


def test_cases_are_chosen_by_words() -> None:
    assert wanted("gru T100 H64 f32", None)
    assert wanted("gru T100 H64 f32", "f64,H64 gru")
    assert not wanted("gru T100 H64 f32", "H6")


@pytest.mark.parametrize(("value", "text"), [(2.5, "2.500 s"), (0.0123, "12.300 ms"), (4e-6, "4.000 us")])
def test_times_have_units(value: float, text: str) -> None:
    assert time_text(value) == text


@pytest.mark.parametrize(("value", "text"), [(None, "-"), (12, "12 B"), (2_500_000, "2.5 MB")])
def test_memory_has_units(value: int | None, text: str) -> None:
    assert memory_text(value) == text
