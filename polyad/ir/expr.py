"""Scalar expressions: the bodies of statements.

    Expr ::= Const(value) | Index(value) | Read(array, access) | Apply(op, args) | Select(cond, a, b)

Expressions are frozen and hold isl functions whose domain is the statement's space { S[dims] }. They carry their dtype.
They are compared by identity: equality of isl objects is mathematical, their hash is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import islpy as isl

from polyad.ir.affine import Affine

__all__ = [
    "Access",
    "Apply",
    "Const",
    "Expr",
    "Index",
    "Indirect",
    "Read",
    "Select",
    "access_relation",
    "children",
    "map_expr",
    "pullback",
    "pullback_access",
    "reads",
    "render",
    "render_access",
    "size",
    "walk",
]


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A number."""

    value: float | int | bool
    dtype: str


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """A quasi-affine value of the instance and the sizes: { S[t, b] -> [(2t + b)] }, an int64."""

    value: isl.Aff

    @property
    def dtype(self) -> str:
        """Always int64."""
        return "int64"


@dataclass(frozen=True, slots=True, eq=False)
class Indirect:
    """A data-dependent access.

    Attributes:
        index: one integer expression per array dimension; affine dimensions are plain `Index`.
        may: { S[t] -> a[v] } every element that instance may touch: the affine dimensions exactly, the others the whole
            extent of the array (the call checks that the data keeps inside).
    """

    index: tuple[Expr, ...]
    may: isl.Map


Access = isl.MultiAff | Indirect


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """The value of one array element, `access`: { S[t, b, k] -> h[t, b, k] }."""

    array: str
    access: Access
    dtype: str


@dataclass(frozen=True, slots=True, eq=False)
class Apply:
    """A scalar operator of the table `polyad.ops` applied to arguments."""

    op: str
    args: tuple[Expr, ...]
    dtype: str


@dataclass(frozen=True, slots=True, eq=False)
class Select:
    """a where cond (a data-dependent bool) else b. Affine conditions never stand here: they cut the domain."""

    cond: Expr
    a: Expr
    b: Expr
    dtype: str


Expr = Const | Index | Read | Apply | Select


def access_relation(access: Access) -> isl.Map:
    """{ S[i] -> a[index] }: exact for an affine access, the may-relation for a data-dependent one."""
    return access.may if isinstance(access, Indirect) else access.as_map()


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct sub-expressions, those inside a data-dependent index included."""
    match expr:
        case Apply(_, args, _):
            return args
        case Select(cond, a, b, _):
            return (cond, a, b)
        case Read(_, Indirect(index, _), _):
            return index
        case _:
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """All sub-expressions, outer before inner, left to right."""
    todo = [expr]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(children(node)))


def reads(expr: Expr) -> Iterator[Read]:
    """All reads, those inside data-dependent indices included."""
    for node in walk(expr):
        if isinstance(node, Read):
            yield node


def size(expr: Expr) -> int:
    """The number of nodes."""
    return sum(1 for _ in walk(expr))


def map_expr(expr: Expr, leaf: Callable[[Expr], Expr]) -> Expr:
    """Rebuild bottom-up; `leaf` sees every node after its children were rebuilt."""
    match expr:
        case Apply(_, args, _) if args:
            expr = replace(expr, args=tuple(map_expr(a, leaf) for a in args))
        case Select(cond, a, b, _):
            expr = replace(expr, cond=map_expr(cond, leaf), a=map_expr(a, leaf), b=map_expr(b, leaf))
        case Read(_, Indirect(index, may), _):
            expr = replace(expr, access=Indirect(tuple(map_expr(i, leaf) for i in index), may))
        case _:
            pass
    return leaf(expr)


def pullback_access(access: Access, change: isl.MultiAff) -> Access:
    """The access as seen from a new space, `change`: { New[j] -> S[i] }."""
    if isinstance(access, Indirect):
        return Indirect(tuple(pullback(i, change) for i in access.index), change.as_map().apply_range(access.may))
    return access.pullback_multi_aff(change)


def pullback(expr: Expr, change: isl.MultiAff) -> Expr:
    """The expression as seen from a new space, `change`: { New[j] -> S[i] }."""
    match expr:
        case Index(value):
            return Index(value.pullback_multi_aff(change))
        case Read(_, access, _):
            return replace(expr, access=pullback_access(access, change))
        case Apply(_, args, _):
            return replace(expr, args=tuple(pullback(a, change) for a in args))
        case Select(cond, a, b, _):
            return replace(expr, cond=pullback(cond, change), a=pullback(a, change), b=pullback(b, change))
        case _:
            return expr


def render_access(array: str, access: Access, dims: tuple[str, ...]) -> str:
    """h[t + 1, b]."""
    if isinstance(access, Indirect):
        inside = ", ".join(render(i, dims) for i in access.index)
    else:
        affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
        inside = ", ".join(str(Affine.from_aff(a, dims)) for a in affs)
    return f"{array}[{inside}]"


def render(expr: Expr, dims: tuple[str, ...]) -> str:
    """The expression as text, prefix form, `dims` naming the statement's dimensions."""
    match expr:
        case Const(value, dtype):
            return repr(value) if dtype in ("float64", "int64", "bool") else f"{dtype}({value!r})"
        case Index(value):
            return f"index({Affine.from_aff(value, dims)})"
        case Read(array, access, _):
            return render_access(array, access, dims)
        case Apply(op, args, dtype):
            spelled = f"cast_{dtype}" if op == "cast" else op
            return f"{spelled}({', '.join(render(a, dims) for a in args)})"
        case Select(cond, a, b, _):
            return f"select({render(cond, dims)}, {render(a, dims)}, {render(b, dims)})"
