"""The price of a kernel's order, and of orders one move away: what the next change of a schedule would be.

Only those of which isl proves that they keep all dependences are shown, the cheapest first.
"""

from __future__ import annotations

from itertools import islice

from polyad.runtime.compiled_program import CompiledProgram
from polyad.schedule.moves.order import by_price, candidates, work_of
from polyad.schedule.pricing.estimate import Price

__all__ = ["order_lines"]

SHOWN = 5


def order_lines(kernel: CompiledProgram) -> str:
    """The price of the schedule, and the cheapest legal orders one move away.

    Args:
        kernel: for a CPU.
    """
    machine, program, schedule = kernel.target.machine, kernel.program, kernel.schedule
    own: Price = schedule.price(kernel)
    work = work_of(program, dict.fromkeys(program.params, machine.guess), machine)
    steps = candidates(schedule, work, machine=machine)
    found = by_price(steps, schedule, lambda changed: changed.price(kernel).total)
    legal = (one for one in found if one.schedule is not None and one.schedule.is_legal(program))
    lines = [
        f"  {one.price / own.total:6.2f} times  {'; '.join(f's = {move}' for move in one.steps)}"
        for one in islice(legal, SHOWN)
    ]
    return "\n".join([f"{own}", *(["", "the cheapest orders one move away:", *lines] if lines else [])])
