"""The passes: all that is done to a program before it is scheduled, in one list.

Whoever wants what the scheduler sees calls `prepare`: compilation, tests of single stages, random programs. There is
no other list, and nothing is done to a program beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass

import islpy as isl

from polyad.errors import PolyadError
from polyad.ir.program import Program
from polyad.ir.settled import settled
from polyad.machine import MACHINE, Machine
from polyad.schedule.strategies import ALL, Strategies
from polyad.semantics.verify import Proved, verify
from polyad.transforms.passes.block_points import block_points
from polyad.transforms.passes.boxes.pad_operands import pad_operands
from polyad.transforms.passes.boxes.quotients import split_quotients
from polyad.transforms.passes.boxes.residues import split_residues
from polyad.transforms.passes.boxes.stairs import pad_triangles
from polyad.transforms.passes.canonical_order import canonical_order
from polyad.transforms.passes.coalesce_copies import coalesce_copies
from polyad.transforms.passes.drop_unit_dims import drop_unit_dims
from polyad.transforms.passes.eliminate_dead import eliminate_dead
from polyad.transforms.passes.hoist_invariants import hoist_invariants
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.inline import inline, inline_pieces
from polyad.transforms.passes.join_pieces import join_pieces
from polyad.transforms.passes.keep_reciprocals import keep_reciprocals
from polyad.transforms.passes.layout.join_rows import join_rows
from polyad.transforms.passes.layout.memory_order import memory_order
from polyad.transforms.passes.layout.operand_columns import operand_columns
from polyad.transforms.passes.layout.vector_layout import vector_layout
from polyad.transforms.passes.merge_contributions import accumulate
from polyad.transforms.passes.merge_equal import merge_equal
from polyad.transforms.passes.merge_overlaps import merge_overlaps
from polyad.transforms.passes.name_statements import name_statements
from polyad.transforms.passes.share_reciprocals import share_reciprocals
from polyad.transforms.passes.shift_domains import shift_domains
from polyad.transforms.passes.simplify import simplify
from polyad.transforms.passes.split_flat_time import split_flat_time
from polyad.transforms.passes.split_wraps import split_wraps
from polyad.transforms.passes.sums.column_sums import column_sums
from polyad.transforms.passes.sums.factored_sums import factored_sums
from polyad.transforms.passes.sums.forward_sums import forward_sums
from polyad.transforms.passes.sums.grid_sums import grid_sums
from polyad.transforms.passes.sums.indicators import gathered_sums, scattered_sums
from polyad.transforms.passes.sums.prefix_parts import prefix_parts
from polyad.transforms.passes.sums.product_sums import product_sums
from polyad.transforms.passes.sums.row_sums import row_sums
from polyad.transforms.passes.sums.short_sums import write_out
from polyad.transforms.passes.sums.step_sums import step_sums
from polyad.transforms.passes.unstride import unstride
from polyad.transforms.passes.zero_terms import drop_zero_terms
from polyad.transforms.rewrite.split_starts import split_starts

__all__ = ["PASSES", "Pass", "Watch", "prepare"]


@dataclass(frozen=True, slots=True)
class Pass:
    """One step: from a valid program to a valid program that computes the same outputs.

    Attributes:
        function: from a program, and a machine where `by_machine` says so; the very program where it finds nothing.
        switch: the name of a switch of `Strategies` without which it is left out; "" for what is always done.
        by_machine: whether it asks the machine what pays.
    """

    function: Callable[..., Program]
    switch: str = ""
    by_machine: bool = False

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.function.__name__

    def run(self, program: Program, machine: Machine = MACHINE) -> Program:
        """The program after this step."""
        result: Program = self.function(program, machine) if self.by_machine else self.function(program)
        return result


PASSES: tuple[Pass, ...] = (
    Pass(canonical_order),  # what follows sees no other order
    Pass(drop_unit_dims),  # axes of extent 1
    Pass(simplify),  # constants, affine conditions, structural zeros
    Pass(hoist_invariants),  # out of loops, what is the same in all iterations
    Pass(merge_equal),  # the same array twice; before different parts of the two are found dead
    Pass(eliminate_dead, by_machine=True),  # what no output needs
    Pass(inline, by_machine=True),  # cheap definitions into their readers
    Pass(gathered_sums, by_machine=True),  # the term that data choose
    Pass(scattered_sums, "scatter", by_machine=True),  # terms where data say
    Pass(factored_sums, "contraction", by_machine=True),  # products of matrices in those of more factors
    Pass(write_out, by_machine=True),  # sums over few values
    Pass(forward_sums, by_machine=True),  # sums of sums
    Pass(join_pieces),  # base case and step that say the same
    Pass(coalesce_copies),  # a state is written where it is computed
    Pass(accumulate),  # contractions straight into the sums they are added to
    Pass(inline_pieces, by_machine=True),  # what the merging made cheap; steps that read pieces
    Pass(simplify),
    Pass(drop_zero_terms),  # conditions of definitions cut the sums over them
    Pass(merge_overlaps, by_machine=True),  # one equation for what contributions to an interior have in common
    Pass(split_wraps, by_machine=True),  # inside, indices do not wrap around
    Pass(split_flat_time),  # what belongs to a segment of a checkpointed scan says so
    Pass(unstride),  # loops that count in steps of one
    Pass(split_quotients, by_machine=True),  # loops over quotients and remainders in place of divisions
    Pass(shift_domains),  # loops that count from zero
    Pass(eliminate_dead, by_machine=True),  # instances nobody reads any more
    Pass(name_statements),  # after what they define
    Pass(initialise),  # identities spelled out: from here on every element has its first write
    Pass(split_starts, "sink"),  # what sums in a recurrence begin with
    Pass(share_reciprocals, "reciprocals"),  # quotients by what is inverted anyway
    Pass(keep_reciprocals, "reciprocals"),  # one division for each element
    Pass(memory_order, "layout"),  # temporaries lie as what they are computed with
    Pass(row_sums, "rows", by_machine=True),  # sums over everything by rows
    Pass(grid_sums, "nested"),  # sums over everything by blocks
    Pass(prefix_parts, "nested"),  # running sums in parts
    Pass(product_sums, "nested"),  # those of products of few results and many terms, by several blocks each
    Pass(step_sums, "nested"),  # those of a step by several threads each
    Pass(column_sums, "order", by_machine=True),  # sums along columns by a few rows
    Pass(vector_layout, "layout", by_machine=True),  # what vectors run along comes last in memory
    Pass(operand_columns, "nested"),  # what neighbouring threads read lies side by side
    Pass(block_points, "points", by_machine=True),  # temporaries for a block of points at a time
    Pass(pad_operands, "contraction", by_machine=True),  # boxes, by zeros around operands
    Pass(split_residues, "contraction", by_machine=True),  # where a frame would be too wide
    Pass(pad_operands, "contraction", by_machine=True),  # the operands of what was split
    Pass(pad_triangles, "contraction", by_machine=True),  # boxes for blocks of rows
    Pass(join_rows, "layout", by_machine=True),  # one long row of short ones
)
"""What is done to a program before it is scheduled, in order."""

Watch = Callable[[Pass, Program, Program], None]
"""Is told each step with the program before and after it."""


def prepare(
    program: Program, strategies: Strategies = ALL, machine: Machine = MACHINE, watch: Watch | None = None
) -> Program:
    """Return what the scheduler gets: the program after all passes whose switch is on.

    The passes begin and end with what the program's text says (ir/settled.py): what they make of it, and what is
    planned for it, does not depend on how its sets were made.

    With POLYAD_VERIFY=1 the verifier runs before them, and after each that gives another program than it got.

    Args:
        program: valid, its fixed sizes put in.
        strategies: the optimisations to make.
        machine: what pays.
        watch: called after each pass.

    Raises:
        PolyadError: the verifier found a defect; a note names the pass.
    """
    domains: dict[str, isl.Set] = {}
    program = settled(program, domains)
    verifies = os.environ.get("POLYAD_VERIFY") == "1"
    proved = _verify(program, "the definitions") if verifies else None
    for step in PASSES:
        if not step.switch or getattr(strategies, step.switch):
            result = step.run(program, machine)
            if verifies and not _same_equations(result, program):  # they never change: as right as before
                proved = _verify(result, step.name, proved)
            if watch is not None:
                watch(step, program, result)
            program = result
    return settled(program, domains)


def _same_equations(one: Program, other: Program) -> bool:
    """Whether two programs are the very same statements and arrays, in whichever order."""
    return one is other or ({*one.statements} == {*other.statements} and one.arrays == other.arrays)


def _verify(program: Program, after: str, proved: Proved | None = None) -> Proved:
    try:
        return verify(program, proved)
    except PolyadError as error:
        error.add_note(f"found by the verifier after {after}; the program was:\n{program}")
        raise
