"""Programs as JSON, with all that `str(program)` shows and the user's places; isl objects stand in it as isl's text."""

from __future__ import annotations

import json
from typing import Any

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.affine_text import parse_affine
from polyad.ir.array import array_called
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.program import Program
from polyad.ir.scan import Scan
from polyad.ir.statement import Statement

__all__ = ["from_json", "to_json"]

VERSION = 1
"""Of the format; raised by a change that older readers would misread."""

_Json = Any


def to_json(program: Program) -> str:
    """The program as text that `from_json` reads back, the same for equal programs built in the same way."""
    return json.dumps(
        {
            "polyad_program": VERSION,
            "name": program.name,
            "context": str(program.context),
            "arrays": [
                {"name": a.name, "shape": [str(e) for e in a.shape], "dtype": a.dtype, "role": a.word}
                for a in program.arrays.values()
            ],
            "inputs": list(program.inputs),
            "outputs": list(program.outputs),
            **({"in_place": dict(program.in_place)} if program.in_place else {}),
            "scans": [
                {
                    "name": s.name,
                    "time": s.time,
                    "length": str(s.length),
                    "direction": s.direction,
                    "states": list(s.states),
                    "where": s.where,
                }
                for s in program.scans
            ],
            "statements": [
                {
                    "name": s.name,
                    "dims": list(s.dims),
                    "domain": str(s.domain),
                    "array": s.array,
                    "write": _access(s.write),
                    "body": _expr(s.body),
                    "reduction": s.reduction,
                    "where": s.where,
                }
                for s in program.statements
            ],
        },
        indent=1,
    )


def from_json(text: str) -> Program:
    """The program that `to_json` wrote; the verifier is not run.

    Raises:
        DefinitionError: the text is not such a program; the message says what is wrong with it.
    """
    try:
        data = json.loads(text)
        if data["polyad_program"] != VERSION:
            raise DefinitionError(f"a program of format {data['polyad_program']!r}; this polyad reads format {VERSION}")
        return _read_program(data)
    # AttributeError, IndexError: another structure; SyntaxError: no expression; RecursionError: brackets in brackets.
    except (
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        IndexError,
        SyntaxError,
        RecursionError,
        isl.Error,
    ) as problem:
        raise DefinitionError(f"not a program in JSON ({type(problem).__name__}: {problem})") from problem


def _access(access: Access) -> _Json:
    if isinstance(access, Indirect):
        return {"index": [_expr(i) for i in access.index], "may": str(access.may)}
    return str(access)


def _expr(expr: Expr) -> _Json:
    match expr:
        case Const(value, dtype):
            # As text: JSON has no inf and nan, and repr keeps every bit of a float.
            return {"const": repr(value), "dtype": dtype}
        case Index(value):
            return {"index": str(value)}
        case Read(array, access, dtype):
            return {"read": array, "access": _access(access), "dtype": dtype}
        case Apply(op, args, dtype):
            return {"apply": op, "args": [_expr(a) for a in args], "dtype": dtype}
        case Select(cond, a, b, dtype):
            return {"select": [_expr(cond), _expr(a), _expr(b)], "dtype": dtype}


def _read_program(data: _Json) -> Program:
    return Program(
        data["name"],
        isl.Set(data["context"]),
        {
            a["name"]: array_called(a["role"], a["name"], tuple(parse_affine(e) for e in a["shape"]), a["dtype"])
            for a in data["arrays"]
        },
        tuple(_read_statement(s) for s in data["statements"]),
        tuple(data["inputs"]),
        tuple(data["outputs"]),
        tuple(
            Scan(s["name"], s["time"], parse_affine(s["length"]), s["direction"], tuple(s["states"]), s["where"])
            for s in data["scans"]
        ),
        dict(data.get("in_place", {})),
    )


def _read_statement(data: _Json) -> Statement:
    dims = tuple(data["dims"])
    return Statement(
        data["name"],
        dims,
        islx.name_dims(isl.Set(data["domain"]), dims),
        data["array"],
        _read_access(data["write"]),
        _read_expr(data["body"]),
        data["reduction"],
        data["where"],
    )


def _read_access(data: _Json) -> Access:
    if isinstance(data, str):
        return isl.MultiAff(data)
    return Indirect(tuple(_read_expr(i) for i in data["index"]), isl.Map(data["may"]))


def _read_expr(data: _Json) -> Expr:
    match data:
        case {"const": text, "dtype": dtype}:
            return Const(_number(text, dtype), dtype)
        case {"index": text}:
            return Index(isl.Aff(text))
        case {"read": array, "access": access, "dtype": dtype}:
            return Read(array, _read_access(access), dtype)
        case {"apply": op, "args": args, "dtype": dtype}:
            return Apply(op, tuple(_read_expr(a) for a in args), dtype)
        case {"select": [cond, a, b], "dtype": dtype}:
            return Select(_read_expr(cond), _read_expr(a), _read_expr(b), dtype)
    raise DefinitionError(f"not an expression in JSON: {data!r}")


def _number(text: str, dtype: str) -> float | int | bool:
    if "float" in dtype:
        return float(text)
    return text == "True" if dtype == "bool" else int(text)
