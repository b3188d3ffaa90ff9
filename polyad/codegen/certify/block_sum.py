"""Sums that the threads of a region share: each has variables of its own, and they meet behind."""

from __future__ import annotations

from polyad.codegen.certify.execution import Execution
from polyad.codegen.loops.nodes import Parts

__all__ = ["run_block_sum"]


def run_block_sum(run: Execution, node: Parts) -> None:
    """Run the iterations, each as one thread's: others do not see what it writes; what it sums up is added later."""
    run.memory.alias({s.part: s.local for s in node.sums})
    run.summing = tuple(s.part for s in node.sums)
    number = run.reducing(run.summing)
    for i in run.iterations(node.loop):
        run.name(node.loop.iterator, i)
        run.share_of = number, i
        with run.part(number, i):
            run.block(node.loop.body)
    run.summing, run.share_of = (), None
    run.barrier()
