"""isl's texts without names: in their place stand the places of what they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.program import Program

__all__ = ["WithoutNames", "program_without_names"]

_WORD = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True, slots=True)
class WithoutNames:
    """Writes sets and functions with p0, p1, ... for sizes and i0, i1, ... for dimensions.

    Attributes:
        sizes: size -> its new name.
    """

    sizes: dict[str, str]

    @staticmethod
    def of(params: Sequence[str]) -> WithoutNames:
        """For the sizes of a program, in their order."""
        return WithoutNames({p: f"p{i}" for i, p in enumerate(params)})

    def function(self, function: isl.MultiAff) -> str:
        """{ [i0, i1, ...] -> ... }."""
        for i in range(function.dim(isl.dim_type.in_)):
            function = function.set_dim_name(isl.dim_type.in_, i, f"i{i}")
        return self.text(str(function.reset_tuple_id(isl.dim_type.in_).reset_tuple_id(isl.dim_type.out)))

    def row(self, row: isl.PwAff) -> str:
        """{ [i0, i1, ...] -> [...] }, of one loop of a schedule."""
        for i in range(row.dim(isl.dim_type.in_)):
            row = row.set_dim_id(isl.dim_type.in_, i, isl.Id(f"i{i}"))
        return self.text(str(row.reset_tuple_id(isl.dim_type.in_)))

    def extent(self, extent: Affine) -> str:
        """An extent of an array."""
        return str(extent.substitute({p: Affine.of(i) for p, i in self.sizes.items()}))

    def domain(self, domain: isl.Set) -> str:
        """{ [i0, i1, ...] : ... }."""
        dims = [f"i{i}" for i in range(domain.dim(isl.dim_type.set))]
        return self.text(str(islx.name_dims(domain.reset_tuple_id(), dims)))

    def text(self, text: str) -> str:
        """Any text of isl with other names of sizes."""
        return _WORD.sub(lambda word: self.sizes.get(word[0], word[0]), text)


def program_without_names(program: Program) -> str:
    """A program as text in which arrays, statements, dimensions and sizes are numbers: their places.

    Programs that differ in names alone, and list their statements in the same order, have the same text.
    """
    names = WithoutNames.of(program.params)
    arrays = [*dict.fromkeys((*program.inputs, *program.outputs, *program.arrays))]
    places = {a: i for i, a in enumerate(arrays)}
    lines = [names.text(str(program.context)), f"{len(program.inputs)} inputs, {len(program.outputs)} outputs"]
    lines += [
        f"a{places[a.name]}: {a.dtype} {a.word} [{', '.join(map(names.extent, a.shape))}]"
        for a in (program.arrays[n] for n in arrays)
    ]
    lines += [f"a{places[a]} in place of a{places[b]}" for a, b in program.in_place.items()]
    for s in program.statements:
        left = f"a{places[s.array]} {s.reduction} at {_access(s.write, names, places)}"
        lines.append(f"{names.domain(s.domain)}: {left}: {_expr(s.body, names, places)}")
    return "\n".join(lines) + "\n"


def _access(access: Access, names: WithoutNames, places: dict[str, int]) -> str:
    if isinstance(access, Indirect):
        return f"[{', '.join(_expr(i, names, places) for i in access.index)}]"
    return names.function(access)


def _expr(expr: Expr, names: WithoutNames, places: dict[str, int]) -> str:
    match expr:
        case Const(value, dtype):
            return f"{value!r}.{dtype}"
        case Index(value):
            return names.function(isl.MultiAff.from_aff(value))
        case Read(array, access, dtype):
            return f"a{places[array]}.{dtype} at {_access(access, names, places)}"
        case Apply(op, args, dtype):
            return f"{op}.{dtype}({', '.join(_expr(a, names, places) for a in args)})"
        case Select(cond, a, b, dtype):
            return f"select.{dtype}({', '.join(_expr(e, names, places) for e in (cond, a, b))})"
