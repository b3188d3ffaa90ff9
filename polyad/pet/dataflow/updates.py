"""Is an assignment an update: an element combined with further terms by one operation?

x += a        x = x + a       x = a + x - b        sum of a, -b
x *= a                                             prod of a
x = fmax(x, a)                if (a > x) x = a     max of a
if (c) x += a                                      sum of c ? a : 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from polyad.ir.statement import Reduction
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.scop import Access, Call, Node, Number, Operation

__all__ = ["Update", "update_of"]


@dataclass(frozen=True, slots=True, eq=False)
class Update:
    """element = element op term op term ...

    Attributes:
        reduction: the operation.
        old: the read of the element's value before.
        terms: what is combined with it, in the order of the text.
        others: more reads of the element, which decide whether the term is taken, or stand where it is not.
    """

    reduction: Reduction
    old: Access
    terms: tuple[Node, ...]
    others: tuple[Access, ...] = ()


_IDENTITY = {"sum": "0.0", "prod": "1.0", "max": "-inf", "min": "inf"}
_CALLS: dict[str, Reduction] = {"fmax": "max", "fmaxf": "max", "fmin": "min", "fminf": "min"}
_SWAPPED = {"gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}


def update_of(assignment: Assignment) -> Update | None:
    """The assignment as an update, or None.

    The `others` read the same element as `old`; whether it held the same value is for the caller to find out.
    """
    return _update(assignment.value, assignment.target)


def _update(value: Node, target: Access) -> Update | None:
    match value:
        case Operation("add" | "sub" | "mul", (left, right)):
            return _arithmetic(value.op, left, right, target, value.bits)
        case Call(name, (left, right)) if name in _CALLS:
            for old, term in ((left, right), (right, left)):
                if _is_old(old, target):
                    assert isinstance(old, Access)
                    return Update(_CALLS[name], old, (term,))
        case Operation("cond", (condition, then, other)):
            return _extremum(condition, then, other, target) or _guarded(condition, then, other, target)
        case _:
            pass
    return None


def _arithmetic(op: str, left: Node, right: Node, target: Access, bits: int) -> Update | None:
    reduction: Reduction = "prod" if op == "mul" else "sum"
    for first, second in ((left, right), (right, left)) if op != "sub" else ((left, right),):
        # C adds from the left: (x + a) + b. The same order gives the same roundings.
        inner = _old_or_update(first, target, reduction)
        if inner is not None:
            term = Operation("minus", (second,), bits) if op == "sub" else second
            return Update(reduction, inner.old, (*inner.terms, term))
    return None


def _old_or_update(node: Node, target: Access, reduction: Reduction) -> Update | None:
    if _is_old(node, target):
        assert isinstance(node, Access)
        return Update(reduction, node, ())
    match node:
        case Operation("add" | "sub" | "mul"):
            found = _update(node, target)
            return found if found is not None and found.reduction == reduction else None
        case _:
            return None


def _extremum(condition: Node, then: Node, other: Node, target: Access) -> Update | None:
    """`a > x ? a : x` and its like."""
    match condition:
        case Operation(op, (left, right)) if op in _SWAPPED:
            pass
        case _:
            return None
    for old, term, relation in ((right, left, op), (left, right, _SWAPPED[op])):
        if not _is_old(old, target):
            continue
        assert isinstance(old, Access)
        # relation: how the term compares to the element
        greater: Reduction = "max" if relation in ("gt", "ge") else "min"
        smaller: Reduction = "min" if relation in ("gt", "ge") else "max"
        if isinstance(other, Access) and _same(then, term) and _is_old(other, target):
            return Update(greater, other, (then,), (old,))
        if isinstance(then, Access) and _is_old(then, target) and _same(other, term):
            return Update(smaller, then, (other,), (old,))
    return None


def _guarded(condition: Node, then: Node, other: Node, target: Access) -> Update | None:
    """`c ? x + a : x`: the term counts where the condition holds."""
    for changed, kept, holds in ((then, other, True), (other, then, False)):
        found = _update(changed, target)
        if found is not None and isinstance(kept, Access) and _is_old(kept, target):
            nothing = Number(_IDENTITY[found.reduction], 0)
            choices = ((t, nothing) if holds else (nothing, t) for t in found.terms)
            terms = tuple(Operation("cond", (condition, *choice), 0) for choice in choices)
            return replace(found, terms=terms, others=(*found.others, kept))
    return None


def _is_old(node: Node, target: Access) -> bool:
    return isinstance(node, Access) and _same(node, target)


def _same(one: Node, other: Node) -> bool:
    """Whether two expressions of one statement are the same by their text."""
    match one, other:
        case Access(), Access():
            same = one.array == other.array and _all_same(one.arguments, other.arguments)
            return same and bool(one.index.plain_is_equal(other.index))
        case Number(), Number():
            return one.text == other.text and (one.bits == 0) == (other.bits == 0)
        case Operation(), Operation():
            return one.op == other.op and _all_same(one.arguments, other.arguments)
        case Call(), Call():
            return one.name == other.name and _all_same(one.arguments, other.arguments)
        case _:
            return False


def _all_same(one: Sequence[Node], other: Sequence[Node]) -> bool:
    return len(one) == len(other) and all(map(_same, one, other))
