"""Contractions that overwrite their result, so that nothing has to fill it with zeros first.

    C = 0                        C  = A * B
    C += A * B         ->        C += D * E
    C += D * E

The zeros go where one statement makes them, the contraction that comes next adds to exactly the elements they fill, and
nobody reads or writes the array in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import islpy as isl

from polyad.codegen.loops import Block, Contraction, Loop, Node, instances
from polyad.codegen.statement_accesses import Touch
from polyad.ir.expr import Const, access_relation
from polyad.ir.statement import Statement

__all__ = ["overwrite"]

Touches = Mapping[str, tuple[Touch, ...]]


def overwrite(
    root: Block,
    statements: Mapping[str, Statement],
    touches: Touches,
    context: isl.Set,
    fits: Callable[[Contraction], bool],
) -> Block:
    """Let the contractions outside of all loops overwrite what was zero.

    Args:
        root: the loops of the program.
        statements: by name.
        touches: the accesses of all statements.
        context: what is assumed of the sizes.
        fits: whether the macro-kernel computes a contraction; else its loops are printed, which only add.
    """
    children: list[Node | None] = list(root.children)
    for position, child in enumerate(children):
        if not isinstance(child, Contraction) or not fits(child):
            continue
        (adding,) = {i.statement for i in instances(child)}
        array = statements[adding].array
        before = [p for p in range(position) if (c := children[p]) is not None and _touches(c, array, touches)]
        if not before:
            continue
        filling = children[before[-1]]
        zeros = _zeros(filling, array, statements)
        if zeros is None or not _alone(root, (zeros.name, adding)):
            continue
        if _elements(zeros, context).is_equal(_elements(statements[adding], context)):
            children[before[-1]] = None
            children[position] = replace(child, fresh=True)
    return Block(tuple(c for c in children if c is not None))


def _touches(node: Node, array: str, touches: Touches) -> bool:
    return any(t.array == array for i in instances(node) for t in touches[i.statement])


def _zeros(node: Node | None, array: str, statements: Mapping[str, Statement]) -> Statement | None:
    """The statement, when all that a nest does is to fill an array with zeros."""
    if not isinstance(node, Loop):
        return None
    names = {i.statement for i in instances(node)}
    found = statements[next(iter(names))] if len(names) == 1 else None
    if found is None or found.array != array or found.reduction is not None:
        return None
    return found if isinstance(found.body, Const) and float(found.body.value) == 0.0 else None


def _alone(root: Block, names: tuple[str, ...]) -> bool:
    """Whether each statement stands in one place of the text."""
    return all(sum(i.statement == n for i in instances(root)) == 1 for n in names)


def _elements(statement: Statement, context: isl.Set) -> isl.Set:
    """{ C[e] }: what a statement writes."""
    domain = statement.domain.intersect_params(context)
    written: isl.Set = access_relation(statement.write).intersect_domain(domain).range()
    return written
