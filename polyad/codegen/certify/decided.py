"""Decisions of a plan that hold for all sizes: formulas, places, tests of indices, switches."""

from __future__ import annotations

from polyad.codegen.certify.formulas import check_formulas
from polyad.codegen.certify.index_tests import check_index_tests
from polyad.codegen.certify.memory import WrongError
from polyad.codegen.certify.places import check_places
from polyad.codegen.certify.switched import check_switches
from polyad.codegen.loops.verify_threads import unpaired_scan
from polyad.codegen.plan import Plan

__all__ = ["check_decided"]


def check_decided(plan: Plan) -> None:
    """Prove that it is what the program needs.

    Raises:
        WrongError: it is not.
    """
    if unpaired_scan(plan.loops) is not None:
        raise WrongError("a part of a scan runs without the other one before or behind it")
    check_places(plan)
    check_formulas(plan)
    check_index_tests(plan)
    check_switches(plan)
