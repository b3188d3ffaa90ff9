"""Conditions that data decide, put where they are asked, and statements that nobody needs, left out.

pet keeps such a condition in an array of its own, `__pet_test_0[i]`, as other statements of the branch may change what
it was computed from. Its reads know who wrote what they read, so the condition can stand where it is asked, and say the
same: `if (x[i] > m) m = x[i]` becomes m = x[i] > m ? x[i] : m, which is a maximum.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.dataflow.flow import Flow, Origin, reads_of, reads_of_update
from polyad.pet.dataflow.scatters import Scatter
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Operation, nodes

__all__ = ["inline_conditions", "needed"]

_FLAG = "__pet_test_"
_MOST_NODES = 16  # of a condition that is computed again for each statement that asks for it


def inline_conditions(statements: Sequence[Assignment], flow: Flow) -> tuple[tuple[Assignment, ...], Flow]:
    """The same assignments with short conditions in place, and where their values come from."""
    by_name = {s.name: s for s in statements}
    reads = dict(flow.reads)
    result = []
    for s in statements:
        value = _inlined(s.value, by_name, reads)
        result.append(s if value is s.value else replace(s, value=value))
    return tuple(result), replace(flow, reads=reads)


def needed(
    statements: Sequence[Assignment], found: Sequence[Scatter], flow: Flow
) -> tuple[tuple[Assignment, ...], tuple[Scatter, ...], Flow]:
    """The assignments and scatters whose values reach what is left after the loop nest, and their reads."""
    reads = {s.name: reads_of(s) for s in statements}
    for scatter in found:
        reads[scatter.step.name] = reads_of(scatter.step)
        reads[scatter.step.name] += [r for s, u in scatter.updates for r in reads_of_update(s, u)]
    todo = [name for origin in flow.last.values() for name in origin.sources]
    reached: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in reached:
            reached.add(name)
            todo += [source for read in reads[name] for source in flow.reads[read].sources]
    kept = tuple(s for s in statements if s.name in reached)
    steps = tuple(s for s in found if s.step.name in reached)
    used = {read: flow.reads[read] for name in reached for read in reads[name]}
    return kept, steps, replace(flow, reads=used)


def _inlined(node: Node, by_name: Mapping[str, Assignment], reads: dict[Access, Origin]) -> Node:
    match node:
        case Access(array, arguments=()) if array.startswith(_FLAG):
            return _condition(node, by_name, reads)
        case Cast(argument=argument):
            below = _inlined(argument, by_name, reads)
            return node if below is argument else replace(node, argument=below)
        case Call(arguments=arguments) | Operation(arguments=arguments):
            inner = tuple(_inlined(a, by_name, reads) for a in arguments)
            same = all(a is b for a, b in zip(inner, arguments, strict=True))
            return node if same else replace(node, arguments=inner)
        case _:
            return node


def _condition(flag: Access, by_name: Mapping[str, Assignment], reads: dict[Access, Origin]) -> Node:
    """Return the expression of a flag, as seen from the statement that reads it; the flag itself if it is long."""
    origin = reads[flag]
    if len(origin.sources) != 1 or not origin.outside.is_empty():
        return flag
    ((name, relation),) = origin.sources.items()
    value = by_name[name].value
    below = list(nodes(value))
    if len(below) > _MOST_NODES or any(isinstance(n, Access) and n.arguments for n in below):
        return flag
    pieces = islx.pieces(isl.PwMultiAff.from_map(relation))
    if len(pieces) != 1:
        return flag
    return _moved(value, relation, pieces[0][1], reads)


def _moved(node: Node, relation: isl.Map, function: isl.MultiAff, reads: dict[Access, Origin]) -> Node:
    """An expression of T[j] as seen from S[i], for { S[i] -> T[j] }."""
    match node:
        case Access():
            moved = replace(node, index=node.index.pullback_multi_aff(function))
            before = reads[node]
            sources = {n: relation.apply_range(m) for n, m in before.sources.items()}
            outside = relation.apply_range(before.outside)
            reads[moved] = Origin({n: m for n, m in sources.items() if not m.is_empty()}, outside)
            return moved
        case Affine(value=value):
            return replace(node, value=value.pullback_multi_aff(function))
        case Cast(argument=argument):
            return replace(node, argument=_moved(argument, relation, function, reads))
        case Call(arguments=arguments) | Operation(arguments=arguments):
            return replace(node, arguments=tuple(_moved(a, relation, function, reads) for a in arguments))
        case _:
            return node
