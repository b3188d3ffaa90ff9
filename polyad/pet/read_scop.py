"""From what the worker printed to the records of scop.py: isl's text is read by islpy, trees become expressions."""

from __future__ import annotations

from typing import Any

import islpy as isl

from polyad.pet.refusal import refusal
from polyad.pet.scop import Access, Affine, Call, Cast, Node, Number, Operation, Scop, ScopArray, ScopStatement

__all__ = ["is_readable", "read_scop"]

_INT = -32
"""Bits of C's int: what an integer is of which pet does not say a type."""

_KILLS, _ASSUMES = "kill", "assume"

Json = dict[str, Any]


def is_readable(name: str) -> bool:
    """Whether isl reads a name as one: `max`, `floor`, `rat` and others are words of its language, in any case."""
    try:
        read = isl.Set(f"[{name}] -> {{ {name}[i] : i < {name} }}")
    except isl.Error:
        return False
    return str(read.get_tuple_name()) == name and read.dim(isl.dim_type.param) == 1


def read_scop(reply: Json, path: str, lines: tuple[int, int]) -> Scop:
    """A scop of the worker's reply.

    Args:
        reply: the scop.
        path: the C file.
        lines: of its two pragmas.

    Raises:
        ExtractionError: a statement is none that can be modelled.
    """
    arrays = [_array(array) for array in reply["arrays"]]
    statements = tuple(_statement(s, path, lines) for s in reply["statements"] if not _assumes(s))
    schedule = isl.Schedule.read_from_str(isl.DEFAULT_CONTEXT, reply["schedule"])
    domain = isl.UnionSet("{ }")
    for statement in statements:
        domain = domain.union(isl.UnionSet.from_set(statement.domain))
    return Scop(
        context=isl.Set(reply["context"]),
        arrays={array.name: array for array in arrays},
        statements=statements,
        schedule=schedule.intersect_domain(domain),
        path=path,
        lines=lines,
    )


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
    match body["kind"]:
        case "expr":
            value = _node(body["value"])
        case "decl_init":
            value = Operation("assign", (_node(body["variable"]), _node(body["value"])), 0)
        case kind:
            shown = {"for": "loop", "while": "loop", "infinite_loop": "loop"}.get(kind, kind.replace("_", "-"))
            raise refusal(
                path,
                line or lines[0],
                shown,
                f"what this {shown} does cannot be described: pet kept it whole; write "
                "bounds and conditions that are sums of loop variables and sizes",
            )
    whole = isl.Set(statement["domain"])
    domain = whole
    guards: tuple[tuple[Node, int], ...] = ()
    if statement["guards"]:
        wrapped = whole.unwrap()
        domain = wrapped.domain()
        guards = tuple(
            (_node(guard), _only_value(wrapped.range(), i, path, line or lines[0]))
            for i, guard in enumerate(statement["guards"])
        )
    kills = isinstance(value, Operation) and value.op == _KILLS
    return ScopStatement(domain.get_tuple_name(), domain, value, guards, line, kills)


def _assumes(statement: Json) -> bool:
    """Whether a statement only says what holds: `__pencil_assume(n > 0)`. That is part of the context already."""
    return bool(statement["body"].get("value", {}).get("op") == _ASSUMES)


def _only_value(values: isl.Set, position: int, path: str, line: int) -> int:
    """The number that all points of a set have at a position."""
    value = values.plain_get_val_if_fixed(isl.dim_type.set, position)
    if not value.is_int():
        raise refusal(
            path,
            line,
            "if",
            "this statement runs for more than one value of a condition that data decide; write it as "
            "`if (a < b)` with one comparison of elements",
        )
    return int(value.to_python())


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
            # An affine function of values that data decide: such a thing has only been seen in subscripts.
            return Operation("affine", arguments, bits)
        case _:
            return Operation(node["op"], arguments, bits)
