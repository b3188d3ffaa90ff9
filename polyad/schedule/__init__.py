"""Scheduling: from equations and their dependences to loops, and the schedules that users write and change.

Nothing that schedules is imported here: `import polyad` needs what a target says of scheduling, and no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from polyad.errors import CallError

if TYPE_CHECKING:
    from polyad.schedule.pricing.estimate import Price

__all__ = ["price"]


def price(kernel: Any, *, threads: int = 1, **sizes: int) -> Price:
    """The price of a kernel's schedule, by which schedules are compared: an estimate of its time, in instructions.

    Args:
        kernel: from `pa.compile` or `from_c`.
        threads: that run it.
        sizes: named sizes; of others `Machine.guess` is assumed.

    Raises:
        CallError: that is no kernel, or one for a GPU; or a size has no such name.

    Example:
        >>> print(pa.schedule.price(kernel))
    """
    schedule = getattr(kernel, "schedule", None)
    if schedule is None or not hasattr(kernel, "program"):
        raise CallError(f"price: expected a kernel, got {type(kernel).__name__}: {kernel!r:.60}", "kernel")
    found: Price = schedule.price(kernel, threads=threads, **sizes)
    return found
