"""Certifying what was compiled: the plan is made again, proved, and found again in the C that runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from polyad import islx
from polyad.codegen.certify.certify import Certificate, certify
from polyad.codegen.certify.symbolic.prove import OPERATIONS
from polyad.codegen.source import Source
from polyad.errors import CertificationError, bounded_depth
from polyad.ir.program import Program
from polyad.runtime.codegen_options import codegen_options, language_of
from polyad.schedule.schedule import Schedule
from polyad.targets.target import Target

__all__ = ["certified"]


def certified(
    program: Program, schedule: Schedule, target: Target, source: Source, sizes: Mapping[str, int] | None
) -> Certificate:
    """Certify a kernel.

    Args:
        program: what was compiled.
        schedule: its order.
        target: what for.
        source: what was compiled of it.
        sizes: where, all parameters of the program; when not given, some, and all of them where that is proved.

    Raises:
        CertificationError: the loops do something else than the program, or the C something else than the loops.
    """
    with islx.LOCK, bounded_depth(f"certifying {program.name!r}"):
        language = language_of(target)
        plan = language.plan(program, schedule, codegen_options(target, source.in_order))
        certificate = certify(plan, sizes, operations=OPERATIONS if sizes is None else 0)
        if language.read_back is None:
            return certificate
        try:
            return replace(certificate, text=language.read_back(plan, source))
        except CertificationError as error:
            error.add_note("a kernel of another version, or of another machine, is compiled again to be certified")
            raise
