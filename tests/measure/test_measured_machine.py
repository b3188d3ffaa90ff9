"""Measurements are kept for one CPU and one compiler, and used by nobody who does not ask."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import polyad as pa
from polyad.machine import MACHINE
from polyad.measure import measured_machine as module
from polyad.measure.measured_machine import MEASURED, find_measured, keep, numbers_of
from polyad.measure.probe import Times
from polyad.runtime.compiler import find_compiler
from polyad.runtime.cpu import this_cpu

CACHES = {2: 1 << 20, 3: 32 << 20}
TIMES = Times(addition=1e-10, division=3.4, exp=11.6, start=1.234e-5, meeting=5.678e-7)
NUMBERS = numbers_of(CACHES, TIMES)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("POLYAD_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_numbers_follow_from_caches_and_times() -> None:
    assert NUMBERS == {
        "cache": 1 << 19,
        "outgrown": 1 << 20,
        "shared_cache": 16 << 20,
        "division": 3,
        "exp": 12,
        "thread_start": 120_000.0,
        "thread_meeting": 5_700.0,
        "shared_contraction": 600_000.0,
    }
    assert NUMBERS.keys() == {m.name for m in MEASURED}


def test_what_cannot_be_found_out_is_left_to_the_default() -> None:
    alone = numbers_of({}, replace(TIMES, start=None, meeting=None, division=0.2, exp=0.3))
    assert alone == {"division": 1, "exp": 2}, "no less than makes sense"
    assert numbers_of({2: 4 << 20}, TIMES)["shared_cache"] == 2 << 20, "the second level is the last one"


def test_without_a_measurement_the_message_says_how_to_make_one() -> None:
    with pytest.raises(pa.CallError, match=r"run `python -m polyad.machine`") as caught:
        pa.measured_machine()
    assert caught.value.argument == "machine"


def test_a_target_may_be_built_for_it() -> None:
    assert keep(find_compiler(), NUMBERS) is not None
    assert pa.measured_machine() == replace(MACHINE, **NUMBERS)  # type: ignore[arg-type]
    assert pa.Target(machine=pa.measured_machine()) != pa.Target()


@pytest.mark.slow
def test_nothing_else_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same C before and after, also of what asks for every number: a hidden file decides no result."""

    def source() -> str:
        x = pa.placeholder((4096, 64), "x", "float32")
        return pa.compile(pa.numpy.sum(pa.exp(x) / (x + 2.0) @ x.T), [x]).source

    before = source()
    keep(find_compiler(), {**NUMBERS, "thread_start": 1.0, "exp": 400})
    assert pa.Target().machine is MACHINE
    pa.clear_cache()  # C that is made again, with numbers that were measured a moment ago
    keep(find_compiler(), {**NUMBERS, "thread_start": 1.0, "exp": 400})
    assert source() == before


def test_another_cpu_or_compiler_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler, cpu = find_compiler(), this_cpu()
    keep(compiler, NUMBERS)
    assert find_measured(replace(compiler, identity="another version")) is None
    monkeypatch.setattr(module, "this_cpu", lambda: replace(cpu, model="another one"))
    assert find_measured(compiler) is None


@pytest.mark.parametrize(
    "numbers",
    [{"exp": -1}, {"exp": "20"}, {"exp": True}, {"cache": float("nan")}, {"scan_steps": 3}, {"no_such_number": 1}],
)
def test_numbers_that_nobody_measured_are_none(numbers: dict[str, Any]) -> None:
    assert keep(find_compiler(), numbers) is None
    assert find_measured(find_compiler()) is None


def test_a_damaged_file_is_none(cache: Path) -> None:
    keep(find_compiler(), NUMBERS)
    (file,) = cache.glob("*/machines/*.json")
    record = json.loads(file.read_text())
    record["payload"]["numbers"]["exp"] = 13
    file.write_text(json.dumps(record))
    assert find_measured(find_compiler()) is None
    assert oct(file.stat().st_mode & 0o777) == "0o600"
