"""Pointers that change places, as memory that does: each stays where it is, and what it points to moves.

    double *t = prev;                      for (long k = 0; k < m; k++) {
    prev = cur;                                double t = prev[k];
    cur = t;                                   prev[k] = cur[k];
                                               cur[k] = t;
                                           }

That is the same wherever elements are named through these pointers only. Blocks that the function is given, and not its
own memory, hold at the end what the caller expects there: where the last turn was an odd one, they change places again.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pycparser import c_ast, c_parser

from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.outside import is_new_memory, target_of
from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.c_text.tree_edits import put
from polyad.pet.c_tree.nodes import assign, constant, counted_loop, factors, spelled

__all__ = ["rotations_as_copies"]


@dataclass(frozen=True, slots=True)
class _Rotation:
    """Statements that let pointers change places.

    Attributes:
        names: the pointers; each gets the place of the one behind it, and the last that of the first.
        spare: the pointer that holds a place meanwhile.
        declares: whether it is declared there.
        count: of statements.
    """

    names: tuple[str, ...]
    spare: str
    declares: bool
    count: int


def rotations_as_copies(tree: c_ast.FuncDef, shapes: Mapping[str, Sequence[str]]) -> bool:
    """Change a function; returns whether pointers change places in it.

    Args:
        tree: the function.
        shapes: parameter -> its extents, as C text, where the caller has said them.
    """
    found = [r for block, _ in walk(tree.body) for r in _rotations(block).values()]
    blocks = _Blocks(tree, shapes)
    good = {r.names for r in found if blocks.length(r) is not None}
    if not good or any(r.names not in good for r in found):
        return False
    spares = {r.spare for r in found}
    if spares & {n for r in found for n in r.names} or not blocks.are_private(found):
        return False
    given = [r for r in found if blocks.is_given(r)]
    if (
        any(len(r.names) > 2 for r in given)
        or len({r.names for r in given}) > 1
        or (given and blocks.returns(given[0]))
    ):
        return False
    turns = new_name("turns", blocks.names) if given else ""
    for block, _ in list(walk(tree.body)):
        there = _rotations(block)
        if not there:
            continue
        items: list[c_ast.Node] = []
        k = 0
        while k < len(block.block_items):
            item = block.block_items[k]
            if k in there:
                items.append(blocks.moved(there[k], item))
                if blocks.is_given(there[k]):
                    items.append(c_ast.UnaryOp("p++", c_ast.ID(turns), item.coord))
                k += there[k].count
                continue
            if not (isinstance(item, c_ast.Decl) and item.name in spares):
                items.append(item)
            k += 1
        block.block_items = items
    if given:
        blocks.put_back(given[0], turns)
    return True


def _rotations(block: c_ast.Node) -> dict[int, _Rotation]:
    """The rotations among the statements of a block, by where they begin."""
    items = (block.block_items or []) if isinstance(block, c_ast.Compound) else []
    found: dict[int, _Rotation] = {}
    for k, item in enumerate(items):
        spare, first = _pair(item)
        if not spare:
            continue
        names, length = [first], 1
        for later in items[k + 1 :]:
            target, value = _pair(later)
            length += 1
            if isinstance(later, c_ast.Decl) or target != names[-1] or not value:
                break
            if value == spare:
                found[k] = _Rotation(tuple(names), spare, isinstance(item, c_ast.Decl), length)
                break
            names.append(value)
    return {k: r for k, r in found.items() if len(r.names) > 1 and len({*r.names}) == len(r.names)}


def _pair(item: c_ast.Node) -> tuple[str, str]:
    """The names in `p = q` and `double *p = q`."""
    match item:
        case c_ast.Decl(name=name, type=c_ast.PtrDecl(), init=c_ast.ID(name=value)):
            return str(name), str(value)
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=c_ast.ID(name=value)):
            return str(name), str(value)
        case _:
            return "", ""


def _uses(rotation: _Rotation) -> int:
    """How often a rotation names its spare pointer, but for a declaration."""
    return 1 if rotation.declares else 2


class _Blocks:
    """The memory that pointers of a function point to."""

    def __init__(self, tree: c_ast.FuncDef, shapes: Mapping[str, Sequence[str]]):
        self.tree, self.shapes = tree, shapes
        self.parameters = {p.name: p for p in parameters_of(tree)}
        self.declared = {n.name: n for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)}
        self.names = names_in(tree)

    def home(self, name: str) -> c_ast.Node | None:
        """The array, or memory of its own, that a pointer is set to, once, before it changes places."""
        declaration = self.declared.get(name)
        if declaration is None or not isinstance(declaration.type, c_ast.PtrDecl):
            return None
        if declaration.init is not None:
            return declaration.init
        first = [
            n.rvalue
            for n in self.tree.body.block_items or []
            if isinstance(n, c_ast.Assignment) and getattr(n.lvalue, "name", "") == name
        ]
        return first[0] if len(first) == 1 else None

    def length(self, rotation: _Rotation) -> c_ast.Node | None:
        """How many elements each of the blocks has; None where it is not known, or not one number."""
        found = [self.elements(name) for name in rotation.names]
        if any(e is None for e in found) or len({spelled(e) for e in found if e is not None}) != 1:
            return None
        return found[0]

    def elements(self, name: str) -> c_ast.Node | None:
        """How many elements the block of a pointer has."""
        home = self.home(name)
        while isinstance(home, c_ast.Cast):
            home = home.expr
        if isinstance(home, c_ast.FuncCall) and is_new_memory(c_ast.Decl(None, [], [], [], [], None, home, None)):
            arguments = list(home.args.exprs)
            parts = [f for a in arguments[: 2 if home.name.name.endswith("calloc") else 1] for f in factors(a)]
            rest = [f for f in parts if not (isinstance(f, c_ast.UnaryOp) and f.op == "sizeof")]
            return rest[0] if len(rest) == 1 and len(parts) == 2 else None
        if not isinstance(home, c_ast.ID):
            return None
        array = self.declared.get(home.name) or self.parameters.get(home.name)
        told = self.shapes.get(home.name, ())
        if len(told) == 1:
            return c_parser.CParser().parse(f"int n = {told[0]};").ext[0].init
        kind = getattr(array, "type", None)
        return kind.dim if isinstance(kind, c_ast.ArrayDecl) and isinstance(kind.type, c_ast.TypeDecl) else None

    def is_given(self, rotation: _Rotation) -> bool:
        """Whether the blocks are the caller's."""
        homes = [self.home(name) for name in rotation.names]
        return any(isinstance(h, c_ast.ID) and h.name in self.parameters for h in homes)

    def are_private(self, rotations: Sequence[_Rotation]) -> bool:
        """Whether blocks are named through the pointers that change places only, and each by one of them."""
        names = {n for r in rotations for n in r.names}
        homes = [h.name for n in names if isinstance(h := self.home(n), c_ast.ID)]
        nodes = [n for n, _ in walk(self.tree.body)]
        used = [n.name for n in nodes if isinstance(n, c_ast.ID)]
        if any(homes.count(h) > 1 or used.count(h) > 1 for h in homes):
            return False
        if self.points_elsewhere(names, {r.spare for r in rotations}):
            return False
        if any(used.count(r.spare) != sum(_uses(o) for o in rotations if o.spare == r.spare) for r in rotations):
            return False
        counts = {r.names: 0 for r in rotations}
        for r in rotations:
            counts[r.names] += 1
        sets = [t.name for n in nodes if isinstance(t := target_of(n), c_ast.ID)]
        once = {n: self.declared[n].init is None for n in names}
        return all(sets.count(n) == sum(c for r, c in counts.items() if n in r) + once[n] for n in names)

    def points_elsewhere(self, names: set[str], spares: set[str]) -> bool:
        """Whether another pointer is set to a place in what the pointers point to, where it would not see it move."""
        for node, _ in walk(self.tree.body):
            match node:
                case c_ast.Decl(name=name, type=c_ast.PtrDecl(), init=value) if value is not None:
                    pass
                case c_ast.Assignment(op="=", lvalue=c_ast.ID(name=name), rvalue=value):
                    if not isinstance(getattr(self.declared.get(name), "type", None), c_ast.PtrDecl):
                        continue
                case _:
                    continue
            if name not in names | spares and any(isinstance(n, c_ast.ID) and n.name in names for n, _ in walk(value)):
                return True
        return False

    def returns(self, rotation: _Rotation) -> bool:
        """Whether the function returns what is in the blocks, or ends before its last statement."""
        ends = [n for n, _ in walk(self.tree.body) if isinstance(n, c_ast.Return)]
        last = (self.tree.body.block_items or [None])[-1]
        return any(
            e is not last or any(isinstance(n, c_ast.ID) and n.name in rotation.names for n, _ in walk(e)) for e in ends
        )

    def moved(self, rotation: _Rotation, where: c_ast.Node) -> c_ast.For:
        """The loop that moves what pointers point to."""
        length = self.length(rotation)
        index, spare = new_name("k", self.names), new_name(f"{rotation.spare}_value", self.names)
        first, *_ = rotation.names
        kind = copy.deepcopy(self.declared[first].type.type)
        kind.declname, kind.quals = spare, []
        elements = [c_ast.ArrayRef(c_ast.ID(n), c_ast.ID(index)) for n in rotation.names]
        body: list[c_ast.Node] = [c_ast.Decl(spare, [], [], [], [], kind, elements[0], None)]
        for target, value in zip(elements, [*elements[1:], c_ast.ID(spare)], strict=True):
            body.append(assign(target, "=", copy.deepcopy(value), where))
        result = counted_loop(index, copy.deepcopy(length), c_ast.Compound(body))
        for node, _ in walk(result):
            node.coord = where.coord
        return result

    def put_back(self, rotation: _Rotation, turns: str) -> None:
        """Count the turns, and let given blocks change places at the end where that is odd."""
        items = list(self.tree.body.block_items)
        place = len(items) - isinstance(items[-1], c_ast.Return)
        kind = c_ast.TypeDecl(turns, [], None, c_ast.IdentifierType(["int"]))
        begin = next(k for k, item in enumerate(items) if not isinstance(item, c_ast.Pragma))
        odd = c_ast.BinaryOp("==", c_ast.BinaryOp("%", c_ast.ID(turns), constant(2)), constant(1))
        where = items[place - 1]
        back = c_ast.If(odd, c_ast.Compound([self.moved(rotation, where)]), None)
        for node, _ in walk(back):
            node.coord = where.coord
        behind = place - isinstance(where, c_ast.Pragma)
        items.insert(behind, back)
        items.insert(begin, c_ast.Decl(turns, [], [], [], [], kind, constant(0), None, items[begin].coord))
        put(self.tree, "body", c_ast.Compound(items, self.tree.body.coord))
