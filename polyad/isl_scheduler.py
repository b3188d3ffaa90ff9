"""isl's scheduler under a limit: the one search of isl that may run without end, and cannot be stopped from inside.

isl counts its operations, but the count is of memory that it asks for: a simplex tableau of some hundred columns turns
for minutes between two counts. So only small problems are solved in this process; all others in a child, which is given
some seconds of processor time. Problems and answers pass as text. Statements and sizes have numbers for names there:
isl keeps its sets in tables by the hash of their names, and what they are called must decide nothing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import islpy as isl

from polyad import islx

__all__ = ["Constraint", "find_schedule", "has_order"]

SECONDS = 10
"""Processor time that a child is given."""

SMALL = 12
"""Unknown coefficients of a row, over all statements, up to which a problem is solved in this process."""

OPERATIONS = 20_000_000
"""Operations of isl after which a small problem is given up."""

_Relation = TypeVar("_Relation", isl.Set, isl.Map)

Constraint = tuple[str, str, isl.Map]  # (source, sink, { source[i] -> sink[j] })

_CHILD = """
import json, sys
task = json.load(sys.stdin)
sys.path[:0] = task["path"]
try:
    import resource
    resource.setrlimit(resource.RLIMIT_CPU, (task["seconds"], task["seconds"]))
except (ImportError, ValueError, OSError):
    pass
import islpy as isl
for name, value in task["options"].items():
    getattr(isl.DEFAULT_CONTEXT, "set_schedule_" + name)(value)
validity = isl.UnionMap(task["validity"])
constraints = isl.ScheduleConstraints.on_domain(isl.UnionSet(task["domain"]))
constraints = constraints.set_validity(validity).set_coincidence(isl.UnionMap(task["coincidence"]))
constraints = constraints.set_proximity(isl.UnionMap(task["proximity"]))
print(constraints.set_context(isl.Set(task["context"])).compute_schedule())
"""


def find_schedule(
    domains: Mapping[str, isl.Set],
    order: Sequence[Constraint],
    together: Sequence[Constraint] = (),
    options: Mapping[str, int] | None = None,
) -> isl.Schedule | None:
    """Ask isl for a schedule; the statement at place k of `domains` is called `S<k>` in it, the size at place k `p<k>`.

    Args:
        domains: statement -> { S[i] }, all with the same sizes.
        order: what has to run before what, and is to run near it.
        together: further pairs that outer parallel loops must not separate.
        options: isl's scheduler options.

    Returns:
        None where isl finds none, or none within the limit.
    """
    return _Problem.of(domains, order, together, isl.Set("{ : }"), options or {}).solved()


def has_order(domains: Mapping[str, isl.Set], order: Sequence[Constraint], context: isl.Set) -> bool:
    """Whether isl finds a schedule, within the limit, that puts the second of each pair strictly behind the first.

    Args:
        domains: statement -> { S[i] }, all with the same sizes.
        order: what has to run before what.
        context: what is assumed of the sizes.
    """
    problem = _Problem.of(domains, order, (), context, {})
    # Any will do: to look for parallel loops, and for one that is near, takes isl five times as long.
    schedule = replace(problem, coincidence=isl.UnionMap("{ }"), proximity=isl.UnionMap("{ }")).solved()
    if schedule is None:
        return False
    times = schedule.get_map()  # { S[i] -> [time] }
    return bool(problem.validity.intersect(times.lex_ge_union_map(times)).is_empty())


@dataclass(frozen=True, slots=True, eq=False)
class _Problem:
    """The question put to isl, with numbers for names."""

    domain: isl.UnionSet
    validity: isl.UnionMap
    coincidence: isl.UnionMap
    proximity: isl.UnionMap
    context: isl.Set
    options: Mapping[str, int]
    unknowns: int

    @staticmethod
    def of(
        domains: Mapping[str, isl.Set],
        order: Sequence[Constraint],
        together: Sequence[Constraint],
        context: isl.Set,
        options: Mapping[str, int],
    ) -> _Problem:
        numbers = {name: f"S{k}" for k, name in enumerate(domains)}
        sizes: dict[str, str] = {}
        named = [_numbered(d, sizes).set_tuple_name(numbers[n]) for n, d in domains.items()]
        validity = islx.union_map(_pairs(c, numbers, sizes) for c in order)
        coincidence = validity.union(islx.union_map(_pairs(c, numbers, sizes) for c in together))
        unknowns = sum(d.dim(isl.dim_type.set) + d.dim(isl.dim_type.param) + 1 for d in named)
        return _Problem(
            islx.union_set(named), validity, coincidence, validity, _numbered(context, sizes), options, unknowns
        )

    def solved(self) -> isl.Schedule | None:
        """The schedule, or None."""
        return self._here() if self.unknowns <= SMALL else self._in_child()

    def _here(self) -> isl.Schedule | None:
        constraints = isl.ScheduleConstraints.on_domain(self.domain).set_validity(self.validity)
        constraints = constraints.set_coincidence(self.coincidence).set_proximity(self.proximity)
        try:
            with _set(self.options), islx.bounded_operations(OPERATIONS):
                return constraints.set_context(self.context).compute_schedule()
        except (isl.Error, islx.OperationLimitError):  # it finds no schedule, or is stopped
            return None

    def _in_child(self) -> isl.Schedule | None:
        if not os.path.basename(sys.executable or "").startswith(("python", "pypy")):
            return None  # inside of another program: there is no interpreter to start
        task = {
            "path": [str(Path(isl.__file__).parents[1])],
            "seconds": SECONDS,
            "options": dict(self.options),
            "domain": str(self.domain),
            "validity": str(self.validity),
            "coincidence": str(self.coincidence),
            "proximity": str(self.proximity),
            "context": str(self.context),
        }
        try:
            found = _answer(json.dumps(task))
        except (OSError, subprocess.SubprocessError):
            return None
        return isl.Schedule(found) if found else None


@lru_cache(maxsize=256)
def _answer(task: str) -> str:
    """The text that a child prints, "" where it finds nothing; what was asked before is not asked again."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", _CHILD],
        input=task,
        capture_output=True,
        text=True,
        timeout=6 * SECONDS,  # of waiting, where the machine is busy or knows no limit of processor time
        check=False,
    )
    return done.stdout if done.returncode == 0 else ""


def _pairs(constraint: Constraint, numbers: Mapping[str, str], sizes: dict[str, str]) -> isl.Map:
    source, sink, relation = constraint
    relation = _numbered(relation, sizes).set_tuple_name(isl.dim_type.in_, numbers[source])
    return relation.set_tuple_name(isl.dim_type.out, numbers[sink])


def _numbered(relation: _Relation, sizes: dict[str, str]) -> _Relation:
    """Put numbers in place of the names of sizes; `sizes` grows as they are met."""
    for i in range(relation.dim(isl.dim_type.param)):
        size = str(relation.get_dim_name(isl.dim_type.param, i))
        relation = relation.set_dim_name(isl.dim_type.param, i, sizes.setdefault(size, f"p{len(sizes)}"))
    return relation


@contextmanager
def _set(options: Mapping[str, int]) -> Iterator[None]:
    """Set isl's scheduler options and put the former ones back."""
    context = isl.DEFAULT_CONTEXT
    before = {name: getattr(context, f"get_schedule_{name}")() for name in options}
    try:
        for name, value in options.items():
            getattr(context, f"set_schedule_{name}")(value)
        yield
    finally:
        for name, value in before.items():
            getattr(context, f"set_schedule_{name}")(value)
