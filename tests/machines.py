"""Machines on which threads pay at any size."""

from dataclasses import replace

from polyad.machine import MACHINE, Machine

__all__ = ["LOOPS_IN_THREADS", "THREADS", "with_threads"]


def with_threads(machine: Machine) -> Machine:
    """The machine, but threads start and meet at no cost."""
    return replace(machine, thread_start=0.0, thread_meeting=0.0)


THREADS = with_threads(MACHINE)

LOOPS_IN_THREADS = replace(MACHINE, thread_start=0.0)
"""Loops by themselves only: threads that run already meet at the usual cost."""
