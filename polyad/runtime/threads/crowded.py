"""One thread while other programs want the cores: calls that wait more than they compute show it.

A team of threads is as fast as the one that has to share its core. The time that a call took, less what its own thread
computed, is what it waited: for its core, or for others of the team. Where that is a large part of several calls, the
next ones are run on one thread; where that takes longer, it was not the cores, and the team is left alone for a while.
Results have the same bits for any number of threads.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter, thread_time
from typing import Any

__all__ = ["beside_others"]

_WAITED = 1 / 4
"""The part of the time of calls that they waited from which on one thread is tried."""

_NEWEST = 1 / 4
"""The weight of the newest call in what is known of calls; one that was interrupted is no reason."""

_TURN = 20
"""For how many times as long as a call took things stay as they are: what a trial costs, then, is little."""


def beside_others(
    run: Callable[..., int],
    threads: Callable[[], int],
    set_threads: Callable[[int], None],
    clock: Callable[[], float] = perf_counter,
    computed: Callable[[], float] = thread_time,
) -> Callable[..., int]:
    """The function `run`, on one thread for as long as that is faster.

    Args:
        run: starts threads.
        threads: how many it starts.
        set_threads: says how many it starts, when this thread calls it.
        clock: seconds.
        computed: seconds that this thread has computed.
    """
    waited = took = 0.0  # of calls on all threads: the part that was waited, and seconds
    alone_until = team_until = 0.0

    def call(*arguments: Any) -> int:
        nonlocal waited, took, alone_until, team_until
        start = clock()
        if start < alone_until:
            count = threads()
            set_threads(1)
            try:
                status = run(*arguments)
            finally:
                set_threads(count)
            if clock() - start > took:
                alone_until, team_until = 0.0, start + _TURN * took
            return status
        before = computed()
        status = run(*arguments)
        spent = clock() - start
        idle = max(0.0, spent - (computed() - before)) / spent if spent else 0.0
        waited += (idle - waited) * _NEWEST
        took += (spent - took) * (_NEWEST if took else 1.0)
        if waited > _WAITED and start > team_until and threads() > 1:
            waited, alone_until = 0.0, start + spent + _TURN * took
        return status

    return call
