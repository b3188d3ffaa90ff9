"""Certifying what was compiled: the plan is made again, and has to be spelled as the C that runs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from polyad import islx
from polyad.codegen.certify.certify import Certificate, certify
from polyad.codegen.certify.symbolic.prove import OPERATIONS
from polyad.codegen.plan import plan_kernel
from polyad.errors import CertificationError, bounded_depth
from polyad.ir.program import Program
from polyad.runtime.codegen_options import codegen_options, language_of
from polyad.schedule.schedule import Schedule
from polyad.targets.target import Target

__all__ = ["certified"]


def certified(
    program: Program, schedule: Schedule, target: Target, c: str, sizes: Mapping[str, int] | None
) -> Certificate:
    """Certify a kernel.

    Args:
        program: what was compiled.
        schedule: its order.
        target: what for.
        c: what was compiled of it.
        sizes: where, all parameters of the program; when not given, some, and all of them where that is proved.

    Raises:
        CertificationError: the loops do something else than the program, or are no longer those of the C.
    """
    with islx.LOCK, bounded_depth(f"certifying {program.name!r}"):
        language = language_of(target)
        plan = plan_kernel(program, schedule, codegen_options(target), passes=language.passes)
        if _code(language.source(plan).c) != _code(c):
            again = "compile it again (it comes from another version, or from another machine)"
            raise CertificationError(f"{program.name}: these are not the loops of its C; {again}")
        return certify(plan, sizes, operations=OPERATIONS if sizes is None else 0)


def _code(c: str) -> str:
    """C without its comments, in which an equation may be written in another way that says the same."""
    return re.sub(r"/\*.*?\*/", "", c, flags=re.DOTALL)
