"""Constructs that pet takes without a word and polyad does not have: checked on the names, and on the scop."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

import islpy as isl
from pycparser import c_ast

from polyad import islx
from polyad.pet.c_text.definitions import CText
from polyad.pet.c_text.parse import walk
from polyad.pet.checked.dead_integers import drop_dead_integers
from polyad.pet.checked.linearised import recover_dimensions
from polyad.pet.checked.small_sizes import of_usual_sizes
from polyad.pet.checked.unsigned_values import with_unsigned_values
from polyad.pet.integers.kinds import LARGEST_SIZE
from polyad.pet.prototype import BITS, Function, canonical_name, with_shapes
from polyad.pet.refusal import refusal
from polyad.pet.rewrite import rewrite_statements
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Operation, Scop, ScopArray, ScopStatement, nodes

__all__ = ["check_names", "check_scop"]

_RESERVED = "__pet_"
"""What pet's own names begin with."""


def check_names(text: CText, line: int, tree: c_ast.FuncDef) -> None:
    """Refuse names of variables and statements that isl cannot read, or takes for something else.

    Raises:
        ExtractionError: at the first such name.
    """
    for node, at in walk(tree, line):
        if not isinstance(node, c_ast.Decl | c_ast.Label) or not node.name:
            continue
        if isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
            continue
        if node.name.startswith(_RESERVED):
            sentence = f"names that begin with {_RESERVED} are pet's own; call `{node.name}` something else"
            raise refusal(text.path, at, node.name, sentence)
        if node.name.lower() in islx.KEYWORDS:
            sentence = f"`{node.name}` is a word of the language of isl; call it something else"
            raise refusal(text.path, at, node.name, sentence)


def check_scop(scop: Scop, text: CText, function: Function, excluded: Iterable[isl.Set] = ()) -> tuple[Scop, Function]:
    """The scop without what says nothing, with the dimensions that linear subscripts stand for; so the function.

    Args:
        scop: what pet saw.
        text: the C file.
        function: the function.
        excluded: [sizes] -> { : ... }: sizes for which C computes with other numbers than pet.

    Raises:
        ExtractionError: it has something that pet takes and polyad does not.
    """
    scop = _with_types(scop, text)
    _check_types(scop, function)
    scop = drop_dead_integers(scop)
    _check_sizes(scop, text, function)
    _check_arrays(scop, text, function)
    _check_calls(scop, text)
    _check_context(scop, function)
    _check_domains(scop, function)
    scop = of_usual_sizes(scop, excluded)
    told = {p.name: p.shape for p in function.parameters if p.flat and p.rank > 1}
    products = {n: f for p in function.parameters if p.derived for n, f in p.derived.factors(p.name).items()}
    scop, shapes = recover_dimensions(scop, told, products)
    _check_ranks(scop)
    scop = with_unsigned_values(scop)
    return scop, with_shapes(function, shapes)


def _with_types(scop: Scop, text: CText) -> Scop:
    """The scop with one spelling for each type of its arrays and casts."""

    def spelled(node: Node, statement: ScopStatement) -> Node:
        if not isinstance(node, Cast):
            return node
        kind = canonical_name(text, node.type, statement.line or scop.lines[0], "")
        return replace(node, type=kind, bits=BITS.get(kind, 0))

    arrays = {
        name: replace(array, type=canonical_name(text, array.type, scop.lines[0], name))
        for name, array in scop.arrays.items()
    }
    return replace(rewrite_statements(scop, spelled), arrays=arrays)


def _check_types(scop: Scop, function: Function) -> None:
    """Refuse to write what holds fewer numbers than `int`: pet hands on integers as they were before that."""
    read = {p.name for p in function.parameters} | {t.name for t in function.tables}
    read -= {name for s in scop.statements if not s.kills for name in _written(s)}
    for name, array in scop.arrays.items():
        if 0 < abs(BITS.get(array.type, 0)) < 32 and not name.startswith(_RESERVED) and name not in read:
            sentence = (
                f"`{name}` is of the type `{array.type}`, and is written: what is stored there may be cut; read such "
                "numbers only, and use double, int or int64_t for what is written"
            )
            raise refusal(scop.path, scop.lines[0], array.type, sentence)


def _check_sizes(scop: Scop, text: CText, function: Function) -> None:
    """Refuse sizes that are no parameters of the function."""
    sizes = isl.Set.universe(scop.schedule.get_domain().params().get_space()).intersect_params(scop.context)
    known = {p.name for p in function.parameters if p.by_value}
    for i in range(sizes.dim(isl.dim_type.param)):
        name = str(sizes.get_dim_name(isl.dim_type.param, i))
        if name in known:
            continue
        if name in text.variables:
            sentence = f"`{name}` is a variable outside of the function; make it a parameter, or `#define` it"
        else:
            sentence = (
                f"`{name}` gets its value outside of the loop nest; make it a parameter, or put its definition behind "
                "`#pragma scop`"
            )
        raise refusal(scop.path, scop.lines[0], name, sentence)


def _check_arrays(scop: Scop, text: CText, function: Function) -> None:
    """Refuse variables outside of the function."""
    known = {p.name for p in function.parameters} | {t.name for t in function.tables}
    for name, array in scop.arrays.items():
        if name in known or array.declared or name.startswith(_RESERVED) or name not in text.variables:
            continue
        if name not in function.locals:
            what = "variable" if _rank(array) == 0 else "array"
            sentence = f"the {what} `{name}` stands outside of the function; make it a parameter"
            raise refusal(scop.path, scop.lines[0], name, sentence)


def _check_calls(scop: Scop, text: CText) -> None:
    """Refuse calls of functions of the file that are left: their bodies are not part of what pet saw."""
    for statement in scop.statements:
        for node in nodes(statement.body):
            if isinstance(node, Call) and node.name in text.functions and text.functions[node.name].file == text.path:
                raise refusal(
                    scop.path,
                    statement.line or scop.lines[0],
                    f"{node.name}()",
                    f"the body of `{node.name}` does not take the place of this call; write `double s; s = "
                    f"{node.name}(...);`, two statements, and use `s`",
                )


def _check_context(scop: Scop, function: Function) -> None:
    """Refuse loop nests that only make sense where nothing runs: pet takes it that no subscript is ever negative."""
    empty = [s for s in scop.statements if not s.kills and s.domain.is_empty()]
    if scop.context.is_empty():
        _check_ends(scop, function, isl.Set.universe(scop.context.get_space()))
        sentence = "a subscript is negative, whatever the sizes are; begin at 0"
        raise refusal(scop.path, scop.statements[0].line or scop.lines[0], "subscript", sentence)
    sizes = islx.param_names(scop.context)
    some = scop.context
    for position in range(len(sizes)):
        some = some.lower_bound_val(isl.dim_type.param, position, isl.Val(1))
    counts = {p.name for p in function.parameters if p.type != "_Bool"}
    for (position, size), most in itertools.product(enumerate(sizes), (0, 1)):
        if size not in counts:
            continue
        context = scop.context if most == 0 else some
        if context.lower_bound_val(isl.dim_type.param, position, isl.Val(most + 1)).is_empty():
            # Where a loop has no end, its variable leaves the numbers of its type, and pet leaves out those sizes.
            _check_ends(scop, function, isl.Set.universe(scop.context.get_space()))
            raise refusal(
                scop.path,
                (empty[0].line if empty else 0) or scop.lines[0],
                "subscript",
                f"a subscript is negative in some iteration, unless `{size}` is {most} or less; begin the loop later, "
                "or leave out by `if` what is outside of the array",
            )


def _check_domains(scop: Scop, function: Function) -> None:
    """Refuse statements that run without end, or never: so pet leaves out what it takes for undefined."""
    for statement in scop.statements:
        if not statement.kills and statement.domain.is_empty():
            sentence = (
                "this statement never runs: a condition of it never holds, a subscript is negative, or a loop changes "
                "its variable; leave it out, or mend it"
            )
            raise refusal(scop.path, statement.line or scop.lines[0], "statement", sentence)
    _check_ends(scop, function, scop.context)


def _check_ends(scop: Scop, function: Function, context: isl.Set) -> None:
    """Refuse statements that run without end at some of the sizes of a context."""
    for statement in scop.statements:
        if statement.kills:
            continue
        line = statement.line or scop.lines[0]
        counts = {p.name for p in function.parameters if p.by_value and p.type in BITS}
        endless = _endless_sizes(statement.domain, context, counts)
        if endless.is_empty():
            continue
        changed = counts & {n for s in scop.statements for n in _written(s)}
        if changed:
            sentence = f"`{min(changed)}` is changed, so how often loops run is not known; use a variable of its own"
            raise refusal(scop.path, line, "loop bound", sentence)
        found = islx.witness(endless, ())
        by_data = any(s.guards for s in scop.statements) or any(name.startswith(_RESERVED) for name in scop.arrays)
        if found is not None and (not by_data or _has_end(statement.domain)):
            at = ", ".join(f"{n} = {v}" for n, v in found[1].items())
            sentence = (
                f"this loop never ends{f', at {at}' if at else ''}: its variable does not come to its bound, or cannot "
                "hold it; compare by `<`, and count by `int`"
            )
            raise refusal(scop.path, line, "loop bound", sentence)
        sentence = (
            "how often this loop runs is decided by data, or by products or quotients of sizes; let it run to a "
            "bound that is a sum of sizes and loop variables, and leave out by `if` or `c ? a : b` what is not wanted; "
            "of a loop that goes on by a size, `j += s` up to n, say by `#pragma polyad multiple n=s` that s divides n"
        )
        for a, b in _quotients(scop):
            sentence = (
                f"a quotient of sizes, `{a} / {b}`, bounds loops and takes part in subscripts where it is exact; if "
                f"it always is, say so by `#pragma polyad multiple {a}={b}` before the function (--multiple {a}={b}, "
                f"multiples={{{a!r}: {b!r}}})"
            )
        raise refusal(scop.path, line, "loop bound", sentence)


def _quotients(scop: Scop) -> Iterator[tuple[str, str]]:
    """The quotients of two sizes in a loop nest."""
    for statement in scop.statements:
        for node in nodes(statement.body):
            if isinstance(node, Operation) and node.op == "div" and node.bits:
                names = [_size(n.value) if isinstance(n, Affine) else "" for n in node.arguments]
                if all(names):
                    yield names[0], names[1]


def _size(value: isl.PwAff) -> str:
    """The size that a function is; "" for another one."""
    pieces = value.get_pieces()
    for name in islx.param_names(value.domain()) if len(pieces) == 1 else ():
        size = pieces[0][1].get_domain_local_space()
        at = size.find_dim_by_name(isl.dim_type.param, name)
        if pieces[0][1].plain_is_equal(isl.Aff.var_on_domain(size, isl.dim_type.param, at)):
            return name
    return ""


def _written(statement: ScopStatement) -> Iterator[str]:
    """The arrays that a statement writes."""
    for node in nodes(statement.body):
        if isinstance(node, Access) and node.writes:
            yield node.array


def _has_end(domain: isl.Set) -> bool:
    """Whether all dimensions have bounds, at some of the sizes."""
    return all(
        domain.dim_has_any_lower_bound(isl.dim_type.set, i) and domain.dim_has_any_upper_bound(isl.dim_type.set, i)
        for i in range(domain.dim(isl.dim_type.set))
    )


def _endless_sizes(domain: isl.Set, context: isl.Set, counts: Iterable[str]) -> isl.Set:
    """[sizes] -> { : ... } where a statement has instances without end.

    Args:
        domain: of the statement.
        context: what the loop nest assumes of sizes.
        counts: which of them are never negative.
    """
    domain = domain.intersect_params(context)
    for position, name in enumerate(islx.param_names(domain)):
        domain = domain.upper_bound_val(isl.dim_type.param, position, isl.Val(LARGEST_SIZE))
        if name in counts:
            domain = domain.lower_bound_val(isl.dim_type.param, position, isl.Val(0))
    result = isl.Set.empty(domain.params().get_space())
    for piece in islx.basic_sets(domain):
        if not piece.is_empty() and not piece.is_bounded():  # at fixed sizes
            result = result.union(piece.to_set().params())
    return result


def _check_ranks(scop: Scop) -> None:
    """Refuse accesses with fewer subscripts than the array has dimensions: pointers that are compared or passed."""
    for statement in scop.statements:
        if statement.kills:
            continue
        found = [n for root in (statement.body, *(g for g, _ in statement.guards)) for n in nodes(root)]
        for node in found:
            if not isinstance(node, Access) or node.array not in scop.arrays:
                continue
            if node.index.dim(isl.dim_type.out) != _rank(scop.arrays[node.array]):
                raise refusal(
                    scop.path,
                    statement.line or scop.lines[0],
                    node.array,
                    f"`{node.array}` is used as a pointer here, not as an element; write all of its subscripts",
                )


def _rank(array: ScopArray) -> int:
    return int(array.extent.dim(isl.dim_type.set))
