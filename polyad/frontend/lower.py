"""From scalar trees to statements.

One definition becomes one statement for its body, plus one array and statement for every reduction inside it. Affine
selects cut domains, expensive sub-expressions get arrays of their own (so that derivative rules can use their results),
and every access is proved to stay inside its array, here, where the user's line is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.body_type import kind_of
from polyad.frontend.control.exact_values import exact_index, exact_value
from polyad.frontend.definition import Definition, Strength, TensorBase, plain
from polyad.frontend.scalar import Applied, Element, IndexExpr, Number, Reduced, Scalar, Selected, attains
from polyad.frontend.scope import Scope, extend
from polyad.frontend.symbols import Axis, Size, fresh, merge_symbols, upper_bound
from polyad.frontend.weak import Kind, Typed, apply_typed, converted, held, reduced_kind, select_typed, taken_branch
from polyad.ir.affine import Affine
from polyad.ir.array import DTYPES, Array
from polyad.ir.element_types import COMPUTED, ELEMENT_TYPES, computed, is_integer
from polyad.ir.expr import Access, Apply, Expr, Index, Read
from polyad.ir.indirect import indirect_access
from polyad.ir.statement import Reduction, Statement
from polyad.ops.registry import apply, cast, const
from polyad.transforms.rewrite.affine_conditions import condition_set
from polyad.transforms.rewrite.affine_value import affine_value

__all__ = ["Lowering", "scalar_children", "symbols_of"]

_FOLD: dict[str, Reduction] = {"sum": "sum", "prod": "prod", "max": "max", "min": "min"}
_LAST = 2**63 - 1


def scalar_children(node: Scalar) -> tuple[Scalar, ...]:
    """Direct sub-expressions."""
    match node:
        case Element(_, indices):
            return indices
        case Applied(_, args, _):
            return args
        case Selected(c, a, b):
            return (c, a, b)
        case Reduced(_, _, body):
            return (body,)
        case _:
            return ()


def _walk(node: Scalar) -> Iterator[Scalar]:
    yield node
    for child in scalar_children(node):
        yield from _walk(child)


def symbols_of(body: Scalar) -> dict[str, Size | Axis]:
    """All sizes and axes a body mentions, bounds of axes and hidden prefixes included."""
    found: dict[str, Size | Axis] = {}
    for node in _walk(body):
        match node:
            case IndexExpr(_, symbols):
                found = merge_symbols(found, symbols)
            case Element(tensor, _):
                found = merge_symbols(found, tensor.symbols)
            case Reduced(_, axes, _):
                found = merge_symbols(found, {a.name: a for a in axes})
            case _:
                pass
    for symbol in list(found.values()):
        if isinstance(symbol, Axis):
            found = merge_symbols(found, symbol.symbols)
    return found


@dataclass(slots=True)
class Lowering:
    """Collects the statements of one definition.

    Attributes:
        hint: the user's name of the definition.
        where: the user's `file:line`.
        symbols: all sizes and axes that occur.
        arrays: arrays made here.
        statements: statements made here.
        operands: definitions read.
        sees_exact: whether it mentions an array whose definition is exact.
    """

    hint: str
    where: str
    symbols: dict[str, Size | Axis]
    arrays: dict[str, Array] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    operands: dict[int, Definition] = field(default_factory=dict)
    sees_exact: bool = False
    reduced: dict[tuple[int, tuple[str, ...]], tuple[str, Strength]] = field(default_factory=dict)

    @property
    def params(self) -> list[str]:
        """Size names, in the order of their use."""
        return [n for n, s in self.symbols.items() if isinstance(s, Size)]

    def scope(self, axes: Sequence[Axis], name: str) -> Scope:
        """The iteration space of a statement over these axes."""
        made = Scope.over(axes, name, self.params)
        for condition in (c for a in axes for c in a.conditions if c.axes <= made.where.keys()):
            holds = condition_set(self.lower(condition.test, made).expr, made.space)
            assert holds is not None  # `control/branches.py` asks first
            made = replace(made, domain=made.domain.intersect(holds))
        return made

    def define(
        self,
        name: str,
        axes: Sequence[Axis],
        body: Scalar,
        dtype: str | None,
        index: Sequence[Affine] | None = None,
        shape: Sequence[Affine] | None = None,
        assumed: isl.Set | None = None,
        label: str | None = None,
    ) -> Typed:
        """Define array `name` over `axes` by `body`.

        Args:
            name: internal array name; the array is made here unless it exists.
            axes: the axes of the statement, outermost first.
            body: the value.
            dtype: element type to convert to, or None for the type of the body.
            index: where element axes is written; the axes themselves if None.
            shape: extents of the array; the upper bounds of the axes if None.
            assumed: { [axes] } what is known of the instances, or None.
            label: the statement's name; the array's if None.

        Returns:
            The body as typed expression, for its dtype and weakness.
        """
        scope = self.scope(axes, label or name)
        if assumed is not None:
            scope = scope.within(scope.domain.intersect(assumed.set_tuple_name(scope.name)))
        affs = [a.to_aff(scope.space, scope.where) for a in (index or [Affine.of(a.name) for a in axes])]
        direct = isinstance(body, Reduced) and body.kind in _FOLD and (body.kind == "sum" or len(body.axes) == 1)
        if direct and (kind_of(body, self.arrays).dtype if dtype is None else dtype) not in COMPUTED:
            assert isinstance(body, Reduced)
            inner = self.scope([*axes, *body.axes], scope.name)
            if not scope.whole:
                inner = inner.within(inner.domain.intersect(extend(scope.domain, inner)))
            inner_affs = [a.to_aff(inner.space, inner.where) for a in (index or [Affine.of(a.name) for a in axes])]
            value = self.lower(body.body, inner)
            kind, scope, affs = _FOLD[body.kind], inner, inner_affs
            match value.expr, body.body:  # a product that is added up as int32 has not come back to int8 before
                case Apply("cast", (Apply("cast", (whole,), small),), _), Applied(op) if kind in ("sum", "prod"):
                    value = Typed(whole, value.strength) if is_integer(small) and op != "cast" else value
        else:
            value, kind = self.lower(body, scope), None
        if dtype == "bool":  # 0.5 is true, and as int32 it would be 0
            value = Typed(cast(value.expr, "bool"))
        own = value.kind if kind is None else reduced_kind(kind, value.kind)
        result = _stored(own.dtype if dtype is None else dtype, self.hint)
        if name not in self.arrays:
            extents = tuple(shape) if shape is not None else tuple(upper_bound(a.upper, self.symbols) for a in axes)
            self.arrays[name] = Array(name, extents, result)
        self.statements.append(
            Statement(
                scope.name,
                scope.dims,
                scope.domain,
                name,
                islx.multi_aff(scope.space, name, affs),
                cast(converted(value.expr, result), result),
                kind,
                self.where,
            )
        )
        return value if kind is None else Typed(value.expr, own.strength, own.dtype if own.dtype in COMPUTED else "")

    def lower(self, node: Scalar, scope: Scope) -> Typed:
        """A scalar tree as expression over the instances of `scope`."""
        match node:
            case Number(value):
                dtype = "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else "float64"
                return Typed(const(value, dtype), "strong" if dtype == "bool" else "weak")
            case IndexExpr():
                return Typed(self._index(node, scope), "weak")
            case Element():
                return self._element(node, scope)
            case Applied("cast", (arg,), dtype):
                assert dtype is not None
                return held(converted(self.lower(arg, scope).expr, dtype), Kind(dtype, "strong"))
            case Applied(op, args, _):
                return apply_typed(op, [self.lower(a, scope) for a in args])
            case Selected(cond, a, b):
                return self._select(cond, a, b, scope)
            case Reduced():
                return self._reduced(node, scope)
            case _:
                raise DTypeError(f"{node!r} is not a scalar expression")

    def _index(self, node: IndexExpr, scope: Scope) -> Expr:
        if node.affine.is_constant:
            return const(node.affine.constant, "int64")
        unbound = [n for n in node.affine.names() if n not in scope.where]
        if unbound:
            raise DefinitionError(
                f"{self.where}: axis {plain(unbound[0])} is used outside of the reduction or definition it belongs to, "
                f"in {node!r} of {self.hint!r}; reduce over it with pa.sum(..., axis={plain(unbound[0])}) "
                "or index by an axis of this definition"
            )
        return Index(node.affine.to_aff(scope.space, scope.where))

    def _element(self, node: Element, scope: Scope) -> Typed:
        tensor = node.tensor
        if len(node.indices) != tensor.ndim:
            raise ShapeError(
                f"{self.where}: {tensor.name} has {tensor.ndim} dimensions and is read with {len(node.indices)} "
                f"indices, {plain(str(node))}"
            )
        around = [IndexExpr(p, tensor.symbols) for p in tensor.prefix]
        index = self._positions([*around, *node.indices], scope, str(node), [*tensor.prefix, *tensor.shape_affine])
        exact, settled = tensor.definition.exact, [i.value for i in index if isinstance(i, Index)]
        if exact is not None and len(settled) == len(index):
            self.sees_exact = True
            return Typed(exact_value(exact, settled, scope.space), tensor.strength)
        array = self.arrays.get(tensor.array)
        if array is None:
            self.operands.setdefault(id(tensor.definition), tensor.definition)
            array = tensor.definition.arrays[tensor.array]
        read = Read(array.name, self._access(array, index, scope), array.dtype)
        if tensor.dtype == "bool":
            return Typed(apply("ne", read, const(0, array.dtype)))
        small = array.dtype if array.dtype in COMPUTED else ""
        return Typed(cast(read, computed(array.dtype)), tensor.strength, small)

    def _positions(self, indices: Sequence[Scalar], scope: Scope, text: str, shape: Sequence[Affine]) -> list[Expr]:
        """Indices as expressions of int64: `Index` where they turn out to be affine."""
        found: list[Expr] = []
        for i, extent in zip(indices, shape, strict=True):
            value = self._index(i, scope) if isinstance(i, IndexExpr) else self._data_index(i, scope, text)
            known = affine_value(value, scope.space)
            if known is None:
                known = exact_index(value, extent, scope, self.operands.values())
            found.append(value if known is None else Index(known))
        return found

    def _access(self, array: Array, index: Sequence[Expr], scope: Scope) -> Access:
        settled = [i.value for i in index if isinstance(i, Index)]
        if len(settled) == len(index):
            return islx.multi_aff(scope.space, array.name, settled)
        return indirect_access(array, index, scope.space, self.params)

    def _data_index(self, node: Scalar, scope: Scope, text: str) -> Expr:
        value = self.lower(node, scope).expr
        if not is_integer(value.dtype):
            raise DTypeError(
                f"{self.where}: index {plain(str(node))} of {plain(text)} is {value.dtype}; indices are "
                "integers (pa.cast(x, 'int64') converts)"
            )
        return cast(value, "int64")

    def place(
        self, name: str, axes: Sequence[Axis], index: Sequence[Scalar], body: Scalar, reduction: Reduction | None
    ) -> Statement:
        """name[index] = body, or, with a reduction, one contribution more for each value of the axes.

        Args:
            name: an array that is there.
            axes: the axes of the statement, outermost first.
            index: one integer per dimension of the array; without a reduction no two values of the axes have the same.
            body: the value.
            reduction: needed where the index depends on data.
        """
        scope = self.scope(axes, fresh(f"{plain(name)}_placed"))
        array = self.arrays[name]
        write = self._access(array, self._positions(index, scope, plain(name), array.shape), scope)
        value = cast(converted(self.lower(body, scope).expr, array.dtype), array.dtype)
        if reduction is not None and array.dtype in COMPUTED:
            raise DTypeError(
                f"{self.where}: elements of {plain(name)} are added up as {array.dtype}, which is not done; convert it "
                f"before, as by .astype({computed(array.dtype)!r}), and back"
            )
        statement = Statement(scope.name, scope.dims, scope.domain, name, write, value, reduction, self.where)
        self.statements.append(statement)
        return statement

    def _select(self, cond: Scalar, a: Scalar, b: Scalar, scope: Scope) -> Typed:
        test = self.lower(cond, scope).expr
        if test.dtype != "bool":
            raise DTypeError(f"{self.where}: the condition of select is {test.dtype}, a comparison (bool) is needed")
        holds = condition_set(test, scope.space)
        if holds is None:
            return select_typed(test, self.lower(a, scope), self.lower(b, scope))
        inside, outside = scope.domain.intersect(holds), scope.domain.subtract(holds)
        if outside.is_empty():
            return taken_branch(self.lower(a, scope), kind_of(b, self.arrays))
        if inside.is_empty():
            return taken_branch(self.lower(b, scope), kind_of(a, self.arrays))
        return select_typed(test, self.lower(a, scope.within(inside)), self.lower(b, scope.within(outside)))

    def _reduced(self, node: Reduced, scope: Scope) -> Typed:
        """The value of a reduction inside an expression: an array over the axes it depends on."""
        if node.kind in ("argmax", "argmin"):
            return self._arg(node, scope)
        if node.kind != "sum" and len(node.axes) > 1:
            inner = Reduced(node.kind, node.axes[-1:], node.body)
            return self._reduced(Reduced(node.kind, node.axes[:-1], inner), scope)
        axes = self._free_axes(node, scope)
        key = (id(node), tuple(a.name for a in axes))
        known = self.reduced.get(key)
        own = kind_of(node, self.arrays).dtype
        if known is None or not scope.whole:
            name = fresh(f"{self.hint}_{node.kind}")
            wide = computed(own) if own in COMPUTED else None
            known = name, self.define(name, axes, node, wide, assumed=scope.project(axes)).strength
            self.reduced[key] = known
        name, strength = known
        return Typed(self._read(name, axes, scope), strength, own if own in COMPUTED else "")

    def _read(self, name: str, axes: Sequence[Axis], scope: Scope) -> Read:
        affs = [Affine.of(a.name).to_aff(scope.space, scope.where) for a in axes]
        return Read(name, islx.multi_aff(scope.space, name, affs), self.arrays[name].dtype)

    def _free_axes(self, node: Scalar, scope: Scope) -> list[Axis]:
        bound = {a.name for n in _walk(node) if isinstance(n, Reduced) for a in n.axes}
        used: set[str] = set()
        for n in _walk(node):
            match n:
                case IndexExpr(affine, _):
                    used |= affine.names()
                case Element(tensor, _):
                    for p in tensor.prefix:
                        used |= p.names()
                case Reduced(_, axes, _):
                    for a in axes:
                        used |= a.lower.names() | a.upper.names()
                case _:
                    pass
        return [a for a in scope.axes if a.name in used - bound]

    def _arg(self, node: Reduced, scope: Scope) -> Typed:
        """The first position of the optimum: the least index whose stored value attains it, of all axes flattened."""
        kind = node.kind[3:]
        axes = self._free_axes(node, scope)
        stored = fresh(f"{self.hint}_value")
        assumed = scope.project(axes)
        if len(node.axes) > 1:
            return self._flat_arg(node, scope)
        (axis,) = node.axes
        inner = [*axes, axis]
        domain = self.scope(inner, "")
        self.define(stored, inner, node.body, None, assumed=None if assumed is None else extend(assumed, domain))
        best, arg = fresh(f"{self.hint}_{kind}"), fresh(f"{self.hint}_{node.kind}")
        value = self._tensor(stored)
        element = Element(value, tuple(_axis_index(a) for a in inner))
        self.define(best, axes, Reduced(kind, (axis,), element), None, assumed=assumed)
        optimum = Element(self._tensor(best), tuple(_axis_index(a) for a in axes))
        first = Reduced("min", (axis,), Selected(attains(kind, element, optimum), _axis_index(axis), Number(_LAST)))
        self.define(arg, axes, first, "int64", assumed=assumed)
        return Typed(self._read(arg, axes, scope))

    def _flat_arg(self, node: Reduced, scope: Scope) -> Typed:
        """Row-major position over several axes: the outer axes' winner, then the inner winner in its row."""
        head, last = node.axes[:-1], node.axes[-1]
        if last.lower != Affine.of(0) or not all(isinstance(self.symbols.get(n), Size) for n in last.upper.names()):
            raise DefinitionError(
                f"{self.where}: {node.kind} over several axes needs them to be rectangular, starting at 0"
            )
        inner_axes = [*self._free_axes(node, scope), *head]
        row = fresh(f"{self.hint}_{node.kind}_row")
        self.define(row, inner_axes, Reduced(node.kind, (last,), node.body), "int64")
        outer = Reduced(node.kind, head, Reduced(node.kind[3:], (last,), node.body))
        first = self._reduced(outer, scope)
        if len(head) > 1:
            raise DefinitionError(f"{self.where}: {node.kind} takes one or two axes; nest it for more")
        free = [self._index(_axis_index(a), scope) for a in inner_axes[:-1]]
        access = indirect_access(self.arrays[row], [*free, first.expr], scope.space, self.params)
        width = self._index(IndexExpr(last.upper, last.symbols), scope)
        return Typed(apply("add", apply("mul", first.expr, width), Read(row, access, "int64")))

    def _tensor(self, name: str) -> TensorBase:
        array = self.arrays[name]
        own = Definition({name: array}, (), (), {})
        return TensorBase(own, name, array.shape, array.dtype)


def _axis_index(axis: Axis) -> IndexExpr:
    return IndexExpr(Affine.of(axis.name), {axis.name: axis, **axis.symbols})


def _stored(dtype: str, hint: str) -> str:
    """The element type of an array that holds values of this type: truth values are kept as int32."""
    if dtype == "bool":
        return "int32"
    if dtype not in DTYPES:
        raise DTypeError(f"{hint}: element type {dtype!r} is not one of {', '.join(ELEMENT_TYPES)}")
    return dtype
