"""The program that takes times: what it prints is read as medians, and on this machine it prints something sensible."""

import time
from pathlib import Path

import pytest

import polyad as pa
from polyad.measure.probe import read_times, take_times
from polyad.runtime.compiler import describe_compiler, find_compiler

PRINTED = """operations 1e-10 4e-10 1e-9
operations 1e-10 9e-10 9e-9
operations 2e-10 8e-10 4e-9
""" + "".join(f"start {n}\nmeeting 1e-6\n" for n in ("3e-6", "9e-3", "2e-6", "4e-6", "2e-6"))


def test_one_wild_time_among_several_changes_nothing() -> None:
    times = read_times(PRINTED)
    assert (times.addition, times.start, times.meeting) == (1e-10, 3e-6, 1e-6)
    assert times.division == pytest.approx(4) and times.exp == pytest.approx(20)


def test_one_thread_has_no_times_of_threads() -> None:
    times = read_times("".join(line for line in PRINTED.splitlines(keepends=True) if line.startswith("operations")))
    assert times.start is None and times.meeting is None and times.exp == pytest.approx(20)


@pytest.mark.parametrize(
    "starts", [["2e-6", "3e-6"], ["2e-6"] * 3 + ["9e-5"] * 5, ["4e-2"] * 9], ids=["few", "unsteady", "slow"]
)
def test_times_of_others_are_none_of_the_machine(starts: list[str]) -> None:
    """Somebody else has the cores, now and then or always: the defaults say more."""
    times = read_times("operations 1 4 20\n" + "".join(f"start {s}\n" for s in starts) + "meeting 1e-6\n" * 9)
    assert times.start is None and times.meeting == 1e-6


@pytest.mark.parametrize(
    "printed", ["", "hello", "operations 1 2", "operations 0 1 1", "start 1e-6", "operations a b c"]
)
def test_anything_else_is_refused(printed: str) -> None:
    with pytest.raises(pa.CompileError, match="printed no times"):
        read_times(printed)


def test_this_machine_is_measured_within_seconds() -> None:
    start = time.perf_counter()
    times = take_times(find_compiler())
    assert time.perf_counter() - start < 15, "five seconds where nobody else wants the processor"
    assert 0 < times.addition < 1e-6 and times.division > 0.5 and times.exp > 1
    assert all(0 < (t or 1e-6) <= 1e-3 for t in (times.start, times.meeting)), "None where others use the cores"


def test_code_for_another_machine_is_noticed(tmp_path: Path) -> None:
    real = find_compiler().command[0]
    made = 'while [ $# -gt 1 ]; do [ "$1" = -o ] && [ "$2" = measure ] && printf elsewhere > "$2"; shift; done'
    cross = tmp_path / "cross-cc"
    cross.write_text(f'#!/bin/sh\n{real} "$@" || exit 1\n{made}\n')
    cross.chmod(0o755)
    with pytest.raises(pa.CompileError, match=r"does not run here.*Set CC"):
        take_times(describe_compiler((str(cross),)))
