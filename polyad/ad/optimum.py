"""max and min: the derivative goes wholly to the first optimum, in the lexicographic order of the reduced dimensions.

    a[i] max= x[i, k]      gives      a_arg[i] min= select(x[i, k] >= a[i] or isnan(x[i, k]), k, largest)
                                      factor of S[i, k]:  1 where k = a_arg[i], else 0

Several reduced dimensions are found one after the other, the second among the instances that share the first. Several
statements on one array are numbered (`a_which`), its definition first. Exactly one instance wins, whatever the ties.
Where the optimum is nan, the first nan wins.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.ad.instance_array import store_body
from polyad.ad.names import Names
from polyad.ad.transpose_access import fibre_dims
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Index, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops import apply, attains, const, select
from polyad.transforms.rewrite.rename import redirect_access, rename_statement

__all__ = ["resolve_optimum"]

_LARGEST = 2**63 - 1
"""The identity of min on indices."""


def resolve_optimum(program: Program, array: str) -> tuple[Program, dict[str, Expr]]:
    """The statements that find the optimum of each element, and the factors of the statements that write it.

    Args:
        program: any program.
        array: an array that statements contribute to by max or by min.
    """
    names = Names(program)
    writers = sorted((s for s in program.statements if s.array == array), key=lambda s: s.reduction is not None)
    kind = "max" if any(s.reduction == "max" for s in writers) else "min"
    stored: dict[str, Statement] = {}
    for s in writers:
        program, stored[s.name] = store_body(s, program, names)
    program = replace(program, statements=tuple(stored.get(s.name, s) for s in program.statements))
    which = _IndexArray(program.arrays[array], names, "which") if len(writers) > 1 else None
    added: list[Statement] = []
    arrays = [which.array] if which is not None else []
    factors: dict[str, Expr] = {}
    for number, s in enumerate(stored.values()):
        wins = attains(kind, s.body, Read(array, s.write, program.arrays[array].dtype))
        won: Expr | None = None
        if which is not None:
            added.append(which.search(s, wins, const(number, "int64")))
            won = apply("eq", which.read(s), const(number, "int64"))
        assert isinstance(s.write, isl.MultiAff), "data-dependent optima are refused before"
        for k in fibre_dims(s.write, s.domain, program.context):
            arg = _IndexArray(program.arrays[array], names, "arg")
            arrays.append(arg.array)
            index = Index(isl.Aff.var_on_domain(isl.LocalSpace.from_space(s.space()), isl.dim_type.set, k))
            added.append(arg.search(s, wins if won is None else apply("and", wins, won), index))
            here = apply("eq", index, arg.read(s))
            won = here if won is None else apply("and", won, here)
        if won is not None:
            dtype = s.body.dtype
            factors[s.name] = select(won, const(1, dtype), const(0, dtype))
    program = replace(
        program,
        arrays={**program.arrays, **{a.name: a for a in arrays}},
        statements=(*program.statements, *added),
    )
    return program, factors


class _IndexArray:
    """An integer array of the shape of the optimum that holds the least index that attains it."""

    def __init__(self, optimum: Array, names: Names, label: str):
        self.array = Array(names.array(f"{optimum.name}_{label}"), optimum.shape, "int64")
        self.names = names

    def read(self, statement: Statement) -> Read:
        """The element where the statement writes."""
        return Read(self.array.name, redirect_access(statement.write, self.array.name), "int64")

    def search(self, statement: Statement, wins: Expr, index: Expr) -> Statement:
        """array[w(s)] min= index where the instance wins."""
        least = replace(
            statement,
            array=self.array.name,
            write=redirect_access(statement.write, self.array.name),
            body=select(wins, index, const(_LARGEST, "int64")),
            reduction="min",
        )
        return rename_statement(least, self.names.statement(f"{self.array.name}_{statement.name}"))
