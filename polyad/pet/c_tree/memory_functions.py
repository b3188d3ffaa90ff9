"""`memcpy`, `memmove` and `memset` of whole elements, as loops.

    memcpy(y + i * m, x, m * sizeof *x);       for (long k = 0; k < m; k++) y[i * m + k] = x[k];
    memset(y, 0, sizeof y);                    for (long k = 0; k < 8; k++) y[k] = 0;

How many elements there are says the factor beside `sizeof` of their type, or the extents of a local array. What is
copied by `memcpy` does not overlap; of `memmove` in one array it has to be seen which of the places comes first.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.parse import parameters_of, walk
from polyad.pet.c_text.tree_edits import put
from polyad.pet.c_tree.nodes import assign, counted_loop, product_of, spelled

__all__ = ["MEMORY_FUNCTIONS", "Memory", "NoElements"]

MEMORY_FUNCTIONS = frozenset({"memcpy", "memmove", "memset"})


class NoElements(Exception):
    """Bytes that are no elements.

    Attributes:
        call: the name of the function.
        line: where it is called.
    """

    def __init__(self, reason: str, call: str = "", line: int = 0):
        super().__init__(reason)
        self.call, self.line = call, line


@dataclass(frozen=True, slots=True)
class _Variable:
    """A pointer or an array.

    Attributes:
        kind: the type of its elements.
        extents: of a local array, from the outermost in; of what is given, None for the first one.
        is_local_pointer: whether it points to what is another variable's.
    """

    kind: str
    extents: tuple[c_ast.Node | None, ...]
    is_local_pointer: bool


class Memory:
    """Writes loops in place of calls.

    Args:
        tree: the function.
        kind: the one spelling of a type, by its node; "" for one that polyad does not have.
    """

    def __init__(self, tree: c_ast.FuncDef, kind: Callable[[c_ast.Node], str]):
        self.tree, self.kind = tree, kind
        self.names = names_in(tree)
        declared = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)]
        self.variables: dict[str, _Variable] = {}
        for node in [*parameters_of(tree), *declared]:
            if isinstance(node.type, c_ast.PtrDecl | c_ast.ArrayDecl):
                self.variables[node.name] = self.variable(node, is_given=node not in declared)
        self.problem: NoElements | None = None

    def variable(self, node: c_ast.Decl, *, is_given: bool) -> _Variable:
        """A variable from its declaration."""
        extents: list[c_ast.Node | None] = []
        kind, is_pointer = node.type, isinstance(node.type, c_ast.PtrDecl)
        while isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
            extents.append(None if isinstance(kind, c_ast.PtrDecl) else kind.dim)
            kind = kind.type
        if is_given:
            extents[0] = None
        return _Variable(self.kind(kind), tuple(extents), is_pointer and not is_given)

    def replaced(self, is_read: Callable[[int], bool]) -> bool:
        """Change the function; returns whether anything was.

        Args:
            is_read: whether a line is part of the loop nest: what is left there is refused.

        Raises:
            NoElements: at the first call there that moves something else.
        """
        self.problem = None
        found = self._below(self.tree.body, is_read)
        if self.problem is not None:
            raise self.problem
        return found

    def _below(self, node: c_ast.Node, is_read: Callable[[int], bool]) -> bool:
        found = False
        for slot, child in node.children():
            name = getattr(getattr(child, "name", None), "name", "") if isinstance(child, c_ast.FuncCall) else ""
            if str(name).removeprefix("__builtin_") not in MEMORY_FUNCTIONS:
                found = self._below(child, is_read) or found
                continue
            line = child.coord.line if child.coord is not None else 0
            try:
                if slot.partition("[")[0] not in ("block_items", "stmt", "iftrue", "iffalse"):
                    raise NoElements("its value is used")
                loop = self.loop(str(name).removeprefix("__builtin_"), child)
            except NoElements as problem:
                if is_read(line):
                    self.problem = self.problem or NoElements(str(problem), str(name), line)
                continue
            put(node, slot, loop)
            found = True
        return found

    def loop(self, name: str, call: c_ast.FuncCall) -> c_ast.Node:
        """The loop that does what a call does.

        Raises:
            NoElements: there is none.
        """
        arguments = list(call.args.exprs) if call.args is not None else []
        if len(arguments) != 3:
            raise NoElements("it takes three arguments")
        target, given, size = arguments
        to = self.known(target)
        if name == "memset":
            while isinstance(given, c_ast.Cast):
                given = given.expr
            if not isinstance(given, c_ast.Constant) or given.value.strip("'\\") not in ("0",):
                raise NoElements("bytes other than 0 are no number of an element")
        elif self.known(given).kind != to.kind:
            raise NoElements(f"it copies {self.known(given).kind} to {to.kind}")
        counts = self.counts(target, to, size)
        downwards = name == "memmove" and self.is_downwards(target, given)
        indices: list[c_ast.Node] = [c_ast.ID(new_name("k", self.names)) for _ in counts]
        names = [index.name for index in indices]
        if not (isinstance(_plain(target), c_ast.ID) and len(to.extents) > 1):
            linear = indices[0]
            for index, count in zip(indices[1:], counts[1:], strict=True):
                linear = c_ast.BinaryOp("+", c_ast.BinaryOp("*", linear, copy.deepcopy(count)), index)
            indices = [linear]
        value = c_ast.Constant("int", "0") if name == "memset" else self.element(given, indices)
        result: c_ast.Node = assign(self.element(target, indices), "=", value, call)
        for index, count in reversed(list(zip(names, counts, strict=True))):
            result = counted_loop(index, count, result, downwards=downwards)
        for node, _ in walk(result):
            node.coord = call.coord
        return result

    def known(self, place: c_ast.Node) -> _Variable:
        """The array in which a place is.

        Raises:
            NoElements: it is none.
        """
        found = self.variables.get(_base(place, self.variables))
        if found is None or not found.kind:
            raise NoElements("it is given what is no place in an array")
        return found

    def counts(self, target: c_ast.Node, to: _Variable, size: c_ast.Node) -> list[c_ast.Node]:
        """How often each of the loops runs: one for each dimension, or for each size in the number of elements.

        Raises:
            NoElements: the bytes are no multiple of `sizeof` of an element.
        """
        factors = _factors(size)
        sizes = [f for f in factors if isinstance(f, c_ast.UnaryOp) and f.op == "sizeof"]
        rest = [f for f in factors if f not in sizes]
        rank = len(to.extents) if isinstance(_plain(target), c_ast.ID) else 1
        if not sizes and to.kind.endswith("char"):
            return [size]
        if len(sizes) != 1:
            raise NoElements("how many elements it moves is not said by one `sizeof` as a factor")
        what = sizes[0].expr
        if isinstance(what, c_ast.ID):
            of = self.variables.get(what.name)
            if of is None or of.is_local_pointer or None in of.extents or of.kind != to.kind or rest:
                raise NoElements(f"`sizeof {what.name}` is not that of a local array of such elements")
            if rank == len(of.extents):
                return [copy.deepcopy(e) for e in of.extents]
            if rank == 1:
                return [product_of([copy.deepcopy(e) for e in of.extents if e is not None])]
            raise NoElements(f"`{what.name}` has another number of dimensions")
        if self.measured(what) != to.kind:
            raise NoElements(f"it moves elements of {to.kind}, and `sizeof` is that of something else")
        if rank == 1:
            return self.in_order(_base(target, self.variables), rest)
        inner = [e for e in to.extents[1:] if e is not None]
        left = list(map(spelled, rest))
        for extent in inner:
            if spelled(extent) not in left:
                raise NoElements("how many rows it moves is not said; write a factor for each dimension")
            left.remove(spelled(extent))
        outer = [f for f in rest if spelled(f) in left][: len(left)]
        return [product_of(outer), *map(copy.deepcopy, inner)]

    def in_order(self, array: str, factors: Sequence[c_ast.Node]) -> list[c_ast.Node]:
        """The factors of a number of elements, last those that subscripts of the array multiply by."""
        sizes = [f for f in factors if any(isinstance(n, c_ast.ID) for n, _ in walk(f))]
        numbers = [f for f in factors if f not in sizes]
        if len(sizes) < 2:
            return [product_of(factors)]
        asked = [n for n, _ in walk(self.tree.body) if _base(n, self.variables) == array]
        strides = {
            spelled(f) for n in asked for b, _ in walk(n) if isinstance(b, c_ast.BinaryOp) for f in _factors(b)[1:]
        }
        outer = [f for f in sizes if spelled(f) not in strides]
        inner = [f for f in sizes if spelled(f) in strides]
        return [product_of([*numbers, f]) if k == 0 else f for k, f in enumerate([*outer, *inner])]

    def measured(self, what: c_ast.Node) -> str:
        """The type that `sizeof` measures: of `sizeof(double)`, `sizeof *x`, `sizeof x[0]`; "" for another one."""
        if isinstance(what, c_ast.Typename):
            return self.kind(what.type)
        depth = 0
        while isinstance(what, c_ast.ArrayRef) or (isinstance(what, c_ast.UnaryOp) and what.op == "*"):
            what, depth = (what.name if isinstance(what, c_ast.ArrayRef) else what.expr), depth + 1
        of = self.variables.get(getattr(what, "name", ""))
        return of.kind if of is not None and depth == len(of.extents) else ""

    def is_downwards(self, target: c_ast.Node, given: c_ast.Node) -> bool:
        """Whether the last element has to be copied first.

        Raises:
            NoElements: it cannot be seen.
        """
        bases = [_base(place, self.variables) for place in (target, given)]
        if any(self.variables[b].is_local_pointer for b in bases):
            raise NoElements("it may move elements within one array, and where to is not seen; write the array")
        if bases[0] != bases[1]:
            return False
        at = [_offset(place, self.variables) for place in (target, given)]
        if at[0] is None and at[1] is not None and self.is_size(at[1]):
            return False
        if at[1] is None and at[0] is not None and self.is_size(at[0]):
            return True
        raise NoElements("which of the two places in the array comes first is not seen; begin one of them at 0")

    def is_size(self, node: c_ast.Node) -> bool:
        """Whether a number is a sum of products of sizes, and so not negative."""
        match node:
            case c_ast.Constant(type=kind):
                return "int" in str(kind)
            case c_ast.BinaryOp(op="+" | "*", left=left, right=right):
                return self.is_size(left) and self.is_size(right)
            case c_ast.ID(name=name):
                return any(p.name == name for p in parameters_of(self.tree))
            case _:
                return False

    def element(self, place: c_ast.Node, indices: Sequence[c_ast.Node]) -> c_ast.Node:
        """An element behind a place."""
        inner, offset = _plain(place), _offset(place, self.variables)
        while isinstance(inner, c_ast.BinaryOp) or (isinstance(inner, c_ast.UnaryOp) and inner.op == "&"):
            if isinstance(inner, c_ast.UnaryOp):
                inner = inner.expr.name
            else:
                inner = inner.left if _base(inner.left, self.variables) else inner.right
        for k, index in enumerate(indices):
            at = copy.deepcopy(index)
            if k == 0 and offset is not None:
                at = c_ast.BinaryOp("+", copy.deepcopy(offset), at)
            inner = c_ast.ArrayRef(copy.deepcopy(inner), at)
        return inner


def _plain(place: c_ast.Node) -> c_ast.Node:
    while isinstance(place, c_ast.Cast):
        place = place.expr
    return place


def _base(place: c_ast.Node, known: dict[str, _Variable]) -> str:
    """The name of the array in `x`, `x + i`, `i + x`, `&x[i]` and `A[i]`."""
    match _plain(place):
        case c_ast.ID(name=name):
            return str(name) if name in known else ""
        case c_ast.BinaryOp(op="+", left=left, right=right):
            return _base(left, known) or _base(right, known)
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=array)) | c_ast.ArrayRef(name=array):
            return _base(array, known)
        case _:
            return ""


def _offset(place: c_ast.Node, known: dict[str, _Variable]) -> c_ast.Node | None:
    """How far behind the beginning of its array, or row, a place is; None where it is the beginning."""
    match _plain(place):
        case c_ast.BinaryOp(op="+", left=left, right=right):
            pointer, number = (left, right) if _base(left, known) else (right, left)
            inner = _offset(pointer, known)
            return number if inner is None else c_ast.BinaryOp("+", inner, number)
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(subscript=subscript)):
            zero = isinstance(subscript, c_ast.Constant) and subscript.value == "0"
            return None if zero else subscript
        case _:
            return None


def _factors(node: c_ast.Node) -> list[c_ast.Node]:
    node = _plain(node)
    if isinstance(node, c_ast.BinaryOp) and node.op == "*":
        return [*_factors(node.left), *_factors(node.right)]
    return [node]
