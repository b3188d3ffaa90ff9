"""The rules of the loop IR on threads: who runs what.

- `Divided` loops, `Single` and `Barrier` stand inside of a `Region`, and not where some of its threads come only:
  inside of another `Divided` loop, or of a `Single`.
- Threads start where one thread runs: a `Threads` loop, a `Region`, and a `Share` or `Parts` with threads are not
  inside of each other.
- What one thread does with its iterations starts and divides nothing.
- After the last pass a loop is `Serial`, `Vector`, `Threads` or `Divided`, and a contraction has its shape. Loops
  inside of a contraction are not run as loops.
"""

from __future__ import annotations

from typing import NoReturn

from polyad.codegen.loops.how import Divided, How, Parallel, Serial, Threads, Vector, in_threads
from polyad.codegen.loops.nodes import Barrier, Contraction, Loop, Node, Pack, Parts, PrefixScan, Region, Share, Single
from polyad.codegen.loops.text import how_words, node_lines
from polyad.codegen.loops.traversal import children
from polyad.errors import DefinitionError

__all__ = ["refuse", "verify_threads"]


def verify_threads(node: Node, last: bool, around: str = "") -> None:
    """Check a tree.

    Args:
        node: the tree.
        last: no pass comes any more.
        around: who runs it: "" for the one thread that calls the kernel, all threads of a "region", or one thread among
            others: the words for what it is inside of.

    Raises:
        DefinitionError: it breaks a rule; the message shows the line of the node.
    """
    match node:
        case Loop(how=how):
            _check_how(node, how, last)
            if isinstance(how, Threads):
                around = _start(node, around, "a loop in threads")
            elif isinstance(how, Divided):
                around = _in_region(node, around, "a divided loop")
        case Region():
            around = _start(node, around, "region")
        case Single():
            around = _in_region(node, around, "a single")
        case Barrier():
            _in_region(node, around, "")
        case Share(work=work) if work is not None:
            around = _start(node, around, "a share")
        case Parts(threads=True):
            around = _start(node, around, "a loop in parts")
        case PrefixScan(first=first, second=second):
            _check_how(node, first, last)
            _check_how(node, second, last)
        case Contraction(shape=shape) | Pack(contraction=Contraction(shape=shape)):
            if last and shape is None:
                refuse(node, "it has no shape, though all passes have run")
            return
        case _:
            pass
    for child in children(node):
        verify_threads(child, last, around)


def _check_how(node: Node, how: How, last: bool) -> None:
    if isinstance(how, Parallel | Threads | Divided):
        if in_threads(how.within):
            refuse(node, f"one thread runs its iterations as {how_words(how.within)}")
        if isinstance(how.within, Vector) and how.within.sums:
            refuse(node, "threads reduce into no variable")
    inside = how.within if isinstance(how, Threads | Divided) else how
    if last and not isinstance(inside, Serial | Vector):
        refuse(node, f"{how_words(inside)} is left, though all passes have run")


def _start(node: Node, around: str, inside: str) -> str:
    if around:
        refuse(node, f"threads start inside of {'a region' if around == 'region' else around}")
    return inside


def _in_region(node: Node, around: str, inside: str) -> str:
    if around != "region":
        refuse(node, f"it stands inside of {around}" if around else "it stands outside of regions")
    return inside


def refuse(node: Node, why: str) -> NoReturn:
    """The error of a node that breaks a rule."""
    raise DefinitionError(f"the loops, `{node_lines(node)[0]}`: {why}")
