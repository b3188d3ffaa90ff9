"""The price of a kernel's order, and of orders one move away: what the next change of a schedule would be.

Only those of which isl proves that they keep all dependences are shown, the cheapest first.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyad.errors import ScheduleError
from polyad.runtime.compiled_program import CompiledProgram
from polyad.schedule.moves.move import replay
from polyad.schedule.moves.order import Steps, candidates, work_of
from polyad.schedule.pricing.estimate import Price

__all__ = ["order_lines"]

TRIED = 60
"""Orders that are priced: those of the statements with most work come first."""

SHOWN = 5


def order_lines(kernel: CompiledProgram) -> str:
    """The price of the schedule, and the cheapest legal orders one move away.

    Args:
        kernel: for a CPU.
    """
    own: Price = kernel.schedule.price(kernel)
    lines = [f"{own}", "", "the cheapest orders one move away:"]
    found = sorted(_priced(kernel), key=lambda pair: pair[1].total)
    shown = 0
    for steps, price in found:
        if shown < SHOWN and replay(steps, kernel.schedule).is_legal(kernel.program):
            moves = "; ".join(f"s = {move}" for move in steps)
            lines.append(f"  {price.total / own.total:6.2f} times  {moves}")
            shown += 1
    return "\n".join(lines if shown else lines[:1])


def _priced(kernel: CompiledProgram) -> Iterator[tuple[Steps, Price]]:
    machine, program = kernel.target.machine, kernel.program
    work = work_of(program, dict.fromkeys(program.params, machine.guess), machine)
    for steps in candidates(kernel.schedule, work, machine=machine)[:TRIED]:
        try:
            yield steps, replay(steps, kernel.schedule).price(kernel)
        except ScheduleError:
            continue  # a transform that does not fit after all
