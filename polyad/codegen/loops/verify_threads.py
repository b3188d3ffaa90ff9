"""The rules of the loop IR on threads: who runs what.

- `Divided` loops, `Single` and `Barrier` stand inside of a `Region`, and not where some of its threads come only:
  inside of another `Divided` loop, or of a `Single`.
- Threads start where one thread runs: a `Threads` loop, a `Region`, and a `Share` or `Parts` with threads are not
  inside of each other.
- A launch stands outermost, and all else does where one does. In it is a `Grid` loop, whose iterations have a thread
  each, or a region each, all of its body; or one region, whose threads are those of a block, or of a team of blocks; or
  a `Share`, of which each team has a part, and a region for it; or what one thread runs. A loop that blocks of a team
  divide has a region, all of its body, whose threads are those of one block.
- A `Merged` loop is all of the body of a `Grid`, `Divided` or `Merged` loop, and does not depend on its iterator.
- What one thread does with its iterations starts and divides nothing.
- After the last pass a loop is `Serial`, `Vector`, `Threads`, `Divided`, `Grid` or `Merged`, and a contraction has its
  shape. Loops inside of a contraction are not run as loops.
"""

from __future__ import annotations

from typing import NoReturn

from polyad.codegen.loops.how import Divided, Grid, How, Merged, Parallel, Serial, Threads, Vector, in_threads
from polyad.codegen.loops.loop_values import mentioned
from polyad.codegen.loops.nodes import (
    Barrier,
    Block,
    Contraction,
    Launch,
    Loop,
    Node,
    Pack,
    Parts,
    PrefixScan,
    Region,
    Share,
    Single,
)
from polyad.codegen.loops.text import how_words, node_lines
from polyad.codegen.loops.traversal import children, nodes
from polyad.errors import DefinitionError

__all__ = ["refuse", "unpaired_scan", "verify_threads"]


def verify_threads(node: Node, last: bool, around: str = "") -> None:
    """Check a tree.

    Args:
        node: the tree.
        last: no pass comes any more.
        around: who runs it: "" for the one thread that calls the kernel, all threads of a "region", a "launch", each
            of its "blocks", or one thread among others: the words for what it is inside of.

    Raises:
        DefinitionError: it breaks a rule; the message shows the line of the node.
    """
    match node:
        case Loop(how=how):
            _check_how(node, how, last)
            if isinstance(how, Threads):
                around = _start(node, around, "a loop in threads")
            elif isinstance(how, Divided) and how.blocks:
                around = _in_region(node, around, "blocks")
                if not _is_one(node, Region):
                    refuse(node, "blocks run a region, and nothing beside it")
                if any(isinstance(n, Loop) and isinstance(n.how, Divided) and n.how.blocks for n in nodes(node.body)):
                    refuse(node, "blocks of a team have iterations inside of those of blocks")
            elif isinstance(how, Divided):
                around = _in_region(node, around, "a divided loop")
            elif isinstance(how, Grid):
                if around != "launch":
                    refuse(node, "it is not the outermost loop of a launch")
                around = how.over if how.over in ("blocks", "scans") else "a grid"
                if how.over == "scans" and not _is_one(node, PrefixScan):
                    refuse(node, "blocks run a scan, and nothing beside it")
                if how.over == "blocks" and not _is_one(node, Region):
                    refuse(node, "blocks run a region, and nothing beside it")
            _check_merged(node)
        case Block() if launches := [n for n in node.children if isinstance(n, Launch)]:
            if around or len(launches) < len(node.children):
                refuse(launches[0], "a launch stands beside other nodes")
            if (unpaired := unpaired_scan(node)) is not None:
                refuse(unpaired, "a part of a scan runs without the other one before or behind it")
        case Launch():
            if around:
                refuse(node, f"it stands inside of {around}")
            around = "launch"
        case Region() if around in ("launch", "blocks"):
            around = "region"
        case Region():
            around = _start(node, around, "region")
        case Single():
            around = _in_region(node, around, "a single")
        case Barrier():
            _in_region(node, around, "")
        case Share() if around == "launch":
            around = "blocks"
            if not isinstance(node.body.children[-1], Region) or len(node.body.children) > 1:
                refuse(node, "a team runs a region, and nothing beside it")
        case Share(work=work) if work is not None:
            around = _start(node, around, "a share")
        case Parts(threads=True):
            around = _start(node, around, "a loop in parts")
        case PrefixScan(first=first, second=second):
            if (node.part != "all" or isinstance(first, Divided)) and around not in ("launch", "scans"):
                refuse(node, "threads share its steps, and it is not all that a launch runs")
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
    if isinstance(how, Divided) and how.product and how.within != Serial():
        refuse(node, f"threads share its iterations, and one of them runs them as {how_words(how.within)}")
    inside = how.within if isinstance(how, Threads | Divided) else how
    if last and not isinstance(inside, Serial | Vector | Grid | Merged):
        refuse(node, f"{how_words(inside)} is left, though all passes have run")


def _check_merged(loop: Loop) -> None:
    """Loops that are merged with others have nothing beside them."""
    inside = [n for n in loop.body.children if isinstance(n, Loop) and isinstance(n.how, Merged)]
    if not inside:
        return
    (first, *_) = inside
    if not isinstance(loop.how, Grid | Divided | Merged) or len(loop.body.children) > 1:
        refuse(first, "it is merged with a loop that is not divided, or has more inside")
    if loop.iterator in mentioned(first.first) | mentioned(first.last):
        refuse(first, f"it is merged with the loop of {loop.iterator}, on which its limits depend")


def _is_one(loop: Loop, kind: type) -> bool:
    """Whether all of the body of a loop, and of those merged with it, is one node of a kind."""
    match loop.body.children:
        case (Loop(how=Merged()) as inside,):
            return _is_one(inside, kind)
        case (inside,):
            return isinstance(inside, kind)
        case _:
            return False


def _start(node: Node, around: str, inside: str) -> str:
    if around:
        refuse(node, f"threads start inside of {'a region' if around == 'region' else around}")
    return inside


def _in_region(node: Node, around: str, inside: str) -> str:
    if around != "region":
        refuse(node, f"it stands inside of {around}" if around else "it stands outside of regions")
    return inside


def unpaired_scan(root: Block) -> Node | None:
    """A launch of part of a scan that stands without the other one, None where all are in pairs."""
    before = ""
    for launch in root.children:
        part = next((n.part for n in nodes(launch) if isinstance(n, PrefixScan)), "all")
        if before and (part != "states" or _words(launch) != before):
            return launch
        if part == "states" and not before:
            return launch
        before = _words(launch) if part == "totals" else ""
    return root.children[-1] if before else None


def _words(launch: Node) -> str:
    """The text of a launch, the same for both parts of one scan."""
    return "\n".join(node_lines(launch)).replace(", part totals", ", part states") if isinstance(launch, Launch) else ""


def refuse(node: Node, why: str) -> NoReturn:
    """The error of a node that breaks a rule."""
    raise DefinitionError(f"the loops, `{node_lines(node)[0]}`: {why}")
