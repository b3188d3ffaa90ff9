"""Shared loops: a part of several iterations does what the parts of one iteration each do.

A part first .. last runs, for each of its iterations r, what the part r .. r runs, and in the same order, if first and
last stand nowhere but in loops over all of the part, each statement being in one of them. What iterations do in
between each other does not matter, as no cell that one of them changes is touched by another: that is proved of the
parts of one iteration (races.py). So nothing may be declared for all iterations of a part.

In a region, as of a team of blocks of a GPU, threads meet as often for one iteration as for several: meetings stand
outside of the loops over a part.
"""

from __future__ import annotations

from polyad.codegen.certify.symbolic.events import NotModelledError
from polyad.codegen.loops.how import Divided
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Nonzero, Value
from polyad.codegen.loops.nodes import (
    AddUp,
    Assume,
    Barrier,
    Block,
    Contraction,
    Declare,
    Guard,
    Let,
    Load,
    Loop,
    Node,
    Region,
    Share,
    Single,
    Store,
    Subtotal,
)
from polyad.ir.affine import Affine

__all__ = ["check_rows"]


def check_rows(share: Share) -> None:
    """Whether the body runs for each iteration what it would run for it alone.

    Raises:
        NotModelledError: that cannot be told.
    """
    for child in share.body.children:
        _check(child, share, False)


def _check(node: Node, share: Share, in_row: bool) -> None:
    part = {share.first, share.last}
    match node:
        case Block(children):
            for child in children:
                _check(child, share, in_row)
        case Region(body=body) | Single(body):
            _check(body, share, in_row)
        case Barrier():
            if in_row:
                raise NotModelledError("threads meet for each iteration of a shared loop")
        case Loop(how=Divided()) if in_row:
            raise NotModelledError("threads share a loop in each iteration of another")
        case Loop(first=first, last=last, step=step, body=body):
            ends = (first, last) if step > 0 else (last, first)
            if ends == (Affine.of(share.first), Affine.of(share.last)) and abs(step) == 1 and not in_row:
                _check(body, share, True)
                return
            if part & (_names(first) | _names(last)):
                raise NotModelledError("a loop in a shared one takes some of its iterations")
            _check(body, share, in_row)
        case Contraction(nest=nest):
            _check(nest, share, in_row)
        case Guard(condition, then, otherwise):
            if part & _condition_names(condition):
                raise NotModelledError("a condition in a shared loop depends on which part it is")
            for block in (then, otherwise):
                if block is not None:
                    _check(block, share, in_row)
        case Let(value=value) | Assume(least=value):
            if part & _names(value):
                raise NotModelledError("a number in a shared loop depends on which part it is")
        case Subtotal() | AddUp() | Declare():
            _in_row(in_row)
        case Instance():
            _in_row(in_row)
            if any(part & a.names() for a in node.args):
                raise NotModelledError("a statement in a shared loop depends on which part it is")
        case Load() | Store():
            _in_row(in_row)
            if any(part & a.names() for a in node.cell.index):
                raise NotModelledError("a statement in a shared loop depends on which part it is")
        case _:
            raise NotModelledError(f"there is a {type(node).__name__} in a shared loop")


def _in_row(in_row: bool) -> None:
    if not in_row:
        raise NotModelledError("something in a shared loop runs once for a part of it")


def _names(value: Value) -> frozenset[str]:
    """All names in a value."""
    match value:
        case Affine():
            return value.names()
        case Extreme(_, args):
            return frozenset().union(*(_names(a) for a in args))
        case Choice(condition, a, b):
            return _names(a) | _names(b) | _condition_names(condition)


def _condition_names(condition: Condition) -> frozenset[str]:
    match condition:
        case Compare(_, a, b):
            return _names(a) | _names(b)
        case Combine(_, args):
            return frozenset().union(*(_condition_names(c) for c in args))
        case Nonzero(_, index):
            return frozenset().union(*map(_names, index))
