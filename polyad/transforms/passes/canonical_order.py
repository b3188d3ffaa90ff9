"""One order of statements and arrays that follows from the equations, so that how a program was listed decides nothing.

Whatever comes later may break ties by place in the program: places are those of this order. It is the order in which an
evaluation on demand meets what it needs:

    outputs        what needs fewer arrays first, then in the order of the call
    of one array   definitions before contributions, then what takes the shorter chain, then the simpler equation
                   (fewer dimensions, fewer nodes), then by operators, arrays of the caller, accesses and domains
    of one body    what it reads, from left to right, before itself

For programs as they are traced, that is mostly the order in which they were written. Equations of one array that are
alike but for names are told apart by what else writes and reads the arrays in them; where that is alike too, nothing
but names can tell which of them comes first.

What must hold: the same equations, without those that no output needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

import islpy as isl

from polyad.analysis.graph import reachable
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Const, Expr, Index, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ir.without_names import WithoutNames
from polyad.transforms.rewrite.array_graph import array_sources, strongly_connected_names

__all__ = ["canonical_order"]

Key = tuple[object, ...]
Groups = Sequence[Sequence[Statement]]


def canonical_order(program: Program) -> Program:
    """List the equations in an order that follows from them alone."""
    sources = array_sources(program)
    writers = _sorted_writers(program, _levels(sources))
    outputs = sorted(program.outputs, key=lambda a: len(reachable([a], sources)))
    statements = _on_demand([s for a in outputs for s in writers.get(a, ())], writers)
    arrays = dict.fromkeys([*program.inputs, *(s.array for s in statements), *program.outputs])
    if [*map(id, statements)] == [*map(id, program.statements)] and [*arrays] == [*program.arrays]:
        return program
    return replace(program, statements=tuple(statements), arrays={n: program.arrays[n] for n in arrays})


def _levels(sources: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Array -> the longest chain of arrays that it is computed from; arrays that need each other count as one."""
    level: dict[str, int] = {}
    for names in strongly_connected_names(sources):
        before = [level[x] for n in names for x in sources.get(n, ()) if x in level]
        level.update(dict.fromkeys(names, 1 + max(before, default=0) if names[0] in sources else 0))
    return level


def _on_demand(roots: Sequence[Statement], writers: Mapping[str, Sequence[Statement]]) -> list[Statement]:
    """Depth first: each statement after all that write what it reads, except where they need it themselves."""
    done: list[Statement] = []
    seen: set[str] = set()
    todo = [(s, False) for s in reversed(roots)]
    while todo:
        statement, complete = todo.pop()
        if complete:
            done.append(statement)
        elif statement.name not in seen:
            seen.add(statement.name)
            todo.append((statement, True))
            arrays = list(dict.fromkeys(r.array for r in statement.reads()))
            todo += [(s, False) for a in reversed(arrays) for s in reversed(writers.get(a, ())) if s.name not in seen]
    return done


def _sorted_writers(program: Program, level: Mapping[str, int]) -> dict[str, list[Statement]]:
    """Array -> its statements in order. What costs more to know of them is asked only where they are alike."""
    writers = program.writers()
    names = _Names(program)
    outlines = {s.name: _outline(s, level) for s in program.statements}
    keys = outlines
    for more in (_equations, _surroundings):
        alike = [group for group in writers.values() if len({keys[s.name] for s in group}) < len(group)]
        if not alike:
            break
        found = more(program, names, outlines, alike)
        keys = {n: (*key, *found.get(n, ())) for n, key in keys.items()}
    return {a: sorted(group, key=lambda s: keys[s.name]) for a, group in writers.items()}


def _outline(statement: Statement, level: Mapping[str, int]) -> Key:
    """Return the key of an equation that costs little."""
    nodes = [*statement.expressions()]
    chain = max((level.get(n.array, 0) for n in nodes if isinstance(n, Read)), default=0)
    operators = " ".join(map(_operator, nodes))
    return statement.reduction is not None, chain, len(statement.dims), len(nodes), statement.reduction or "", operators


def _operator(expr: Expr) -> str:
    match expr:
        case Const(value, dtype):
            return f"{dtype}({value!r})"
        case Apply(op, _, dtype):
            return f"{op}.{dtype}"
        case Read(_, access, dtype):
            return f"{type(access).__name__}.{dtype}"
        case _:
            return type(expr).__name__


class _Names:
    """Equations without names: in their place stand the places of what they name."""

    def __init__(self, program: Program):
        self.arrays = {a: i for i, a in enumerate((*program.inputs, *program.outputs))}
        self.isl = WithoutNames.of(program.params)

    def array(self, array: Array) -> Key:
        """Return the key of an array by itself."""
        return self.arrays.get(array.name, -1), array.dtype, array.word, *map(self.isl.extent, array.shape)

    def equation(self, s: Statement) -> Key:
        """Return the key of an equation: the arrays of the caller it reads, where, and for which instances."""
        read = tuple(self.arrays.get(r.array, -1) for r in s.reads())
        exact = [s.write, *(n.access for n in s.expressions() if isinstance(n, Read))]
        inside = [isl.MultiAff.from_aff(n.value) for n in s.expressions() if isinstance(n, Index)]
        functions = [f for f in (*exact, *inside) if isinstance(f, isl.MultiAff)]
        return read, *map(self.isl.function, functions), self.isl.domain(s.domain)


def _equations(_: Program, names: _Names, outlines: Mapping[str, Key], alike: Groups) -> dict[str, Key]:
    return {s.name: names.equation(s) for group in alike for s in group}


def _surroundings(program: Program, names: _Names, outlines: Mapping[str, Key], alike: Groups) -> dict[str, Key]:
    """Return keys by the equations that read and write the same arrays, and so on: refined while that helps."""
    equations = {s.name: (*outlines[s.name], *names.equation(s)) for s in program.statements}
    touched = {s.name: [s.array, *(r.array for r in s.reads())] for s in program.statements}
    colour = {n: _digest(names.array(a)) for n, a in program.arrays.items()}
    count = 0
    while len({*colour.values()}) > count:
        count = len({*colour.values()})
        beside: dict[str, list[str]] = {n: [] for n in colour}
        for name, arrays in touched.items():
            around = [colour[a] for a in arrays]
            for place, array in enumerate(arrays):
                beside[array].append(_digest((place, equations[name], around)))
        colour = {n: _digest((c, sorted(beside[n]))) for n, c in colour.items()}
    return {s.name: tuple(colour[a] for a in touched[s.name]) for group in alike for s in group}


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=12).hexdigest()
