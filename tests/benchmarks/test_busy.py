"""Threads beside other work: what fails, and that the neighbour comes and goes."""

import multiprocessing
from collections.abc import Iterator

import pytest

from benchmarks import busy
from benchmarks.busy import Beside, busy_neighbour, main


def test_what_fails() -> None:
    assert Beside("x", 1.0, 1.31).fails and not Beside("x", 1.0, 1.29).fails
    assert "too slow" in str(Beside("x", 1.0, 2.0)) and "too slow" not in str(Beside("x", 2.0, 1.0))


def test_the_neighbour_leaves() -> None:
    with busy_neighbour():
        (neighbour,) = multiprocessing.active_children()
        assert neighbour.is_alive()
    assert not multiprocessing.active_children()


@pytest.mark.parametrize(("all_threads", "code"), [(1.2, 0), (1.4, 1)])
def test_the_run_fails_where_a_case_does(
    all_threads: float, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def found(*_: object) -> Iterator[Beside]:
        yield Beside("planted", 1.0, all_threads)

    monkeypatch.setattr(busy, "beside", found)
    monkeypatch.setattr(busy.os, "sched_getaffinity", lambda _: {0, 1})
    assert main(["matmul"]) == code
    assert f"{code} on 2 threads" in capsys.readouterr().out
