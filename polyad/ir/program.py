"""Programs: a set of equations over integer sets, without an order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.array import Array
from polyad.ir.expr import render, render_access
from polyad.ir.scan import Scan
from polyad.ir.statement import SIGNS, Statement

__all__ = ["Program"]


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """Equations that define output arrays from input arrays.

    Attributes:
        name: used for the C function.
        context: [params] -> { : ... }, what is assumed of the sizes; it names all parameters.
        arrays: array name -> Array, inputs, outputs and temporaries.
        statements: the equations; their order means nothing.
        inputs: input array names in the order of the call.
        outputs: output array names in the order of the call.
        scans: tags of the user's scans.
        in_place: output -> the input of the same shape that it may overwrite, where that is in order: then both are one
            argument of the C function.
    """

    name: str
    context: isl.Set
    arrays: Mapping[str, Array]
    statements: tuple[Statement, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    scans: tuple[Scan, ...] = field(default=())
    in_place: Mapping[str, str] = field(default_factory=dict)

    @property
    def params(self) -> tuple[str, ...]:
        """The size parameters."""
        return islx.param_names(self.context)

    def statement(self, name: str) -> Statement:
        """The statement of that name.

        Raises:
            DefinitionError: no statement has that name.
        """
        for s in self.statements:
            if s.name == name:
                return s
        raise DefinitionError(
            f"program {self.name!r} has no statement {name!r}; it has {', '.join(s.name for s in self.statements)}"
        )

    def writers(self) -> dict[str, list[Statement]]:
        """Array name -> the statements that define it or contribute to it."""
        result: dict[str, list[Statement]] = {}
        for s in self.statements:
            result.setdefault(s.array, []).append(s)
        return result

    def readers(self) -> dict[str, list[Statement]]:
        """Array name -> the statements that read it, each once."""
        result: dict[str, list[Statement]] = {}
        for s in self.statements:
            for array in dict.fromkeys(r.array for r in s.reads()):
                result.setdefault(array, []).append(s)
        return result

    def domain(self) -> isl.UnionSet:
        """The union of all statement domains."""
        return islx.union_set((s.domain for s in self.statements), self.context.get_space())

    def with_statements(self, statements: Iterable[Statement]) -> Program:
        """The same program with other statements; temporaries nobody mentions any more are dropped."""
        kept = tuple(statements)
        named = {s.array for s in kept} | {r.array for s in kept for r in s.reads()}
        named |= set(self.inputs) | set(self.outputs)
        return replace(self, statements=kept, arrays={n: a for n, a in self.arrays.items() if n in named})

    def __str__(self) -> str:
        """Readable text, the same for equal programs built in the same way; inputs and outputs are in their order."""
        lines = [f"program {self.name}: {self.context}"]
        arguments = {"input": iter(self.inputs), "output": iter(self.outputs)}
        arrays = [self.arrays[next(arguments.get(a.role, iter((a.name,))))] for a in self.arrays.values()]
        lines += [f"  {a.word:<10} {a}" for a in arrays]
        lines += [f"  in_place  {output}: {given}" for output, given in self.in_place.items()]
        lines += [
            f"  scan      {s.name}: {s.time} < {s.length}, {'forward' if s.direction > 0 else 'reverse'}, "
            f"states {', '.join(s.states)}"
            for s in self.scans
        ]
        for s in self.statements:
            left = render_access(s.array, s.write, s.dims)
            lines.append(f"  {s.name}: {s.domain}")
            lines.append(f"      {left} {SIGNS[s.reduction]} {render(s.body, s.dims)}")
        return "\n".join(lines) + "\n"
