"""The whole way from a program to a kernel, as one list of stages.

    define (frontend) -> differentiate (ad) -> here: simplify -> schedule -> generate -> compile -> Kernel

The verifier runs after every pass when the environment variable POLYAD_VERIFY is set to 1, as the tests do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Source
from polyad.errors import PolyadError
from polyad.export.library import export
from polyad.inspect.describe import describe
from polyad.ir.json_text import to_json
from polyad.ir.program import Program
from polyad.islx import LOCK
from polyad.runtime.cache import digest, open_cache
from polyad.runtime.fingerprint import fingerprint
from polyad.runtime.kernel import Kernel
from polyad.runtime.vector_width import vector_bytes
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.verify import verify
from polyad.targets.target import Target, resolve
from polyad.transforms.block_points import block_points
from polyad.transforms.coalesce_copies import coalesce_copies
from polyad.transforms.drop_unit_dims import drop_unit_dims
from polyad.transforms.eliminate_dead import eliminate_dead
from polyad.transforms.fix_sizes import fix_sizes
from polyad.transforms.initialise import initialise
from polyad.transforms.inline import inline
from polyad.transforms.join_pieces import join_pieces
from polyad.transforms.keep_reciprocals import keep_reciprocals
from polyad.transforms.merge_contributions import accumulate
from polyad.transforms.merge_equal import merge_equal
from polyad.transforms.merge_overlaps import merge_overlaps
from polyad.transforms.name_statements import name_statements
from polyad.transforms.pad_operands import pad_operands
from polyad.transforms.residues import split_residues
from polyad.transforms.row_sums import row_sums
from polyad.transforms.share_reciprocals import share_reciprocals
from polyad.transforms.shift_domains import shift_domains
from polyad.transforms.simplify import simplify
from polyad.transforms.split_flat_time import split_flat_time
from polyad.transforms.split_wraps import split_wraps
from polyad.transforms.stairs import pad_triangles
from polyad.transforms.unstride import unstride
from polyad.transforms.vector_layout import vector_layout
from polyad.transforms.zero_terms import drop_zero_terms

__all__ = ["PASSES", "compile_program", "prepare"]

Pass = Callable[[Program], Program]

PASSES: tuple[Pass, ...] = (
    drop_unit_dims,  # axes of extent 1
    simplify,  # constants, affine conditions, structural zeros
    merge_equal,  # the same array twice; before different parts of the two are found dead
    eliminate_dead,  # what no output needs
    inline,  # cheap definitions into their readers
    join_pieces,  # base case and step that say the same
    coalesce_copies,  # a state is written where it is computed
    accumulate,  # contractions straight into the sums they are added to
    inline,  # what the merging made cheap
    simplify,
    drop_zero_terms,  # conditions of definitions cut the sums over them
    merge_overlaps,  # one equation for what contributions to an interior have in common
    split_wraps,  # inside, indices do not wrap around
    split_flat_time,  # what belongs to a segment of a checkpointed scan says so
    unstride,  # loops that count in steps of one
    shift_domains,  # loops that count from zero
    eliminate_dead,  # instances nobody reads any more
    name_statements,  # after what they define
    initialise,  # identities spelled out: from here on every element has its first write
)
"""What is done to a program before it is scheduled, in order; each takes a valid program and returns one."""


def prepare(program: Program) -> Program:
    """Run all passes; with POLYAD_VERIFY=1 the verifier runs after each."""
    for step in PASSES:
        program = _checked(step, program)
    return program


def _checked(step: Pass, program: Program) -> Program:
    result = step(program)
    if os.environ.get("POLYAD_VERIFY") == "1":
        _verify(result, step.__name__)
    return result


def _verify(program: Program, after: str) -> None:
    try:
        verify(program)
    except PolyadError as error:
        error.add_note(f"found by the verifier after {after}; the program was:\n{program}")
        raise


class _HandOver:
    """What later stages do with a kernel."""

    def export(self, kernel: Kernel, directory: Path, name: str | None, march: str | None) -> tuple[Path, ...]:
        """Write libraries for C."""
        return export(kernel, directory, name, march)

    def describe(self, kernel: Kernel) -> str:
        """Describe the kernel in text."""
        return describe(kernel)

    def __reduce__(self) -> Any:
        return (_HandOver, ())


def compile_program(
    program: Program,
    target: str | Target = "openmp",
    sizes: Mapping[str, int] | None = None,
    schedule: Schedule | None = None,
    unflatten: Callable[[tuple[Any, ...]], Any] | None = None,
) -> Kernel:
    """Compile a program.

    Args:
        program: valid; names are what users and C will see.
        target: what to compile for.
        sizes: sizes to fix.
        schedule: used instead of the default after it was proved legal.
        unflatten: makes the result of a call from the tuple of output arrays.

    Raises:
        IllegalScheduleError: the schedule violates a dependence.
        CompileError: no C compiler, or it failed.
    """
    chosen = resolve(target)
    key = digest(fingerprint(), str(program), repr(sorted((sizes or {}).items())), repr(chosen), str(schedule or ""))
    cache = open_cache()
    record = cache.load("programs", key, {"source": dict, "program": str, "schedule": str})
    if record is not None:
        try:
            source = Source.from_dict(record["source"])
        except (KeyError, TypeError, ValueError, AttributeError):
            record = None  # written by something else: compile again
    if record is None:
        with LOCK:
            prepared = prepare(fix_sizes(program, sizes or {}))
            if chosen.strategies.reciprocals:
                prepared = _checked(share_reciprocals, prepared)
                prepared = _checked(keep_reciprocals, prepared)
            if chosen.strategies.rows:
                prepared = _checked(row_sums, prepared)
            if chosen.strategies.layout:
                prepared = _checked(vector_layout, prepared)
            if chosen.strategies.points:
                prepared = _checked(block_points, prepared)
            if chosen.strategies.contraction:
                prepared = _checked(pad_operands, prepared)
                prepared = _checked(split_residues, prepared)  # where a frame would be too wide
                prepared = _checked(pad_operands, prepared)
                prepared = _checked(pad_triangles, prepared)
            if schedule is not None:
                schedule.check(prepared)
            order = schedule if schedule is not None else default_schedule(prepared, chosen.strategies)
            options = CodegenOptions(
                chosen.openmp, vector_bytes=vector_bytes(chosen.march), strategies=chosen.strategies
            )
            source = generate(prepared, order, options)
            record = {"source": source.to_dict(), "program": to_json(prepared), "schedule": str(order)}
        cache.store("programs", key, record)
    return Kernel(
        source,
        chosen,
        program=record["program"],
        schedule=record["schedule"],
        hand_over=_HandOver(),
        unflatten=unflatten,
    )
