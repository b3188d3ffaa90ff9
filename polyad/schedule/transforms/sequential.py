"""Sequential loops: a loop that runs on several threads runs on one again."""

from __future__ import annotations

from dataclasses import replace

from polyad.schedule.transforms.nest import Dims, LoopName, at_loop
from polyad.schedule.tree.marks import in_one_thread
from polyad.schedule.tree.nodes import Node

__all__ = ["sequential"]


def sequential(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Take the marks `parallel`, `share`, `parts` and `region` off a loop; other marks stay.

    Raises:
        ScheduleError: there is no such loop.
    """
    return at_loop(tree, dims, band, lambda loop: replace(loop, mark=in_one_thread(loop.mark)))
