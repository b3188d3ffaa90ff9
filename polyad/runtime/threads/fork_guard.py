"""Kernels in a child made by fork, whose threads are gone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

__all__ = ["FORK_GUARD", "call_parallel"]


class _ForkGuard:
    """Lets kernels run in a child made by fork.

    GNU's OpenMP library keeps a pool of threads for each thread that ran a parallel loop, for whichever library. In a
    forked child the pool of the thread that called fork is still on record but its threads are gone, and the next
    parallel loop waits for them for ever. A new thread has no pool yet, so the child runs what that one thread asks for
    on a thread of its own.
    """

    def __init__(self) -> None:
        self.forking_thread: int | None = None  # in a child, the thread whose pool may be dead
        self.worker: ThreadPoolExecutor | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.after_fork)

    def after_fork(self) -> None:
        self.forking_thread = threading.get_ident()
        self.worker = None  # its thread did not come along

    def call(self, function: Callable[..., int], *arguments: Any) -> int:
        if self.forking_thread is None or threading.get_ident() != self.forking_thread:
            return function(*arguments)
        if self.worker is None:
            self.worker = ThreadPoolExecutor(1, thread_name_prefix="polyad")
        return self.worker.submit(function, *arguments).result()


FORK_GUARD = _ForkGuard()

call_parallel = FORK_GUARD.call
"""call_parallel(function, *arguments) calls a function that uses OpenMP."""
