"""Arrays that lie where others lie already: what a C function overwrites, and what stands there on the way.

    input   A[n]              for t: for i: A_1[t + 1, i] = f(A_1[t, i - 1 .. i + 1])
    output  A_out[n]          A_out[i] = A_1[T, i]

A program says which outputs may overwrite which inputs (`Program.in_place`). Such a pair is one argument where each
element of the output comes after the last touch of what the input has in its place (one_place.py). A temporary of the
same elements with further dimensions, as the states of a time loop are, lies there, too, where each of its elements is
done with before the next one of that place begins. Other temporaries of that kind have a piece of the workspace with
one place for the elements of all steps, or two in turns, where `folding` found less.

Nothing is proved where isl would have to work for long: then memory is as if nobody had asked.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.codegen.loops.nodes import Block, Guard, Instance, Loop, Node
from polyad.codegen.loops.statement_accesses import Touch
from polyad.codegen.loops.traversal import instances, map_blocks
from polyad.codegen.storage.moments import Moments, UnknownOrderError
from polyad.codegen.storage.one_place import CopyInPlace, at_ends, copies_in_place, place, share_places
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Read
from polyad.ir.program import Program
from polyad.machine import Machine

__all__ = ["Homes", "find_homes", "in_few_steps", "without"]

Slots = dict[int, int]  # dimension -> number of slots of its circular buffer
Touches = Mapping[str, tuple[Touch, ...]]

OPERATIONS = 4_000_000
"""What isl may spend on all proofs about the places of inputs, in its own elementary operations (a second or two)."""

STEPS_OPERATIONS = 1_000_000
"""The same about other temporaries."""

_ATTEMPTS = 8  # temporaries that are tried in one place


@dataclass(frozen=True, slots=True, eq=False)
class Homes:
    """Arrays that lie in the place of inputs.

    Attributes:
        loops: those that were given.
        of: output or temporary -> the input in whose place it lies.
        slots: temporary -> its dimensions without places of their own.
        wider: those of them that have fewer elements than the input, with its extents.
        gone: statements that copy elements to their own places: `without` takes them out of the loops.
    """

    loops: Block
    of: Mapping[str, str] = field(default_factory=dict)
    slots: Mapping[str, Slots] = field(default_factory=dict)
    wider: Mapping[str, Array] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()


def find_homes(
    loops: Block, program: Program, touches: Touches, temporaries: Sequence[Array], machine: Machine
) -> Homes:
    """Put outputs, and then temporaries, in the places of inputs that they may overwrite.

    Args:
        loops: with C variables in place.
        program: the program.
        touches: the accesses of all statements.
        temporaries: those in memory.
        machine: says of which length rows are computed in vectors that overlap.
    """
    search = _Search(Moments(loops, program, touches), Homes(loops))
    try:
        with islx.bounded_operations(OPERATIONS):
            search.run(temporaries, machine)
    except islx.OperationLimitError:
        pass  # what was found until then is proved
    return search.found


def in_few_steps(
    loops: Block, program: Program, touches: Touches, arrays: Iterable[Array], known: Mapping[str, Slots]
) -> tuple[dict[str, Slots], frozenset[str]]:
    """The temporaries of which one step has the place of another, or of the one after it.

    Beside them, the statements that copy elements to their own places then.

    Args:
        loops: with C variables in place.
        program: the program.
        touches: the accesses of all statements.
        arrays: those that are in question.
        known: what was found for some of them: steps along further dimensions are looked for.
    """
    search = _Search(Moments(loops, program, touches), Homes(loops))
    result: dict[str, Slots] = {}
    gone: dict[str, set[str]] = {}
    stepwise = _written_and_read(loops, touches)
    try:
        with islx.bounded_operations(STEPS_OPERATIONS):
            for array in sorted((a for a in arrays if a.name in stepwise), key=lambda a: a.name in known):
                one, further = _steps(array, touches)
                for slots in () if array.name in known else one:
                    copies = search.proved({array.name: place(array, slots, program)}, [], [])
                    if copies is not None:
                        result[array.name] = slots
                        gone[array.name] = {c.statement for c in copies}
                        break
                few = result.get(array.name, known.get(array.name, {}))
                if few and further.keys() > few.keys():
                    copies = search.proved({array.name: place(array, further, program)}, [], [])
                    if copies is not None:
                        result[array.name] = further
                        gone[array.name] = {c.statement for c in copies}
    except islx.OperationLimitError:
        pass
    return result, frozenset().union(*gone.values())


@dataclass(slots=True, eq=False)
class _Search:
    """The state of the search: what is known, and what was found so far."""

    times: Moments
    found: Homes

    @property
    def program(self) -> Program:
        """The program."""
        return self.times.program

    def run(self, temporaries: Sequence[Array], machine: Machine) -> None:
        """Look for all homes."""
        arrays = self.program.arrays
        waiting = sorted(temporaries, key=lambda a: -len(a.shape))
        for output in self.program.outputs:
            home = self.program.in_place.get(output, output)
            here, there = arrays[output], arrays[home]
            if (here.shape, here.dtype) != (there.shape, there.dtype) or home in self.found.of.values():
                continue
            if home == output and _has_tail(here, machine):
                continue  # vectors that overlap compute elements twice, from what they must not have overwritten
            places = {home: place(there, {}, self.program), output: place(here, {}, self.program)}
            if home != output and not self.settled(places, home, output, {}):
                continue
            alike = {
                a.name: (a, own)
                for a in waiting
                if a.dtype == there.dtype and (own := _leading(a, there.shape)) is not None
            }
            for _ in range(_ATTEMPTS):
                found = self.next(places, alike, home)
                if found is None:
                    break
                array, own = alike.pop(found)
                more = {**places, found: place(array, own, self.program)}
                if self.settled(more, home, output, {found: own}):
                    places = more
                    waiting.remove(array)

    def next(self, places: Iterable[str], alike: Iterable[str], home: str) -> str | None:
        """The array that is tried now.

        Copies to a place or from it vanish; so they come first. What lies in the place of an output becomes it: there,
        only what is read where something in the place is written.
        """
        there = {*places}
        writing = [s for s in self.program.statements if s.array in there]
        copied = {s.body.array for s in writing if isinstance(s.body, Read)}
        copied |= {s.array for s in self.program.statements if isinstance(s.body, Read) and s.body.array in there}
        near = [copied, {r.array for s in writing for r in s.reads()}, alike if home in self.program.inputs else ()]
        return next((name for group in near for name in alike if name in group), None)

    def settled(self, places: Mapping[str, isl.Map], home: str, output: str, more: Mapping[str, Slots]) -> bool:
        """Whether arrays may lie in one home; then they do."""
        copies = self.proved(places, [] if home == output else [home], [output])
        if copies is None:
            return False
        gone = frozenset(c.statement for c in copies)
        self.found = Homes(
            self.found.loops,
            {**self.found.of, **{n: home for n in places if n != home}},
            {**self.found.slots, **more},
            {**self.found.wider, **self.widened(more, home)},
            self.found.gone | gone,
        )
        return True

    def widened(self, arrays: Iterable[str], home: str) -> dict[str, Array]:
        """Arrays with the extents of their home."""
        shape = self.program.arrays[home].shape
        found = {}
        for array in (self.program.arrays[n] for n in arrays):
            extents = (*array.shape[: len(array.shape) - len(shape)], *shape)
            if extents != array.shape:
                found[array.name] = replace(array, shape=extents)
        return found

    def proved(
        self, places: Mapping[str, isl.Map], inputs: Collection[str], outputs: Collection[str]
    ) -> list[CopyInPlace] | None:
        """The copies that leave the loops, if arrays may share places; None where they may not."""
        loops = self.found.loops
        try:
            copies = copies_in_place(loops, self.program, places)
            touched = [m for array in places for m in self.times.of(array)]
            touched += at_ends(self.program, id(loops), inputs, outputs)
            return copies if share_places(touched, places, copies, self.program) else None
        except UnknownOrderError:
            return None


def _written_and_read(loops: Block, touches: Touches) -> set[str]:
    """The arrays that one of the outermost loops writes and reads: of others, all steps are there before a read."""
    found: set[str] = set()
    for child in loops.children:
        own = [t for i in instances(child) for t in touches[i.statement]]
        found |= {t.array for t in own if t.kind != "read"} & {t.array for t in own if t.kind == "read"}
    return found


def _steps(array: Array, touches: Touches) -> tuple[list[Slots], Slots]:
    """Return the slots to try: one for the steps along the first dimension, two if elements need others of the array.

    And, if that is so, one place for the steps along all leading dimensions that count them.
    """
    if len(array.shape) < 2 or array.shape[0].is_constant:
        return [], {}
    own = [(w, r) for w, *reads in touches.values() for r in reads if w.array == r.array == array.name]
    return [{0: 1}, {0: 2}] if own else [{0: 1}], dict.fromkeys(range(_counting(own, len(array.shape))), 1)


def _counting(own: Iterable[tuple[Touch, Touch]], rank: int) -> int:
    """How many leading dimensions change where elements are computed from others of an array, the last one aside.

    Args:
        own: pairs of a write and a read of the array, in one statement.
        rank: its dimensions.
    """
    changed = {d for write, read in own for d in range(rank) if write.index[d] != read.index[d]}
    return next((d for d in range(rank - 1) if d not in changed), rank - 1)


def _has_tail(array: Array, machine: Machine) -> bool:
    """Whether rows are short, and no whole number of vectors (lower/vector_tails.py)."""
    lanes = machine.widest // item_bytes(array.dtype)
    if not array.shape or not array.shape[-1].is_constant:
        return False
    length = array.shape[-1].constant
    return 1 < length <= machine.tail_vectors * lanes and length % lanes != 0


def _leading(array: Array, shape: Sequence[Affine]) -> Slots | None:
    """The dimensions in front of those that a shape has; None where the others do not fit into it."""
    more = len(array.shape) - len(shape)
    room = [there - here for here, there in zip(array.shape[max(more, 0) :], shape, strict=False)]
    if more < 0 or not all(r.is_constant and r.constant >= 0 for r in room):
        return None
    return dict.fromkeys(range(more), 1)


def without(loops: Block, gone: frozenset[str]) -> Block:
    """The loops without some statements, and without what is empty then."""
    if not gone:
        return loops

    def inside(block: Block) -> Block:
        kept = [c for c in block.children if not (isinstance(c, Instance) and c.statement in gone)]
        return Block(tuple(c for c in kept if not _is_empty(c)))

    result = map_blocks(inside, loops)
    assert isinstance(result, Block)
    return result


def _is_empty(node: Node) -> bool:
    match node:
        case Block(children):
            return not children
        case Loop(body=body):
            return not body.children
        case Guard(_, then, otherwise):
            return not then.children and (otherwise is None or not otherwise.children)
        case _:
            return False
