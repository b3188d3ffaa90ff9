"""Schedule trees from isl's YAML form, and back; errors are in the user's words and name the line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

import islpy as isl

from polyad import islx
from polyad.errors import ScheduleError
from polyad.schedule.tree.marks import read_kind
from polyad.schedule.tree.nodes import Band, Leaf, Mark, Node, Order, map_nodes, row_functions
from polyad.schedule.tree.yaml_text import Keyed, Listed, Value, not_a_schedule, parse_yaml

__all__ = ["read_tree", "settled_set", "settled_tree", "write_tree"]

# What may stand in a node beside its child, by the key that says what node it is.
_NODES = {
    "schedule": {"permutable", "coincident", "options"},
    "sequence": set[str](),
    "set": set[str](),
    "filter": set[str](),
    "mark": set[str](),
}
_UNUSED = ("context", "guard", "extension", "contraction", "expansion")

_T = TypeVar("_T")


def read_tree(text: str) -> tuple[isl.UnionSet, Node]:
    """The domain { S[i] } and the tree below it.

    Raises:
        ScheduleError: the text is not a schedule, or holds nodes that polyad does not use.
    """
    root = parse_yaml(text)
    if not isinstance(root, Keyed) or "domain" not in root.items:
        raise not_a_schedule("it does not begin with a domain")
    _refuse_other_keys(root, {"domain", "child"})
    domain = _isl(isl.UnionSet, root, "domain")
    _check_names(domain, root.line)
    return domain, _child(root)


def write_tree(domain: isl.UnionSet, tree: Node) -> str:
    """The YAML text that both `read_tree` and isl read back.

    isl's own printer lists statements in the order of a hash table; here they are sorted, so that equal schedules have
    equal texts.
    """
    return "\n".join([f'domain: "{_set_text(domain)}"', *_child_lines(tree)]) + "\n"


def _child_lines(tree: Node) -> list[str]:
    return [] if isinstance(tree, Leaf) else ["child:", *(f"  {line}" for line in _lines(tree))]


def _lines(tree: Node) -> list[str]:
    match tree:
        case Band(partial, coincident, permutable, options, child):
            lines = [f'schedule: "{_rows_text(partial)}"']
            lines += ["permutable: 1"] if permutable else []
            lines += [f"coincident: [ {', '.join(str(int(c)) for c in coincident)} ]"] if any(coincident) else []
            lines += [f'options: "{_set_text(options)}"'] if options is not None else []
            return lines + _child_lines(child)
        case Mark(kind, child):
            return [f'mark: "{kind}"', *_child_lines(child)]
        case Order(children, ordered):
            lines = ["sequence:" if ordered else "set:"]
            for part, child in children:
                inside = [f'filter: "{_set_text(part)}"', *_child_lines(child)]
                lines += [f"{'  ' if i else '- '}{line}" for i, line in enumerate(inside)]
            return lines
        case _:
            raise AssertionError("a leaf has no text")


def settled_tree(tree: Node) -> Node:
    """The same with sets and functions as `read_tree` reads them from their text (`islx.settled`).

    What names all instances of statements, and functions of these without quotients, have one form.
    """

    def one(node: Node) -> Node:
        match node:
            case Band(partial, _, _, options):
                rows = partial if _has_one_form(node) else islx.settled(partial, _rows_text)
                return replace(node, partial=rows, options=None if options is None else settled_set(options))
            case Order(children):
                return replace(node, children=tuple((settled_set(part), child) for part, child in children))
            case _:
                return node

    return map_nodes(tree, one)


def settled_set(instances: isl.UnionSet) -> isl.UnionSet:
    """The same as it is read from its text in a schedule."""
    whole = all(part.plain_is_universe() for part in islx.sets(instances))
    return instances if whole else islx.settled(instances, _set_text)


def _has_one_form(band: Band) -> bool:
    """Whether the rows of a band are affine functions of all instances, which are their coefficients."""
    pieces = [p for i in range(band.size) for f in band.functions(i).values() for p in f.get_pieces()]
    return all(where.plain_is_universe() and not value.dim(isl.dim_type.div) for where, value in pieces)


def _rows_text(partial: isl.MultiUnionPwAff) -> str:
    """The functions of a band: `[N] -> [{ S[i] -> [(i)]; R[i] -> [(i + 1)] }]`."""
    functions = [row_functions(partial.get_at(i)).values() for i in range(partial.dim(isl.dim_type.set))]
    # Where functions have parameters in their domains only, isl prints none of these for the band.
    prefix = _parameters(str(partial), *sorted(str(f) for row in functions for f in row))
    return f"{prefix}[{', '.join(f'{{ {_pieces(row)} }}' for row in functions)}]"


def _set_text(instances: isl.UnionSet) -> str:
    return f"{_prefix(str(instances))}{{ {_pieces(islx.sets(instances))} }}"


def _prefix(text: str) -> str:
    """The parameters in front of an isl text: `[N, M] -> `, or nothing."""
    return text[: text.index("] -> ") + 5] if re.match(r"\[[\w, ]*\] -> [\[{]", text) else ""


def _parameters(*texts: str) -> str:
    """The parameters of several texts in front of what holds them all."""
    found = dict.fromkeys(p for text in texts for p in re.findall(r"\w+", _prefix(text)))
    return f"[{', '.join(found)}] -> " if found else ""


def _pieces(parts: Iterable[isl.Set | isl.PwAff]) -> str:
    """The pieces of a union, sorted by statement."""
    texts = [str(part) for part in parts]
    return "; ".join(sorted(t[t.index("{") + 2 : t.rindex("}") - 1] for t in texts))


def _child(node: Keyed) -> Node:
    if "child" not in node.items:
        return Leaf()
    child = node.items["child"]
    if not isinstance(child, Keyed):
        raise not_a_schedule(f"line {node.line}: the child of a node is a node, not {_word(child)}")
    return _node(child)


def _node(node: Keyed) -> Node:
    unused = [key for key in _UNUSED if key in node.items]
    if unused:
        raise not_a_schedule(
            f"line {node.line}: the tree holds a node of the kind {unused[0]}; polyad's schedules are made of domain, "
            "band, sequence, set, filter and mark nodes"
        )
    kinds = [key for key in _NODES if key in node.items]
    if len(kinds) != 1:
        raise not_a_schedule(f"line {node.line}: a node has one of the keys {', '.join(_NODES)}")
    kind = kinds[0]
    below = set() if kind in ("sequence", "set") else {"child"}
    _refuse_other_keys(node, {kind, *_NODES[kind], *below})
    if kind == "schedule":
        return _band(node)
    if kind == "mark":
        word = node.items["mark"]
        if not isinstance(word, str) or not word:
            raise not_a_schedule(f"line {node.line}: a mark is a word in double quotes")
        try:
            mark = read_kind(word)
        except ScheduleError as problem:
            raise not_a_schedule(f"line {node.line}: {problem}") from None
        return Mark(mark, _child(node))
    if kind == "filter":
        return Order((_filtered(node),))
    children = node.items[kind]
    if not isinstance(children, Listed) or not children.items:
        raise not_a_schedule(f"line {node.line}: a {kind} is a list of filters")
    return Order(tuple(_filtered(c) for c in children.items), ordered=kind == "sequence")


def _filtered(value: Value) -> tuple[isl.UnionSet, Node]:
    if not isinstance(value, Keyed) or "filter" not in value.items:
        where = f"line {value.line}: " if isinstance(value, Keyed | Listed) else ""
        raise not_a_schedule(f"{where}every child of a sequence begins with a filter")
    _refuse_other_keys(value, {"filter", "child"})
    part = _isl(isl.UnionSet, value, "filter")
    _check_names(part, value.line)
    return part, _child(value)


def _band(node: Keyed) -> Band:
    partial = _isl(isl.MultiUnionPwAff, node, "schedule")
    size = partial.dim(isl.dim_type.set)
    if size == 0:
        raise not_a_schedule(f"line {node.line}: a schedule has one loop or more")
    flags = node.items.get("coincident", Listed(node.line, ()))
    given = flags.items if isinstance(flags, Listed) else ()
    if not isinstance(flags, Listed) or len(given) > size or not all(v in (0, 1) for v in given):
        raise not_a_schedule(f"line {node.line}: coincident is a list of 0 and 1, one for each of {size} loops")
    permutable = node.items.get("permutable", 0)
    if permutable not in (0, 1):
        raise not_a_schedule(f"line {node.line}: permutable is 0 or 1")
    coincident = (*(v == 1 for v in given), *[False] * (size - len(given)))
    options = _isl(isl.UnionSet, node, "options") if "options" in node.items else None
    return Band(partial, coincident, permutable == 1, options, _child(node))


def _isl(kind: Callable[[str], _T], node: Keyed, key: str) -> _T:
    text = node.items[key]
    if not isinstance(text, str):
        raise not_a_schedule(f"line {node.line}: {key!r} needs text in double quotes, not {_word(text)}")
    try:
        return kind(text)
    except isl.Error as problem:
        raise not_a_schedule(
            f"line {node.line}: isl cannot read the {key} {text!r} ({_complaint(problem)})"
        ) from problem


def _check_names(instances: isl.UnionSet, line: int) -> None:
    """Instances belong to statements: refuse unnamed tuples."""
    unnamed = [s for s in islx.sets(instances) if not s.has_tuple_name()]
    if unnamed:
        raise not_a_schedule(f"line {line}: {unnamed[0]} names no statement; instances are written S[i, j]")


def _refuse_other_keys(node: Keyed, known: set[str]) -> None:
    for key in node.items:
        if key not in known:
            raise not_a_schedule(
                f"line {node.line}: {key!r} does not belong into a node with {', '.join(sorted(known))}"
            )


def _word(value: Value) -> str:
    return "a mapping" if isinstance(value, Keyed) else "a list" if isinstance(value, Listed) else repr(value)


def _complaint(problem: isl.Error) -> str:
    """Return isl's complaint, without the names of its functions and source files."""
    return str(problem).split(" failed: ", 1)[-1].rsplit(" in ", 1)[0].strip() or "it cannot be parsed"
