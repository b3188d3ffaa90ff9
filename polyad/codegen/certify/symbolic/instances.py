"""Whether the loops run the instances of the program: all of them, nothing else, none twice that contributes."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad.codegen.certify.symbolic.events import Event, NotModelledError, Ran
from polyad.codegen.certify.symbolic.recorder import Recorder
from polyad.codegen.certify.symbolic.refused import UnprovedError
from polyad.ir.expr import Indirect

__all__ = ["check_instances"]


def check_instances(recorder: Recorder) -> None:
    """Statement by statement.

    Raises:
        UnprovedError: it is not so at some sizes.
    """
    plan = recorder.plan
    places: dict[str, list[Ran]] = {}
    for ran in recorder.ran:
        places.setdefault(ran.statement, []).append(ran)
    for statement in plan.program.statements:
        wanted = statement.domain.intersect_params(plan.program.context)
        found = isl.Set.empty(wanted.get_space())
        for ran in places.get(statement.name, []):
            instances = ran.instances.range()
            if statement.reduction is not None:
                if not ran.instances.is_injective():
                    raise NotModelledError(f"{statement.name} may contribute twice")
                if not (twice := found.intersect(instances)).is_empty():
                    raise UnprovedError(twice, f"{statement.name} contributes twice")
            found = found.union(instances)
        if statement.name in plan.storage.gone:
            found = found.union(wanted)
        if not (others := found.subtract(wanted)).is_empty():
            raise UnprovedError(others, f"{statement.name} has no such instance")
        missing = wanted.subtract(found)
        if not missing.is_empty() and statement.reduction is None:
            missing = missing.subtract(_made(recorder, statement.write, statement.array))
        if not missing.is_empty():
            raise UnprovedError(missing, f"{statement.name} does not run")


def _made(recorder: Recorder, write: isl.MultiAff | Indirect, array: str) -> isl.Set:
    """The instances that define what a contraction makes."""
    assert not isinstance(write, Indirect), "definitions are where they are"
    made = _elements([e for e in recorder.events if e.array == array and e.name in recorder.made])
    access = write.as_map().set_tuple_name(isl.dim_type.out, recorder.arrays[array])
    return access.intersect_range(made).domain() if made is not None else isl.Set.empty(access.domain().get_space())


def _elements(events: Sequence[Event]) -> isl.Set | None:
    found = None
    for event in events:
        own = event.element.range()
        found = own if found is None else found.union(own)
    return found
