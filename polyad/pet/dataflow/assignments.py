"""Statements of C as assignments without side effects: which element gets the value of which expression.

    x += e                 x = x + e
    if (c) x = e           x = c ? e : x        where data decide c; a condition on iterators is part of the domain
    double e = f           e = f

Marks that an array's content is of no use any more are left out: they say nothing of values.
"""

from __future__ import annotations

from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.ir.names import distinct_dims
from polyad.pet.refusal import SourcePlace
from polyad.pet.scop import Access, Affine, Cast, Node, Number, Operation, Scop, ScopStatement, nodes

__all__ = ["Assignment", "assignments", "cells"]

_UPDATES = {"add_assign": "add", "sub_assign": "sub", "mul_assign": "mul", "div_assign": "div"}


@dataclass(frozen=True, slots=True, eq=False)
class Assignment:
    """target[...] = value, for all instances of a domain.

    Attributes:
        name: pet's name of the statement: the tuple name of its instances.
        dims: the iterators around it, outermost first.
        domain: { S[dims] }.
        target: the element that is written; if it depends on data, `arguments` of it are set.
        value: what it gets, without assignments inside.
        line: of the C file; 0 if pet does not know it.
        kept: the read of the element's own value, which stays where a condition on data does not hold.
    """

    name: str
    dims: tuple[str, ...]
    domain: isl.Set
    target: Access
    value: Node
    line: int
    kept: Access | None = None

    def write(self) -> isl.Map:
        """{ S[dims] -> x[c] }: the element that each instance writes; all that it may write, if data decide."""
        return cells(self.target).intersect_domain(self.domain)


def cells(access: Access) -> isl.Map:
    """{ S[i] -> x[c] }: the element that an access touches; all elements, if data decide which."""
    relation = access.index.as_map()
    if not access.arguments:
        return relation
    return relation.curry().range_factor_range()


def assignments(scop: Scop) -> tuple[Assignment, ...]:
    """The assignments of a loop nest, in the order of the text.

    Raises:
        ExtractionError: a statement does something else than to give a value to one element.
    """
    return tuple(_assignment(s, scop) for s in scop.statements if not s.kills and not _is_nothing(s.body))


def _is_nothing(body: Node) -> bool:
    """Whether a statement is a number: `(void)0;` is what `assert` becomes where NDEBUG is defined."""
    return all(
        isinstance(node, Number | Cast) or (isinstance(node, Affine) and node.value.is_cst()) for node in nodes(body)
    )


def _assignment(statement: ScopStatement, scop: Scop) -> Assignment:
    where = SourcePlace(scop.path, statement.line or scop.lines[0])
    body = statement.body
    if not isinstance(body, Operation) or len(body.arguments) != 2 or not isinstance(body.arguments[0], Access):
        raise where.refusal("statement", "a statement that assigns nothing; write `x[i] = ...`, or leave it out")
    target, value = body.arguments
    assert isinstance(target, Access)
    old = Access(target.array, target.index, reads=True, writes=False, arguments=target.arguments)
    if body.op in _UPDATES:
        value = Operation(_UPDATES[body.op], (old, value), body.bits)
    elif body.op != "assign":
        sentence = f"a statement that assigns nothing: its operator is {body.op!r}; write `x[i] = ...`"
        raise where.refusal("statement", sentence)
    kept = Access(target.array, target.index, reads=True, writes=False, arguments=target.arguments)
    for condition, wanted in statement.guards:
        branches = (value, kept) if wanted else (kept, value)
        value = Operation("cond", (condition, *branches), body.bits)
    _refuse_side_effects(value, where)
    params = islx.param_names(statement.domain)
    names = [statement.domain.get_dim_name(isl.dim_type.set, i) for i in range(statement.domain.dim(isl.dim_type.set))]
    dims = distinct_dims([n or f"i{k}" for k, n in enumerate(names)], params)
    domain = islx.name_dims(statement.domain, dims)
    only = kept if statement.guards else None
    return Assignment(statement.name, dims, domain, target, value, statement.line, only)


_EFFECTS = {*_UPDATES, "assign", "and_assign", "or_assign", "xor_assign", "post_inc", "post_dec", "pre_inc", "pre_dec"}


def _refuse_side_effects(value: Node, where: SourcePlace) -> None:
    for node in nodes(value):
        if isinstance(node, Operation) and node.op in _EFFECTS:
            sentence = "an assignment inside of an expression; give it a statement of its own before this one"
            raise where.refusal("assignment", sentence)
