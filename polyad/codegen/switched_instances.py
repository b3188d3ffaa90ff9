"""Switches of the instances of given loops: what need not run where a truth value of data is false.

A contraction that overwrites its result puts the zeros there, too: where it would add zero it has to run all the same,
else readers find what the memory held before. It is left out only where nobody needs the result.
"""

from __future__ import annotations

from polyad.analysis.switches import Switches, switches
from polyad.codegen.loops.nodes import Contraction, Node
from polyad.codegen.loops.traversal import instances, nodes
from polyad.ir.program import Program

__all__ = ["switches_in"]


def switches_in(root: Node, program: Program) -> Switches:
    """The switches of all statements, as far as they hold in these loops."""
    found = switches(program)
    fresh = {i.statement for n in nodes(root) if isinstance(n, Contraction) and n.fresh for i in instances(n)}
    if found.keys().isdisjoint(fresh):
        return found
    unneeded = switches(program, zeros=False)
    return {name: unneeded.get(name, {}) if name in fresh else own for name, own in found.items()}
