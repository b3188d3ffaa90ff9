"""Calls beside other programs, on clocks of our own: when one thread is taken, and when it is given up."""

import pytest

from polyad.runtime.threads.crowded import beside_others


class Machine:
    """A machine on which a call takes one second of computing on one thread."""

    def __init__(self, cores: int = 4):
        self.cores = cores
        self.now = self.computed = 0.0
        self.threads = cores
        self.waits = 0.0  # seconds that a team of threads waits in a call
        self.used: list[int] = []
        self.call = beside_others(self.run, lambda: self.threads, self.set, lambda: self.now, lambda: self.computed)

    def set(self, threads: int) -> None:
        self.threads = threads

    def run(self, status: int) -> int:
        share = 1.0 / self.threads
        self.used.append(self.threads)
        self.computed += share
        self.now += share + (self.waits if self.threads > 1 else 0.0)
        if status == 99:
            raise KeyboardInterrupt
        return status

    def calls(self, count: int) -> list[int]:
        before = len(self.used)
        for _ in range(count):
            assert self.call(7) == 7
        return self.used[before:]


def test_cores_that_are_free_are_used() -> None:
    machine = Machine()
    assert machine.calls(200) == [4] * 200
    machine.waits = 0.05  # for the last of the team
    assert machine.calls(200) == [4] * 200


def test_one_interruption_is_no_reason() -> None:
    machine = Machine()
    machine.calls(5)
    machine.waits = 1.0
    machine.calls(1)
    machine.waits = 0.0
    assert machine.calls(100) == [4] * 100


def test_beside_others_one_thread() -> None:
    """A team that waits takes two seconds, one thread one."""
    machine = Machine()
    machine.waits = 1.75
    assert machine.calls(3)[0] == 4
    start = machine.now
    used = machine.calls(300)
    assert used.count(1) > 270 and machine.threads == 4
    assert machine.now - start < 300 * 1.15
    machine.waits = 0.0
    machine.calls(60)
    assert machine.calls(100) == [4] * 100, "the others have gone"


def test_a_team_that_waits_for_itself_stays() -> None:
    """Three shares of work on two threads: one waits for half of the time, and is faster all the same."""
    machine = Machine(2)
    machine.waits = 0.4
    used = machine.calls(400)
    assert used.count(1) < 25


def test_the_number_of_threads_is_put_back() -> None:
    machine = Machine()
    machine.waits = 3.0
    machine.calls(10)
    assert machine.used[-1] == 1
    with pytest.raises(KeyboardInterrupt):
        machine.call(99)
    assert machine.threads == 4 and machine.used[-1] == 1
