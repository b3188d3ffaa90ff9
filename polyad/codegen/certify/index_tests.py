"""Whether every index that depends on data is tested before an element is touched by it.

Elements are followed as if data chose what lies inside of arrays; so each index has to be tested over all instances
before anything is computed, from what callers pass alone, or where it is used, or be in range whatever the data are.
"""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.certify.memory import WrongError
from polyad.codegen.lower.index_checks import CheckedIndex, index_instances, indirect_accesses
from polyad.codegen.lower.index_range import Ranges, least_sizes
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.expr import Expr, Index, reads, render
from polyad.ir.statement import Statement

__all__ = ["check_index_tests"]


def check_index_tests(plan: Plan) -> None:
    """Prove it for all accesses of a program, and of the tests themselves.

    Raises:
        WrongError: an index is not tested; it names the statement, the array and the index.
    """
    before = plan.checks.before
    for statement in plan.program.statements:
        _statement(statement, plan, before)
    for number, check in enumerate(before):
        if any(plan.program.arrays[r.array].role != "input" for r in reads(check.statement.body)):
            raise WrongError(f"an index into {check.info.array} is tested before it is computed")
        _statement(check.statement, plan, before[:number], only_body=True)


def _statement(statement: Statement, plan: Plan, before: Sequence[CheckedIndex], only_body: bool = False) -> None:
    guarded = plan.checks.guarded
    least: dict[str, int] | None = None
    for array, access in indirect_accesses(statement):
        if only_body and access is statement.write:
            continue
        for d, index in enumerate(access.index):
            extent = plan.program.arrays[array].shape[d]
            if isinstance(index, Index) or (not only_body and d in guarded.get(access, ())):
                continue
            if any(_covers(check, statement, index, extent) for check in before):
                continue
            least = least_sizes(plan.program.context) if least is None else least
            if not Ranges(least, statement.dims).inside(index, extent):
                raise WrongError(
                    f"{statement.name} touches {array} at {render(index, statement.dims)} along dimension {d}, "
                    "which nobody tests"
                )


def _covers(check: CheckedIndex, statement: Statement, index: Expr, extent: Affine) -> bool:
    """Whether a test is one of this index, for all instances, and no longer array."""
    tested = check.statement
    if render(tested.body, tested.dims) != render(index, statement.dims):
        return False
    if not (extent - check.extent).is_constant or (extent - check.extent).constant < 0:
        return False
    wanted = index_instances(statement, index, tested.name)
    return bool(wanted.is_subset(tested.domain))
