"""Bodies of functions in place of calls that are given a place in an array, which pet does not follow.

    g[j] = dot(x + i * m, y, m) + 1;         double dot_value;
                                             { const double *a = x + i * m; ...; dot_value = s; }
                                             g[j] = dot_value + 1;

A parameter that the function does not set is the argument itself, if that is a name or a number of its type; what else
it is given is a variable, whose name is new. What the pointers among them point to is found out as for those of the
function itself (row_pointers.py, moved_pointers.py). A call that may not run, behind `&&` or in `?:`, stays.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pycparser import c_ast

from polyad.pet.c_style.optional_arguments import is_null, settle_optional
from polyad.pet.c_text.names import names_in
from polyad.pet.c_text.outside import is_new_memory, target_of, variables_set
from polyad.pet.c_text.parse import walk
from polyad.pet.c_text.tree_edits import children_replaced, put
from polyad.pet.c_tree.early_returns import with_one_return
from polyad.pet.c_tree.nodes import assign, statements

__all__ = ["Bodies"]

_LOOPS = c_ast.For | c_ast.While | c_ast.DoWhile
_NO_VALUES = c_ast.Goto | c_ast.Label | c_ast.Switch | c_ast.Union


@dataclass(slots=True)
class Bodies:
    """Puts bodies in place of calls.

    Attributes:
        helper: name -> the tree of a function of the file, anew each time; None where there is none.
        kind: the type that a function returns, by its tree: `void`, `double`.
        is_struct: whether a type is a struct, or points to one.
        names: all names that are taken.
        path: the functions whose bodies are being put in place.
        types: variable -> its type, where it has one.
        pointers: local pointers to places in arrays.
        found: whether there was such a call.
    """

    helper: Callable[[str], c_ast.FuncDef | None]
    kind: Callable[[c_ast.FuncDef], str]
    is_struct: Callable[[c_ast.Node], bool]
    names: set[str] = field(default_factory=set)
    path: tuple[str, ...] = ()
    types: dict[str, Sequence[str]] = field(default_factory=dict)
    pointers: set[str] = field(default_factory=set)
    found: bool = False

    def put_into(self, tree: c_ast.FuncDef) -> bool:
        """Change a function; returns whether it has such calls."""
        self.names |= names_in(tree)
        for node, _ in walk(tree):
            if isinstance(node, c_ast.Decl) and node.name:
                self.types[node.name] = _words(node.type) if node.name not in self.types else ()
        declared = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.Decl)]
        self.pointers |= {d.name for d in declared if isinstance(d.type, c_ast.PtrDecl) and not is_new_memory(d)}
        self.path = (*self.path, tree.decl.name)
        self.statement(tree.body)
        return self.found

    def statement(self, item: c_ast.Node) -> list[c_ast.Node]:
        """The statements that stand in place of one."""
        before: list[c_ast.Node] = []
        match item:
            case c_ast.Compound(block_items=items):
                item.block_items = [changed for inner in items or [] for changed in self.statement(inner)]
            case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.If():
                if isinstance(item, c_ast.If):
                    item.cond = self.value(item.cond, before)
                for slot, child in item.children():
                    if slot in ("stmt", "iftrue", "iffalse"):
                        parts = self.statement(child)
                        put(item, slot, parts[0] if len(parts) == 1 else c_ast.Compound(parts, child.coord))
            case c_ast.FuncCall():
                children_replaced(item, lambda part: self.value(part, before))
                body = self.body(item, "")
                return [*before, item] if body is None else [*before, *body]
            case c_ast.Decl() | c_ast.Assignment() | c_ast.Return():
                children_replaced(item, lambda part: self.value(part, before))
        return [*before, item]

    def value(self, node: c_ast.Node, before: list[c_ast.Node]) -> c_ast.Node:
        """An expression without calls that are put before it."""
        if isinstance(node, c_ast.TernaryOp) or (isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||")):
            slot, child = node.children()[0]
            put(node, slot, self.value(child, before))
            return node
        children_replaced(node, lambda part: self.value(part, before))
        if not isinstance(node, c_ast.FuncCall) or not isinstance(node.name, c_ast.ID):
            return node
        name = self.new(f"{node.name.name}_value")
        body = self.body(node, name)
        if body is None:
            return node
        before += body
        return c_ast.ID(name, node.coord)

    def body(self, call: c_ast.FuncCall, value: str) -> list[c_ast.Node] | None:
        """The statements that compute a call's value; None where it stays a call."""
        name = call.name.name if isinstance(call.name, c_ast.ID) else ""
        helper = self.helper(name) if name and name not in self.path else None
        if helper is None:
            return None
        parameters = list(helper.decl.type.args.params) if helper.decl.type.args is not None else []
        arguments = list(call.args.exprs) if call.args is not None else []
        if len(parameters) != len(arguments) or not all(isinstance(p, c_ast.Decl) for p in parameters):
            return None
        pairs = list(zip(parameters, arguments, strict=True))
        structs = [(p, a) for p, a in pairs if self.is_struct(p.type)]
        moved = [(p, a) for p, a in pairs if _points(p.type) and not self.is_array(a) and (p, a) not in structs]
        if not (moved or structs) or any(isinstance(p.type.type, c_ast.PtrDecl | c_ast.ArrayDecl) for p, _ in moved):
            return None
        if any(
            isinstance(n, _NO_VALUES) or "static" in (getattr(n, "storage", None) or ()) for n, _ in walk(helper.body)
        ):
            return None
        absent = {p.name for p, a in moved if is_null(a)}
        settle_optional(helper, absent, {p.name for p, _ in moved})
        kind = self.kind(helper)
        items = _with_value(helper, kind, value)
        own = {n.name for item in items for n, _ in walk(item) if isinstance(n, c_ast.Decl) and n.name}
        given = self.given(pairs, items)
        if given is None:
            return None
        same, copies = given
        names: dict[str, c_ast.Node] = {**same}
        for local in [*own, *(p.name for p, _ in copies)]:
            names[local] = c_ast.ID(self.new(local))
        declarations = []
        for parameter, argument in copies:
            renamed = names[parameter.name].name
            declared = _declaration(parameter, renamed, argument)
            declarations.append(declared)
            self.types[renamed] = _words(declared.type)
            if isinstance(declared.type, c_ast.PtrDecl):
                self.pointers.add(renamed)
        body = c_ast.Compound([_renamed(item, names) for item in items])
        for node, _ in walk(body):
            if isinstance(node, c_ast.Decl):
                self.types[node.name] = _words(node.type)
                if isinstance(node.type, c_ast.PtrDecl) and not is_new_memory(node):
                    self.pointers.add(node.name)
        outer = self.path
        self.path = (*outer, name)
        self.statement(body)
        self.path = outer
        whole = c_ast.Compound([*declarations, *body.block_items])
        result = [whole] if not value else [_scalar(value, kind), whole]
        for node in (n for item in result for n, _ in walk(item)):
            node.coord = call.coord
        self.found = True
        return result

    def given(
        self, pairs: Sequence[tuple[c_ast.Decl, c_ast.Node]], items: Sequence[c_ast.Node]
    ) -> tuple[dict[str, c_ast.Node], list[tuple[c_ast.Decl, c_ast.Node]]] | None:
        """The parameters that are their arguments, and those that are variables; None where a pointer is neither."""
        nodes = [n for item in items for n, _ in walk(item)]
        set_ = variables_set(*items)
        addressed = {a.expr.name for _, a in pairs if _is_address(a)}
        same: dict[str, c_ast.Node] = {}
        copies: list[tuple[c_ast.Decl, c_ast.Node]] = []
        for parameter, argument in pairs:
            name = parameter.name
            if self.is_struct(parameter.type):
                if name in set_ or (not _points(parameter.type) and _has_members_set(name, nodes)):
                    return None
                same[name] = argument
            elif _is_address(argument) and argument.expr.name not in self.pointers:
                if name in set_ or not _only_element(name, nodes):
                    return None
                same[name] = c_ast.UnaryOp("&", c_ast.ID(argument.expr.name))
            elif name in set_:
                copies.append((parameter, argument))
            elif (_points(parameter.type) and (isinstance(argument, c_ast.ID) or is_null(argument))) or (
                self.is_same(parameter, argument) and getattr(argument, "name", "") not in addressed
            ):
                same[name] = argument
            else:
                copies.append((parameter, argument))
        return same, copies

    def is_array(self, argument: c_ast.Node) -> bool:
        """Whether an argument is a whole array, or a row of one, which pet follows."""
        while isinstance(argument, c_ast.ArrayRef):
            argument = argument.name
        return isinstance(argument, c_ast.ID) and argument.name not in self.pointers

    def is_same(self, parameter: c_ast.Decl, argument: c_ast.Node) -> bool:
        """Whether a number or a variable has the type of a parameter."""
        words = _words(parameter.type)
        if isinstance(argument, c_ast.Constant):
            return tuple(words) == (argument.type,) and argument.value[-1] not in "fFlL"
        return isinstance(argument, c_ast.ID) and bool(words) and self.types.get(argument.name) == words

    def new(self, wish: str) -> str:
        """A name that nothing has."""
        name, count = wish, 0
        while name in self.names:
            count += 1
            name = f"{wish}_{count}"
        self.names.add(name)
        return name


def _with_value(helper: c_ast.FuncDef, kind: str, value: str) -> list[c_ast.Node]:
    """The statements of a function with `value = e;` in place of `return e;`, and nothing behind it."""
    items = [i for i in helper.body.block_items or [] if not isinstance(i, c_ast.Pragma)]
    found = _assigned(items, value)
    if found is None:
        names = names_in(helper)
        helper.body.block_items = items
        with_one_return(helper, kind, names, 0, anywhere=True)
        found = _assigned(list(helper.body.block_items), value)
    return found or []


def _assigned(items: Sequence[c_ast.Node], value: str) -> list[c_ast.Node] | None:
    """Statements that return, as an assignment in each branch; None where a loop or only one branch returns."""
    result: list[c_ast.Node] = []
    for k, item in enumerate(items):
        if isinstance(item, c_ast.Return):
            return (
                [*result, assign(c_ast.ID(value), "=", item.expr, item)] if value and item.expr is not None else result
            )
        if not any(isinstance(n, c_ast.Return) for n, _ in walk(item)):
            result.append(item)
            continue
        if not isinstance(item, c_ast.If):
            return None
        branches = []
        rest = list(items[k + 1 :])
        for branch in (statements(item.iftrue), statements(item.iffalse)):
            ends = any(isinstance(s, c_ast.Return) for s in branch)
            found = _assigned(branch if ends else [*branch, *rest], value)
            if found is None:
                return None
            branches.append(found)
            rest = [] if not ends else rest
        if not any(isinstance(s, c_ast.Return) for s in [*statements(item.iftrue), *statements(item.iffalse)]):
            return None
        then, other = (c_ast.Compound(b, item.coord) for b in branches)
        return [*result, c_ast.If(item.cond, then, other, item.coord)]
    return result


def _renamed(node: c_ast.Node, names: Mapping[str, c_ast.Node]) -> c_ast.Node:
    """A node with other variables."""
    match node:
        case c_ast.ID(name=name):
            return copy.deepcopy(names[name]) if name in names else node
        case c_ast.FuncCall(args=arguments):
            if arguments is not None:
                children_replaced(arguments, lambda part: _renamed(part, names))
            return node
        case c_ast.StructRef():
            node.name = _renamed(node.name, names)
            if isinstance(node.name, c_ast.UnaryOp) and node.name.op == "&" and node.type == "->":
                node.name, node.type = node.name.expr, "."
            return node
        case c_ast.UnaryOp(op="*", expr=c_ast.ID(name=name)) if _is_address(names.get(name)):
            return c_ast.ID(names[name].expr.name)
        case c_ast.ArrayRef(name=c_ast.ID(name=name)) if _is_address(names.get(name)):
            return c_ast.ID(names[name].expr.name)
        case c_ast.Decl(name=name) if name in names:
            node.name = names[name].name
            kind = node.type
            while not isinstance(kind, c_ast.TypeDecl):
                kind = kind.type
            kind.declname = node.name
    return children_replaced(node, lambda part: _renamed(part, names))


def _only_element(name: str, nodes: Sequence[c_ast.Node]) -> bool:
    """Whether a pointer is used as `*p` and `p[0]` only."""
    uses = sum(isinstance(n, c_ast.ID) and n.name == name for n in nodes)
    elements = sum(
        (isinstance(n, c_ast.UnaryOp) and n.op == "*" and getattr(n.expr, "name", "") == name)
        or (
            isinstance(n, c_ast.ArrayRef)
            and getattr(n.name, "name", "") == name
            and isinstance(n.subscript, c_ast.Constant)
            and n.subscript.value == "0"
        )
        for n in nodes
    )
    return bool(uses == elements)


def _has_members_set(name: str, nodes: Sequence[c_ast.Node]) -> bool:
    """Whether a member of a struct that was passed by value is set."""
    for node in nodes:
        target = target_of(node)
        while isinstance(target, c_ast.StructRef):
            target = target.name
        if isinstance(target, c_ast.ID) and target.name == name:
            return True
    return False


def _is_address(node: c_ast.Node | None) -> bool:
    """Whether an argument is `&s`."""
    return isinstance(node, c_ast.UnaryOp) and node.op == "&" and isinstance(node.expr, c_ast.ID)


def _points(kind: c_ast.Node) -> bool:
    return isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl)


def _words(kind: c_ast.Node) -> Sequence[str]:
    """The words of a number's type; none of anything else."""
    plain = isinstance(kind, c_ast.TypeDecl) and isinstance(kind.type, c_ast.IdentifierType)
    return tuple(kind.type.names) if plain else ()


def _declaration(parameter: c_ast.Decl, name: str, argument: c_ast.Node) -> c_ast.Decl:
    """`const double *a = x + i * m;`."""
    kind = copy.deepcopy(parameter.type)
    if isinstance(kind, c_ast.ArrayDecl):
        kind = c_ast.PtrDecl([], kind.type)
    inner = kind if isinstance(kind, c_ast.TypeDecl) else kind.type
    inner.declname, kind.quals = name, []
    return c_ast.Decl(name, [], [], [], [], kind, argument, None)


def _scalar(name: str, kind: str) -> c_ast.Decl:
    return c_ast.Decl(
        name, [], [], [], [], c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(kind.split())), None, None
    )
