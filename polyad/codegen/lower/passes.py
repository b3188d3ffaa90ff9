"""The passes over the loop IR between storage and the text of C, one list: nothing below it decides anything.

Each is a function (Block, Lowering) -> Block, valid in, valid out. Their order:

- `contraction_shapes` first: what the macro-kernel cannot take is loops for all that follow;
- `partial_sums`, `regions` and `threads` weigh loops as the schedule has them, before others divide them;
- `pointers` goes by the nests that storage knows, so before one nest becomes two;
- `register_blocks` divides loops, `prefix_scans` wants those with one state left;
- `vectors` next, then what looks at vector loops: `subtotals`, `shared_calls`, `vector_tails`, `rolled_loops`;
- `switched_nests` when all nests are made: to others, what data may leave out is there;
- `invariant_loads` last: to others, statements read arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from polyad.codegen.loops.nodes import Block
from polyad.codegen.lower.contraction_shapes import contraction_shapes
from polyad.codegen.lower.invariant_loads import invariant_loads
from polyad.codegen.lower.lowering import StoredProgram
from polyad.codegen.lower.partial_sums import partial_sums
from polyad.codegen.lower.pointers import pointers
from polyad.codegen.lower.prefix_scans import prefix_scans
from polyad.codegen.lower.regions import regions
from polyad.codegen.lower.register_blocks import register_blocks
from polyad.codegen.lower.rolled_loops import rolled_loops
from polyad.codegen.lower.shared_calls import shared_calls
from polyad.codegen.lower.subtotals import subtotals
from polyad.codegen.lower.switched_nests import switched_nests
from polyad.codegen.lower.threads import threads
from polyad.codegen.lower.vector_tails import vector_tails
from polyad.codegen.lower.vectors import vectors

__all__ = ["LOOP_PASSES", "LoopPass", "lower"]


@dataclass(frozen=True, slots=True)
class LoopPass:
    """One pass.

    Attributes:
        name: of its function and file.
        apply: what it does.
    """

    name: str
    apply: Callable[[Block, StoredProgram], Block]


LOOP_PASSES = tuple(
    LoopPass(function.__name__, function)
    for function in (
        contraction_shapes,
        partial_sums,
        regions,
        threads,
        pointers,
        register_blocks,
        prefix_scans,
        vectors,
        subtotals,
        shared_calls,
        vector_tails,
        rolled_loops,
        switched_nests,
        invariant_loads,
    )
)
"""Those of C with OpenMP, in order; another language has another list (codegen/generate.py)."""


def lower(root: Block, known: StoredProgram, passes: Sequence[LoopPass], watch: Callable[[str, Block], None]) -> Block:
    """The loops after some passes, one after another; `watch` is told the name of each and the loops after it."""
    for step in passes:
        root = step.apply(root, known)
        watch(step.name, root)
    return root
