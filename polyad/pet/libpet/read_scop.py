"""From what the worker printed to the records of scop.py: isl's text is read by islpy, trees become expressions."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import Any

import islpy as isl

from polyad.pet.libpet.nested_affine import Undescribed, condition
from polyad.pet.libpet.nested_affine import value as value_of
from polyad.pet.libpet.returned_values import separate_returned_values
from polyad.pet.refusal import refusal
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Number, Operation, Scop, ScopArray, ScopStatement

__all__ = ["read_scop"]

_INT = -32
"""Bits of C's int: what an integer is of which pet does not say a type."""

_KILLS, _ASSUMES = "kill", "assume"

_CONDITION = "__pet_test_"
"""Arrays in which pet keeps what data decide have names that begin so."""

_TRUTHS = frozenset({"eq", "ne", "le", "ge", "lt", "gt", "land", "lor", "lnot"})

Json = dict[str, Any]


def read_scop(reply: Json, path: str, lines: tuple[int, int]) -> Scop:
    """A scop of the worker's reply.

    Args:
        reply: the scop.
        path: the C file.
        lines: of its two pragmas.

    Raises:
        ExtractionError: a statement is none that can be modelled.
    """
    # What data decide about a loop's end holds on: once it has ended, it stays ended.
    ended = {isl.Map(i["extension"]).get_tuple_name(isl.dim_type.in_): 1 - i["value"] for i in reply["implications"]}
    for array in reply["arrays"]:
        if array["record"]:
            sentence = f"`{array['type']}` is a struct or a union; pass its members as arrays and numbers of their own"
            raise refusal(path, lines[0], "struct", sentence)
    arrays = [_array(array) for array in reply["arrays"]]
    statements = tuple(_always_known(_statement(s, path, lines), ended) for s in reply["statements"] if not _assumes(s))
    # pet leaves the two branches of an `if` in no order. Where data decide, both are instances, and the second one
    # keeps what the first one wrote.
    schedule = isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, reply["schedule"].replace("{ set: [", "{ sequence: ["))
    domain = isl.UnionSet("{ }")
    for statement in statements:
        domain = domain.union(isl.UnionSet.from_set(statement.domain))
    scop = Scop(
        context=isl.Set(reply["context"]),
        arrays={array.name: array for array in arrays},
        statements=statements,
        schedule=schedule.intersect_domain(domain),
        path=path,
        lines=lines,
    )
    types: dict[str, set[str]] = {}
    for array in arrays:
        types.setdefault(array.name, set()).add(array.type)
    for name, found in types.items():
        if len(found) > 1:
            sentence = f"`{name}` is {' and '.join(sorted(found))} at once; write each call as a statement of its own"
            raise refusal(path, lines[0], "call", sentence)
    return separate_returned_values(scop)


def _array(array: Json) -> ScopArray:
    extent = isl.Set(array["extent"])
    return ScopArray(
        name=extent.get_tuple_name(),
        extent=extent,
        type=array["type"],
        size=array["size"],
        declared=array["declared"],
        exposed=array["exposed"],
    )


def _statement(statement: Json, path: str, lines: tuple[int, int]) -> ScopStatement:
    line = max(statement["line"], 0)
    body = statement["body"]
    domain = isl.Set(statement["domain"])
    guards: tuple[tuple[Node, int], ...] = ()
    try:
        match body["kind"]:
            case "expr":
                value = _plain(_node(body["value"]))
            case "decl_init":
                value = Operation("assign", (_node(body["variable"]), _node(body["value"])), 0)
            case kind:
                sentence = (
                    f"pet does not take apart this statement ({kind}); write loops and conditions on sums of sizes"
                )
                raise refusal(path, line or lines[0], kind, sentence)
        if statement["guards"]:
            guards = _guards(domain, [_node(guard) for guard in statement["guards"]])
            domain = domain.unwrap().domain()
    except Undescribed:
        sentence = (
            "a quotient or a remainder of something that data decide, in a condition or a subscript; compute it in a "
            "statement of its own, into an int"
        )
        raise refusal(path, line or lines[0], "% or /", sentence) from None
    kills = isinstance(value, Operation) and value.op == _KILLS
    return ScopStatement(domain.get_tuple_name(), domain, value, guards, line, kills)


def _plain(value: Node) -> Node:
    """A statement's expression: `x++` is `x += 1`, and a condition that is kept is 0 or 1."""
    match value:
        case Operation("post_inc" | "pre_inc", (target,), bits):
            return Operation("add_assign", (target, Number("1", _INT)), bits)
        case Operation("post_dec" | "pre_dec", (target,), bits):
            return Operation("sub_assign", (target, Number("1", _INT)), bits)
        case Operation("assign", (Access(array) as target, truth), bits) if array.startswith(_CONDITION):
            if not (isinstance(truth, Operation) and truth.op in _TRUTHS):
                truth = Operation("ne", (truth, Number("0", _INT)), _INT)
            return Operation("assign", (target, truth), bits)
        case _:
            return value


def _assumes(statement: Json) -> bool:
    """Whether a statement only says what holds: `__pencil_assume(n > 0)`. That is part of the context already."""
    return bool(statement["body"].get("value", {}).get("op") == _ASSUMES)


def _guards(points: isl.Set, arguments: list[Node]) -> tuple[tuple[Node, int], ...]:
    """The conditions under which a statement runs, beside its domain.

    Args:
        points: { [S[i] -> [a0, a1]] : ... }.
        arguments: the values of a0 and a1.
    """
    values = points.unwrap().range()
    found = [values.plain_get_val_if_fixed(isl.dim_type.set, i) for i in range(len(arguments))]
    if all(value.is_int() for value in found):
        instances = points.unwrap().domain()
        pairs = zip(arguments, found, strict=True)
        return tuple(_where_defined(argument, int(value.to_python()), instances) for argument, value in pairs)
    everywhere = isl.Map.from_domain_and_range(points.unwrap().domain(), isl.Set.universe(values.get_space()))
    return ((condition(points.gist(everywhere.wrap()), arguments), 1),)


def _where_defined(argument: Node, wanted: int, instances: isl.Set) -> tuple[Node, int]:
    """A guard that holds where its element does not exist: no iteration before the first has ended the loop."""
    if not isinstance(argument, Access) or argument.arguments:
        return argument, wanted
    defined = argument.index.domain()
    if instances.is_subset(defined):
        return argument, wanted
    there = Affine(defined.indicator_function(), _INT)
    return Operation("cond", (there, _is(argument, wanted), Number("1", _INT)), _INT), 1


def _is(value: Node, wanted: int) -> Node:
    return Operation("eq", (value, Number(str(wanted), _INT)), _INT)


def _always_known(statement: ScopStatement, ended: dict[str, int]) -> ScopStatement:
    """The statement; one that keeps a condition does so for all instances: where not reached, what changes nothing.

    Args:
        statement: any.
        ended: array of conditions -> the value that says that a loop has ended.
    """
    match statement.body:
        case Operation("assign", (Access(array) as target, truth), bits) if (
            array.startswith(_CONDITION) and statement.guards
        ):
            reached = reduce(
                lambda a, b: Operation("land", (a, b), _INT), [_is(value, wanted) for value, wanted in statement.guards]
            )
            kept = Operation("cond", (reached, truth, Number(str(ended.get(array, 0)), _INT)), _INT)
            return replace(statement, body=Operation("assign", (target, kept), bits), guards=())
        case _:
            return statement


def _node(node: Json) -> Node:
    arguments = tuple(_node(argument) for argument in node["arguments"])
    bits = node["bits"]
    match node["kind"]:
        case "access":
            index = isl.MultiPwAff(node["index"])
            return Access(node["array"], index, node["reads"], node["writes"], arguments)
        case "affine" if not arguments:
            return Affine(isl.MultiPwAff(node["index"]).get_at(0), bits or _INT)
        case "int":
            return Number(node["text"], bits or _INT)
        case "double":
            return Number(node["text"], 0)
        case "call":
            return Call(node["name"], arguments, bits)
        case "cast":
            return Cast(node["type"], arguments[0], bits)
        case "affine":
            return value_of(isl.MultiPwAff(node["index"]).get_at(0), arguments)
        case _:
            return Operation(node["op"], arguments, bits)
