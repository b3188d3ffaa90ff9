"""Guards that test a switch: what they leave out need not run, and what they test is there.

Such a guard is proved as if it was always true: whatever order is right then is right where it is false, too, since
nobody needs what is left out. That this is so is looked up in the program for each instance.
"""

from __future__ import annotations

from polyad.codegen.certify.execution import Execution
from polyad.codegen.certify.integers import index_function
from polyad.codegen.certify.memory import WrongError, text
from polyad.codegen.certify.told import Told
from polyad.codegen.loops.loop_values import Nonzero
from polyad.codegen.loops.nodes import Guard
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.plan import Plan
from polyad.codegen.switched_instances import switches_in

__all__ = ["check_switches", "run_switched"]


def check_switches(plan: Plan) -> None:
    """Every instance behind a switch is one that nothing needs where that is zero.

    Raises:
        WrongError: one is needed.
    """
    guards = [(n, n.condition) for n in nodes(plan.loops) if isinstance(n, Guard) and isinstance(n.condition, Nonzero)]
    found = switches_in(plan.loops, plan.program) if guards else {}
    for guard, test in guards:
        for instance in instances(guard.then):
            index = found.get(instance.statement, {}).get(test.array)
            values = dict(zip(plan.known.statements[instance.statement].dims, instance.args, strict=True))
            if index is None or tuple(i.substitute(values) for i in index) != test.index:
                raise WrongError(
                    f"{instance.statement} is left out where {test.array} is zero, and may be needed there"
                )


def run_switched(run: Execution, guard: Guard) -> None:
    """Read the element that is tested, and run what is behind it."""
    test = guard.condition
    assert isinstance(test, Nonzero)
    element = (test.array, index_function(test.index)(run.names))
    by = f"the test of {text(element)}"
    if test.local:
        variable, chain = run.local(test.local, by)
        with Told(by, test.local):
            variable.cell.on_read(chain)
        run.whole(variable.cell, element, by)
    else:
        run.whole(run.loaded(element, by), element, by)
    run.block(guard.then)
