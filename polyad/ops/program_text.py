"""Reading programs from text: the inverse of `str(program)`, with infix arithmetic allowed for those who write by hand.

program mv: [N, K] -> { : N >= 1 and K >= 1 }
  input     A: float64[N, K]
  input     x: float64[K]
  output    y: float64[N]
  S: [N, K] -> { S[i, k] : 0 <= i < N and 0 <= k < K }
      y[i] += A[i, k] * x[k]
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import Literal

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.affine_text import affine_of
from polyad.ir.array import DTYPES, SEGMENTS, Array, array_called
from polyad.ir.expr import Access, Expr, Index, Read
from polyad.ir.indirect import indirect_access
from polyad.ir.program import Program
from polyad.ir.scan import Scan
from polyad.ir.statement import SIGNS, Statement
from polyad.ops.registry import OPS, const, select
from polyad.ops.registry import cast as cast_expr
from polyad.ops.stated import stated

__all__ = ["parse_program"]

_INFIX: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Pow: "pow",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
_REDUCTION = {sign: reduction for reduction, sign in SIGNS.items()}
_WORD = re.compile(r"\b(and|or|not)\(")
_STATEMENT = re.compile(r"(?P<left>[^=]*\])\s*(?P<op>=|\+=|\*=|max=|min=)\s(?P<right>.*)")


class _Reader:
    """Reads expressions over the instances of one statement."""

    def __init__(self, arrays: Mapping[str, Array], space: isl.Space, params: Sequence[str], dims: Sequence[str]):
        self.arrays, self.space, self.params = arrays, space, params
        self.where = islx.positions(params, dims)

    def array(self, name: str) -> Array:
        if name not in self.arrays:
            raise DefinitionError(f"unknown array {name!r}")
        return self.arrays[name]

    def access(self, node: ast.expr) -> tuple[Array, Access]:
        if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
            raise DefinitionError(f"not an element of an array: {ast.unparse(node)!r}")
        array = self.array(node.value.id)
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not any(isinstance(n, ast.Subscript | ast.Call) for item in items for n in ast.walk(item)):
            affs = [affine_of(i).to_aff(self.space, self.where) for i in items]
            return array, islx.multi_aff(self.space, array.name, affs)
        index = tuple(self.index(i) for i in items)
        return array, indirect_access(array, index, self.space, self.params)

    def index(self, node: ast.expr) -> Expr:
        if any(isinstance(n, ast.Subscript | ast.Call) for n in ast.walk(node)):
            return self.expr(node)
        return Index(affine_of(node).to_aff(self.space, self.where))

    def expr(self, node: ast.expr) -> Expr:
        match node:
            case ast.Constant(bool(v)):
                return const(v, "bool")
            case ast.Constant(int() | float() as v):
                return const(v, "int64" if isinstance(v, int) else "float64")
            case ast.Name("inf" | "nan"):
                return const(float(node.id), "float64")
            case ast.Subscript():
                array, access = self.access(node)
                return Read(array.name, access, array.dtype)
            case ast.Call(ast.Name("index"), [inner]):
                return Index(affine_of(inner).to_aff(self.space, self.where))
            case ast.Call(ast.Name("select"), [c, a, b]):
                return select(self.expr(c), self.expr(a), self.expr(b))
            case ast.Call(ast.Name(name), [inner]) if name in DTYPES:
                number = ast.unparse(inner)  # float() also reads -inf and nan
                return const(float(number) if "float" in name else ast.literal_eval(number), name)
            case ast.Call(ast.Name(name), [inner]) if name.removeprefix("cast_") in DTYPES:
                return cast_expr(self.expr(inner), name.removeprefix("cast_"))
            case ast.Call(ast.Name("and_" | "or_" | "not_" as name), args):
                return stated(name.removesuffix("_"), *(self.expr(a) for a in args))
            case ast.Call(ast.Name(name), args) if name in OPS:
                return stated(name, *(self.expr(a) for a in args))
            case ast.BinOp(left, op, right) if type(op) in _INFIX:
                return self.binary(_INFIX[type(op)], left, right)
            case ast.Compare(left, [op], [right]):
                return self.binary(_COMPARE[type(op)], left, right)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as v)):
                return const(-v, "int64" if isinstance(v, int) else "float64")
            case ast.UnaryOp(ast.USub(), ast.Name("inf")):
                return const(float("-inf"), "float64")
            case ast.UnaryOp(ast.USub(), inner):
                return stated("neg", self.expr(inner))
            case _:
                raise DefinitionError(f"cannot read the expression {ast.unparse(node)!r}")

    def binary(self, op: str, left: ast.expr, right: ast.expr) -> Expr:
        """Infix arithmetic; a bare number takes the type of the other side."""
        a, b = self.expr(left), self.expr(right)
        if isinstance(left, ast.Constant) and "float" in b.dtype:
            a = cast_expr(a, b.dtype)
        if isinstance(right, ast.Constant) and "float" in a.dtype:
            b = cast_expr(b, a.dtype)
        return stated(op, a, b)


def _parsed(text: str) -> ast.expr:
    """The Python expression: `and(a, b)` is a call of `and_` there, the words being Python's own."""
    return ast.parse(_WORD.sub(r"\1_(", text.replace("[]", "[()]")), mode="eval").body


def _parse_array(word: str, text: str) -> Array:
    match = re.fullmatch(r"(\w+): (\w+)\[(.*)\]", text)
    if match is None or match[2] not in DTYPES:
        raise DefinitionError(f"not an array declaration: {text!r}")
    shape = tuple(affine_of(ast.parse(s, mode="eval").body) for s in _split(match[3]))
    return array_called(word, match[1], shape, match[2])


def _split(text: str) -> list[str]:
    return [ast.unparse(e) for e in ast.parse(f"({text},)", mode="eval").body.elts] if text.strip() else []  # type: ignore[attr-defined]  # a tuple by construction


def _parse_scan(text: str) -> Scan:
    match = re.fullmatch(r"(\w+): (\w+) < (.*), (forward|reverse), states (.*)", text)
    if match is None:
        raise DefinitionError(f"not a scan tag: {text!r}")
    direction: Literal[1, -1] = 1 if match[4] == "forward" else -1
    return Scan(
        match[1], match[2], affine_of(ast.parse(match[3], mode="eval").body), direction, tuple(match[5].split(", "))
    )


def _parse_statement(head: str, body: str, arrays: Mapping[str, Array], params: Sequence[str]) -> Statement:
    name, domain_text = head.split(": ", 1)
    domain = islx.read_set(domain_text, f"the domain of {name}").align_params(islx.space(params, "", []).params())
    n = domain.dim(isl.dim_type.set)
    dims = tuple(domain.get_dim_name(isl.dim_type.set, i) or f"i{i}" for i in range(n))
    match = _STATEMENT.fullmatch(body)
    if match is None:
        raise DefinitionError(f"not an equation: {body!r}")
    reader = _Reader(arrays, islx.space(params, name, dims), params, dims)
    array, write = reader.access(_parsed(match["left"]))
    right = reader.expr(_parsed(match["right"]))
    return Statement(name, dims, domain, array.name, write, cast_expr(right, array.dtype), _REDUCTION[match["op"]])


def parse_program(text: str) -> Program:
    """Read a program; the verifier is not run.

    Raises:
        DefinitionError: the text is not a program; the message quotes the offending line.
    """
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    head = re.fullmatch(r"program (\w+): (.*)", lines[0])
    if head is None:
        raise DefinitionError(f"a program starts with 'program NAME: CONTEXT', not {lines[0]!r}")
    context = islx.read_set(head[2], "the context")
    params = islx.param_names(context)
    arrays: dict[str, Array] = {}
    scans: list[Scan] = []
    in_place: dict[str, str] = {}
    statements: list[Statement] = []
    rest = iter(lines[1:])
    for line in rest:
        word, body = line.split(" ", 1)[0], ""
        try:
            if word in ("input", "output", "temporary", *SEGMENTS) or word.startswith("recomputed_"):
                array = _parse_array(word, line[len(word) :].strip())
                arrays[array.name] = array
            elif word == "in_place":
                output, _, given = line[len(word) :].partition(":")
                in_place[output.strip()] = given.strip()
            elif word == "scan":
                scans.append(_parse_scan(line[4:].strip()))
            else:
                body = next(rest, "")
                statements.append(_parse_statement(line, body, arrays, params))
        except (SyntaxError, ValueError, KeyError) as problem:  # no expression, no number, no index
            raise DefinitionError(f"cannot read {body or line!r}: {problem}") from problem
    inputs = tuple(a.name for a in arrays.values() if a.role == "input")
    outputs = tuple(a.name for a in arrays.values() if a.role == "output")
    return Program(head[1], context, arrays, tuple(statements), inputs, outputs, tuple(scans), in_place)
