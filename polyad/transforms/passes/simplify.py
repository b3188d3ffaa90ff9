"""Say each equation with less: fold constants, cut domains at affine conditions, drop zero contributions.

What must hold: the pieces of a cut domain are disjoint and make up all of it; elements that lose their last
contribution keep the identity as definition.
"""

from __future__ import annotations

import operator

from polyad.ir.expr import Const
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.transforms.rewrite.affine_conditions import split_affine_selects
from polyad.transforms.rewrite.fold import fold_statement
from polyad.transforms.rewrite.identity_definition import restored_identities

__all__ = ["simplify"]


def simplify(program: Program) -> Program:
    """Fold every body through the table of operators and take affine conditions out of expressions.

    Makes smaller: the number of operations of an instance, and, where `select(affine, f, 0)` stands under a sum, the
    number of instances. A statement that is cut becomes `S`, `S_1`, ... on disjoint parts of its domain.
    """
    taken = {s.name for s in program.statements}
    result: list[Statement] = []
    dropped: dict[str, Reduction] = {}
    for statement in program.statements:
        pieces = split_affine_selects(fold_statement(statement), taken, program.context)
        taken.update(p.name for p in pieces)
        for piece in pieces:
            if piece.reduction == "sum" and isinstance(piece.body, Const) and piece.body.value == 0:
                dropped[piece.array] = piece.reduction
            else:
                result.append(piece)
        if not pieces and statement.reduction is not None:
            dropped[statement.array] = statement.reduction
    if len(result) == len(program.statements) and all(map(operator.is_, result, program.statements)):
        return program
    return program.with_statements(result + restored_identities(program, result, dropped))
