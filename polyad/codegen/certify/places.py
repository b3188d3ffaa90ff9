"""Places of arrays, the same for all sizes: pieces of the workspace, places of inputs, pointers, copies of threads.

The elements that loops touch are followed through these places elsewhere; here is what must hold of the places
themselves, so that those elements are where the C looks for them.
"""

from __future__ import annotations

from collections.abc import Mapping

from polyad.codegen.certify.memory import WrongError
from polyad.codegen.loops.how import Divided, Grid, Merged, Threads, Vector, Work
from polyad.codegen.loops.nodes import (
    Block,
    Contraction,
    Copies,
    Copy,
    CopyPointer,
    Loop,
    Node,
    Pack,
    Parts,
    Region,
    Shape,
    Share,
    Single,
    SlotPointer,
)
from polyad.codegen.loops.scope import declared_variable
from polyad.codegen.loops.traversal import children, declared, instances, nodes
from polyad.codegen.plan import Plan
from polyad.codegen.storage.memory_plan import EVERY_THREAD, Slot
from polyad.codegen.storage.room import ROOM, room_needed
from polyad.ir.affine import Affine

__all__ = ["check_places"]


def check_places(plan: Plan) -> None:
    """Prove it.

    Raises:
        WrongError: an array has no place of its type and of its own.
    """
    for slot in plan.storage.memory.slots:
        _slot(slot, plan)
    _homes(plan)
    for node in nodes(plan.loops):
        if isinstance(node, Pack):
            _panels(node, plan)
        elif isinstance(node, Contraction) and node.packed:
            _packed_alike(node, plan)
    _names(plan)
    _Pointers(plan).block(plan.loops, {}, None)
    _room(plan)


def _slot(slot: Slot, plan: Plan) -> None:
    """Elements have the bytes that the arrays of a piece need."""
    for array in (plan.program.arrays[n] for n in slot.arrays if n in plan.program.arrays):
        if slot.dtype != array.dtype:
            raise WrongError(f"{array.name} has elements of {array.dtype} in a piece of {slot.dtype}")
        if (array.name in plan.storage.copies) != (slot.copies is not None):
            raise WrongError(f"threads have copies of {array.name}, and its piece has room for another number of them")


def _panels(node: Pack, plan: Plan) -> None:
    """Panels have a piece for themselves, with elements of their type; how large it has to be, sizes say."""
    shape, number = node.contraction.shape, plan.known.places.get(node.name)
    slot = None if number is None else plan.storage.memory.slots[number]
    if slot is None or shape is None or slot.arrays != (node.name,) or slot.copies is not None:
        raise WrongError(f"{node.name} has no piece of the workspace for itself")
    if slot.dtype != shape.dtype:
        raise WrongError(f"{node.name} has elements of {shape.dtype} in a piece of {slot.dtype}")


def _packed_alike(node: Contraction, plan: Plan) -> None:
    """Refuse a product whose operand is packed for other numbers of rows and columns than it is told of."""
    packs = [n for n in nodes(plan.loops) if isinstance(n, Pack) and n.name == node.packed]
    if not packs or any(_panel(p.contraction) != _panel(node) for p in packs):
        raise WrongError(f"{next(instances(node)).statement} looks for other panels than those of {node.packed}")


def _panel(node: Contraction) -> tuple[object, ...]:
    shape = node.shape
    assert shape is not None, "nests without a shape are loops"
    return tuple(x.count for x in shape.columns), tuple(x.count for x in shape.sums), shape.dtype, shape.b.array


def _names(plan: Plan) -> None:
    """No C variable hides a number, an array or a size, so that each name is what the loops mean by it."""
    found = [v for n in nodes(plan.loops) if (v := declared_variable(n, plan.known.touches)) is not None]
    sums = (s for n in nodes(plan.loops) if isinstance(n, Parts) for s in n.sums)
    variables = {*(v for v, _ in found), *(name for s in sums for name in (s.part, s.parts))}
    stored = (c for name, c in plan.names.arrays.items() if name not in plan.storage.memory.variables)
    others = {*declared(plan.loops), *stored, *plan.names.params.values()}
    if hidden := variables & others:
        raise WrongError(f"the C variable {min(hidden)} hides another name")


def _homes(plan: Plan) -> None:
    """Refuse an array that is overwritten but may not be, or does not hold in the end the output looked for there."""
    program, homes = plan.program, plan.storage.memory.homes
    for array, home in homes.items():
        if home in homes:
            raise WrongError(f"{array} lies in the place of {home}, which has none of its own")
        if program.arrays[array].dtype != program.arrays[home].dtype:
            raise WrongError(f"{array} lies in the place of {home}, which has elements of another type")
        if array in program.outputs and program.in_place.get(array) != home:
            raise WrongError(f"{array} lies in the place of {home}, and is no output that callers find there")
        if program.arrays[home].role != "input":
            continue
        if home not in program.in_place.values():
            raise WrongError(f"{array} lies in the place of {home}, which nobody may overwrite")
        if not any(homes.get(o) == home for o in program.outputs):
            raise WrongError(f"{array} lies in the place of {home}, of which callers are not told")


class _Pointers:
    """Pointers that the loops declare: to pieces of several arrays, and to copies that threads have."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    def block(self, block: Block, around: Mapping[str, Copies | Copy | SlotPointer], loop: Node | None) -> None:
        """The nodes of a block; `loop` is the innermost node around that lets threads or lanes run."""
        for child in block.children:
            match child:
                case Copies(name) | Copy(name):
                    around = {**around, name: child}
                case SlotPointer(array=array):
                    self.slot(child, around)
                    around = {**around, f"the pointer {array}": child}
                case CopyPointer():
                    self.copy(child, around, loop, block)
                case _:
                    self.inside(child, around, loop)

    def inside(self, node: Node, around: Mapping[str, Copies | Copy | SlotPointer], loop: Node | None) -> None:
        """The blocks of a node."""
        match node:
            case Block():
                self.block(node, around, loop)
            case Loop(how=how, body=body):
                self.block(body, around, node if isinstance(how, Threads | Vector | Grid | Merged) else loop)
            case Share(body=body) | Region(body=body):
                self.block(body, around, node)
            case Parts(loop=inner):
                self.block(inner.body, around, node)
            case _:
                for child in children(node):
                    self.inside(child, around, loop)

    def slot(self, node: SlotPointer, around: Mapping[str, Copies | Copy | SlotPointer]) -> None:
        """It leads to the piece that the array lies in; no other one leads there where it says so."""
        if self.plan.known.places.get(node.array) != node.slot:
            raise WrongError(f"the pointer to {node.array} leads to piece {node.slot}, in which it does not lie")
        for other in around.values():
            if isinstance(other, SlotPointer) and other.slot == node.slot:
                raise WrongError(f"two pointers lead to piece {node.slot}, and each says that it is alone")

    def copy(
        self, node: CopyPointer, around: Mapping[str, Copies | Copy | SlotPointer], loop: Node | None, block: Block
    ) -> None:
        """The copy is that of the thread: of an iteration of the loop in threads directly around.

        There are as many copies as threads, and no more than iterations; so both nodes and the piece have to mean the
        same iterations. That each iteration has a number of its own is proved where it runs.
        """
        if not node.copy:
            if loop is not None:
                raise WrongError(f"all threads and lanes have the first copy of {node.array}")
            return
        copy = around.get(node.copy)
        copies = around.get(copy.copies) if isinstance(copy, Copy) else None
        slot = self.plan.storage.memory.slots[self.plan.known.places[node.array]]
        if not isinstance(copy, Copy) or not isinstance(copies, Copies):
            raise WrongError(f"{node.copy} is no number of a copy of {node.array}")
        if not isinstance(loop, Loop) or not isinstance(loop.how, Threads) or copy not in block.children:
            raise WrongError(f"{node.copy} is no number of a thread, where {node.array} is looked for")
        if loop.body is not block:
            raise WrongError(f"{node.copy} is the number of another loop than that of the threads")
        if slot.copies is None or not copy.count == copies.count == slot.copies:
            raise WrongError(f"there is another number of copies of {node.array} than of threads that have one")


def _room(plan: Plan) -> None:
    """Contractions have as much memory for themselves as the macro-kernel may need, each thread its own."""
    room = next((s for s in plan.storage.memory.slots if s.arrays == (ROOM,)), None)
    for node, threaded in _contractions(plan.loops, False):
        shape = node.shape
        if not isinstance(shape, Shape):
            continue
        title = next(instances(node)).statement
        if room is None or not _is_number(room.extents) or room.extents[0].constant < room_needed(shape, node):
            raise WrongError(f"the macro-kernel may need more memory than it has, for {title}")
        if threaded and room.copies != EVERY_THREAD:
            raise WrongError(f"several threads have one memory for contractions, of {title} among others")


def _is_number(extents: tuple[Affine, ...]) -> bool:
    return len(extents) == 1 and extents[0].is_constant


def _contractions(node: Node, threaded: bool) -> list[tuple[Contraction, bool]]:
    """Those in a tree; whether several threads, or lanes, may run one each."""
    match node:
        case Contraction():
            return [(node, threaded)]
        case Share(work=Work()) | Loop(how=Threads() | Divided() | Vector() | Grid() | Merged()):
            threaded = True
        case Single():
            threaded = False
        case _:
            pass
    return [found for child in children(node) for found in _contractions(child, threaded)]
