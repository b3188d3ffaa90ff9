"""Structs that a function is given, as their members: those that it uses become parameters.

    void f(const struct layer *l, double *y)       void f(int l_n, const double *l_w, double *y)
    y[i] += l->w[i * l->n + j];                    y[i] += l_w[i * l_n + j];

A number behind a pointer that is written is an array of one element. An array of structs that hold numbers of one type
is an array with one more dimension: `b[i].x` is b_members[i][0]. Local structs are a variable for each member. The
exported function takes the structs, and unpacks them (handed_back/struct_text.py).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pycparser import c_ast

from polyad.pet.c_text.names import names_in, new_name
from polyad.pet.c_text.outside import target_of, variables_set
from polyad.pet.c_text.parse import walk
from polyad.pet.c_text.structs import Structs
from polyad.pet.c_text.tree_edits import children_replaced
from polyad.pet.c_tree.nodes import spelled
from polyad.pet.flattened import Flattened, StructArgument

__all__ = ["NotTakenApart", "members_as_parameters"]


class NotTakenApart(Exception):
    """A struct is used as a whole.

    Attributes:
        name: the variable.
        line: where it is used.
    """

    def __init__(self, name: str, line: int):
        super().__init__(name)
        self.name, self.line = name, line


def members_as_parameters(tree: c_ast.FuncDef, structs: Structs) -> Flattened:
    """Change a function; returns what became of its parameters.

    Raises:
        NotTakenApart: a struct is used as a whole.
    """
    parameters = list(tree.decl.type.args.params) if tree.decl.type.args is not None else []
    variables = {
        d.name: d
        for d in [*parameters, *(n for n, _ in walk(tree.body))]
        if isinstance(d, c_ast.Decl) and d.name and (structs.of(d.type) or structs.pointed(d.type))
    }
    if not variables:
        return Flattened()
    given = {p.name for p in parameters if getattr(p, "name", None) in variables}
    prototype = spelled(tree.decl)
    members = _Members(tree, structs, variables, given)
    members.without_pointers()
    members.look()
    tree.body = members.changed(tree.body)
    left = [(n.name, line) for n, line in walk(tree.body) if isinstance(n, c_ast.ID) and n.name in members.variables]
    if left:
        raise NotTakenApart(*left[0])
    found: dict[str, StructArgument] = {}
    result: list[c_ast.Node] = []
    for p in parameters:
        name = getattr(p, "name", "") or ""
        if name not in variables:
            result.append(p)
            continue
        own = members.parameters(name)
        result += [declaration for declaration, _ in own]
        taken = {declaration.name: text for declaration, text in own}
        found[name] = StructArgument(name, spelled(p), taken, isinstance(p.type, c_ast.PtrDecl | c_ast.ArrayDecl))
    if found:
        tree.decl.type.args = c_ast.ParamList(result) if result else None
    types = structs.definitions([variables[name].type for name in found])
    return Flattened(tuple(getattr(p, "name", "") or "" for p in parameters), found, types, prototype if found else "")


@dataclass(frozen=True, slots=True)
class _Place:
    """A struct, a pointer to one, or a member, as an expression says it.

    Attributes:
        root: the variable.
        path: members, from it on, each with how it is reached: `.` or `->`.
        kind: the type of the expression.
        declared: the type of the variable or member at the end of the path, of which it may be the address.
        index: which struct of an array it is in; None where there is one only.
    """

    root: str
    path: tuple[tuple[str, str], ...]
    kind: c_ast.Node
    declared: c_ast.Node
    index: c_ast.Node | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.path)


class _Members:
    """The members of structs that a function uses."""

    def __init__(self, tree: c_ast.FuncDef, structs: Structs, variables: dict[str, c_ast.Decl], given: set[str]):
        self.tree, self.structs, self.variables, self.given = tree, structs, variables, given
        self.names = names_in(tree)
        self.called: dict[tuple[str, tuple[str, ...]], str] = {}
        self.places: dict[tuple[str, tuple[str, ...]], _Place] = {}
        self.written: set[tuple[str, tuple[str, ...]]] = set()
        self.rows: dict[str, list[tuple[str, ...]]] = {}  # array of structs -> the paths of their numbers

    # what is used

    def place(self, node: c_ast.Node) -> _Place | None:
        """The place that an expression is; None where it is in no struct."""
        match node:
            case c_ast.ID(name=name):
                kind = self.variables[name].type if name in self.variables else None
                return None if kind is None else _Place(name, (), kind, kind)
            case c_ast.UnaryOp(op="*", expr=inner):
                at = self.place(inner)
                ok = at is not None and self.structs.pointed(at.kind) is not None
                return replace(at, kind=at.kind.type) if ok and at is not None else None
            case c_ast.UnaryOp(op="&", expr=inner):
                at = self.place(inner)
                ok = at is not None and self.structs.of(at.kind) is not None
                return replace(at, kind=c_ast.PtrDecl([], at.kind)) if ok and at is not None else None
            case c_ast.ArrayRef(name=inner, subscript=subscript):
                at = self.place(inner)
                if at is None or at.path or at.index is not None or self.structs.pointed(at.kind) is None:
                    return None
                return _Place(at.root, (), at.kind.type, at.kind.type, subscript)
            case c_ast.StructRef(name=inner, field=c_ast.ID(name=name)):
                at = self.place(inner)
                if at is None:
                    return None
                struct = self.structs.pointed(at.kind) or self.structs.of(at.kind)
                kind = self.structs.members(struct).get(name) if struct is not None else None
                step = "." if self.structs.pointed(at.declared) is None else "->"
                return None if kind is None else _Place(at.root, (*at.path, (step, name)), kind, kind, at.index)
            case _:
                return None

    def member(self, node: c_ast.Node) -> _Place | None:
        """The place, if it is a number or an array of them."""
        at = self.place(node) if isinstance(node, c_ast.StructRef) else None
        whole = at is None or self.structs.of(at.kind) is not None or self.structs.pointed(at.kind) is not None
        return None if whole else at

    def look(self) -> None:
        """Find the members that are used, and those that are written."""
        self._look(self.tree.body)
        for node, line in walk(self.tree.body):
            targets = [target_of(node)]
            array = targets[0]
            while isinstance(array, c_ast.ArrayRef):
                array = array.name
            held = self.member(array) if array is not targets[0] and array is not None else None
            by_value = held is not None and held.index is None and all(step == "." for step, _ in held.path)
            if held is not None and by_value and held.root in self.given and isinstance(held.kind, c_ast.ArrayDecl):
                raise NotTakenApart(held.root, line)  # an array in what was passed by value: C writes a copy
            if isinstance(node, c_ast.UnaryOp) and node.op == "&":
                targets.append(node.expr)
            for target in targets:
                at = self.member(target) if target is not None else None
                if at is not None and isinstance(at.kind, c_ast.TypeDecl):
                    self.written.add((at.root, at.names))
            if isinstance(node, c_ast.Assignment) and (pairs := self.pairs(node)):
                self.written |= {(at.root, at.names) for at, _ in pairs}

    def _look(self, node: c_ast.Node) -> None:
        at = self.member(node)
        if at is not None:
            self.use(at)
            if at.index is not None:
                self._look(at.index)
            return
        if isinstance(node, c_ast.Assignment):
            for sides in self.pairs(node):
                for side in sides:
                    self.use(side)
        for child in node:
            self._look(child)

    def use(self, at: _Place) -> None:
        """Have a name for a member."""
        if at.index is not None and at.root in self.given:
            struct = self.structs.pointed(self.variables[at.root].type)
            numbers = self.structs.numbers(struct) if struct is not None else None
            if numbers is not None and len({_words(kind) for _, kind in numbers}) == 1:
                self.rows[at.root] = [path for path, _ in numbers]
                self.called.setdefault((at.root, ()), new_name(f"{at.root}_members", self.names))
            return
        key = (at.root, at.names)
        self.places.setdefault(key, at)
        if key not in self.called:
            self.called[key] = new_name("_".join((at.root, *at.names)), self.names)

    def pairs(self, node: c_ast.Assignment) -> list[tuple[_Place, _Place]]:
        """The numbers on both sides of an assignment of a struct."""
        sides = [self.place(node.lvalue), self.place(node.rvalue)] if node.op == "=" else []
        if not sides or any(at is None for at in sides):
            return []
        numbers = [self.structs.numbers(s) for at in sides if at and (s := self.structs.of(at.kind)) is not None]
        if len(numbers) != 2 or None in numbers or [p for p, _ in numbers[0] or ()] != [p for p, _ in numbers[1] or ()]:
            return []
        left, right = sides
        assert left is not None and right is not None
        return [(_below(left, path, kind), _below(right, path, kind)) for path, kind in numbers[0] or ()]

    # what stands in its place

    def element(self, at: _Place) -> c_ast.Node | None:
        """A member as a variable, or an element of one."""
        if at.index is not None:
            if at.root not in self.rows or at.names not in self.rows[at.root]:
                return None
            number = c_ast.Constant("int", str(self.rows[at.root].index(at.names)))
            rows = c_ast.ID(self.called[at.root, ()])
            return c_ast.ArrayRef(c_ast.ArrayRef(rows, self.changed(copy.deepcopy(at.index))), number)
        name = c_ast.ID(self.called[at.root, at.names])
        return c_ast.ArrayRef(name, c_ast.Constant("int", "0")) if self.is_element(at) else name

    def is_element(self, at: _Place) -> bool:
        """Whether a number lies where a pointer points to, and is written."""
        behind = any(step == "->" for step, _ in at.path)
        number = isinstance(at.kind, c_ast.TypeDecl)
        return behind and number and at.root in self.given and (at.root, at.names) in self.written

    def changed(self, node: c_ast.Node) -> c_ast.Node:
        """A node without structs."""
        at = self.member(node)
        if at is not None:
            found = self.element(at)
            if found is not None:
                found.coord = node.coord
                return found
            return node
        if isinstance(node, c_ast.UnaryOp) and node.op == "&":
            inner = self.changed(node.expr)
            node.expr = inner
            return node
        if isinstance(node, c_ast.Compound):
            node.block_items = [new for item in node.block_items or [] for new in self.statement(item)]
            return node
        if isinstance(node, c_ast.Assignment) and (found := self.statement(node)) != [node]:
            return c_ast.Compound(found, node.coord)
        return children_replaced(node, self.changed)

    def statement(self, item: c_ast.Node) -> list[c_ast.Node]:
        """The statements in place of one."""
        if isinstance(item, c_ast.Decl) and item.name in self.variables and item.name not in self.given:
            return self.declared(item) if self.structs.of(item.type) is not None else [item]
        if isinstance(item, c_ast.Assignment) and (pairs := self.pairs(item)):
            made = [(self.element(a), self.element(b)) for a, b in pairs]
            if all(a is not None and b is not None for a, b in made):
                return [c_ast.Assignment("=", a, b, item.coord) for a, b in made]
        if isinstance(item, c_ast.Assignment):
            return [children_replaced(item, self.changed)]
        return [self.changed(item)]

    def declared(self, item: c_ast.Decl) -> list[c_ast.Node]:
        """A variable for each member of a local struct that is used."""
        struct = self.structs.of(item.type)
        numbers = self.structs.numbers(struct) if struct is not None else None
        listed = item.init.exprs if isinstance(item.init, c_ast.InitList) else []
        if numbers is None or (item.init is not None and (len(listed) > len(numbers) or not listed)):
            start = self.place(item.init) if item.init is not None else None
            if numbers is None or start is None or self.structs.of(start.kind) is None:
                return [item]
            listed = [self.element(_below(start, path, kind)) for path, kind in numbers]
        result: list[c_ast.Node] = []
        for k, (path, kind) in enumerate(numbers):
            if (item.name, path) not in self.called:
                continue
            value = self.changed(listed[k]) if k < len(listed) else c_ast.Constant("int", "0") if listed else None
            result.append(_declaration(self.called[item.name, path], kind, value, item))
        return result

    def parameters(self, root: str) -> list[tuple[c_ast.Decl, str]]:
        """The parameters in place of one, each with what it is in C."""
        declaration = self.variables[root]
        const = ["const"] if _is_const(declaration.type) else []
        if root in self.rows:
            struct = self.structs.pointed(declaration.type)
            _, kind = (self.structs.numbers(struct) or [])[0] if struct is not None else ((), declaration.type)
            number = copy.deepcopy(kind)
            name = self.called[root, ()]
            number.declname, number.quals = name, const
            inner = c_ast.ArrayDecl(number, c_ast.Constant("int", str(len(self.rows[root]))), [])
            whole = c_ast.Decl(name, const, [], [], [], c_ast.ArrayDecl(inner, None, []), None, None)
            return [(whole, f"({' '.join([*const, *_words(kind)])} *){root}")]
        found = []
        for at in self.in_order(root):
            name, text = self.called[at.root, at.names], root + "".join(step + n for step, n in at.path)
            kind = copy.deepcopy(at.kind)
            if self.is_element(at):
                text, kind = f"&{text}", c_ast.PtrDecl([], kind)
            if isinstance(kind, c_ast.PtrDecl):
                kind.quals = []
            found.append((_declaration(name, kind, None, declaration), text))
        return found

    def in_order(self, root: str) -> Iterator[_Place]:
        """The members that are used, in the order of their declarations."""

        def order(at: _Place) -> list[int]:
            kind, result = self.variables[root].type, []
            for _, name in at.path:
                struct = self.structs.pointed(kind) or self.structs.of(kind)
                members = self.structs.members(struct) if struct is not None else {}
                result.append(list(members).index(name))
                kind = members[name]
            return result

        yield from sorted((at for (name, _), at in self.places.items() if name == root), key=order)

    def without_pointers(self) -> None:
        """Put what local pointers to structs are set to in their place: `const layer *l = &net->first;`."""
        set_ = variables_set(self.tree.body)
        for block, _ in list(walk(self.tree.body)):
            if not isinstance(block, c_ast.Compound):
                continue
            items: list[c_ast.Node] = []
            for k, item in enumerate(block.block_items or []):
                local = isinstance(item, c_ast.Decl) and item.name in self.variables and item.name not in self.given
                if local and item.init is not None and self.structs.pointed(item.type) and item.name not in set_:
                    rest = block.block_items[k + 1 :]
                    asked = {n.name for n, _ in walk(item.init) if isinstance(n, c_ast.ID)}
                    if not asked & variables_set(*rest) and self.place(item.init) is not None:
                        names = {item.name: item.init}
                        block.block_items[k + 1 :] = [_substituted(later, names) for later in rest]
                        del self.variables[item.name]
                        continue
                items.append(block.block_items[k])
            block.block_items = items


def _below(at: _Place, path: tuple[str, ...], kind: c_ast.Node) -> _Place:
    """A member of a struct."""
    first = "->" if isinstance(at.declared, c_ast.PtrDecl | c_ast.ArrayDecl) else "."
    steps = [(first if k == 0 else ".", name) for k, name in enumerate(path)]
    return _Place(at.root, (*at.path, *steps), kind, kind, at.index)


def _substituted(node: c_ast.Node, names: dict[str, c_ast.Node]) -> c_ast.Node:
    """A node with other expressions in place of variables."""
    if isinstance(node, c_ast.ID):
        return copy.deepcopy(names.get(node.name, node))
    if isinstance(node, c_ast.StructRef):
        node.name = _substituted(node.name, names)
        return node
    return children_replaced(node, lambda part: _substituted(part, names))


def _is_const(kind: c_ast.Node) -> bool:
    while isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl):
        kind = kind.type
    return "const" in (getattr(kind, "quals", None) or ())


def _words(kind: c_ast.Node) -> tuple[str, ...]:
    while isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    return tuple(getattr(kind, "names", ()))


def _declaration(name: str, kind: c_ast.Node, value: c_ast.Node | None, where: c_ast.Node) -> c_ast.Decl:
    kind = copy.deepcopy(kind)
    inner = kind
    while not isinstance(inner, c_ast.TypeDecl):
        inner = inner.type
    inner.declname = name
    return c_ast.Decl(name, [], [], [], [], kind, value, None, where.coord)
