"""Definitions that were written for one example, for all examples of a batch.

A function is traced with stand-ins: placeholders that look like one example of the batched tensors. Afterwards every
array that depends on them gets one more dimension, by the rule of `polyad.ir.lift`, and the batched
tensors stand in the place of the stand-ins:

    S[i]:     y[i]    = tanh(x[i]) * w[i]        x looks like one example of X[b, i]
    S[b, i]:  Y[b, i] = tanh(X[b, i]) * w[i]     w is the same for all: it has no b

Arrays that do not depend on them stay as they are. What comes out are definitions like any others: derivatives, scans
and whatever else they are used for need not know of it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from polyad import islx
from polyad.frontend.constants import as_tensor
from polyad.frontend.definition import CustomRule, Definition, TensorBase
from polyad.frontend.extract import reachable
from polyad.frontend.naming.local_names import look_at_names
from polyad.frontend.scalar import Element, IndexExpr, Reduced, Scalar
from polyad.frontend.symbols import Axis, fresh, merge_symbols
from polyad.frontend.tensor import OPEN_SCANS, Tensor, define, own_extent
from polyad.ir.affine import Affine
from polyad.ir.align import align_statement
from polyad.ir.array import Array
from polyad.ir.lift import Lifted, lift_array, lift_with_arrays
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["Batch"]

_DIM = "b"
"""Wanted name of the dimension that counts examples."""


@dataclass(slots=True, eq=False)
class Batch:
    """All that is known of one batch: it grows while definitions are batched.

    Attributes:
        extent: the number of examples.
        arrays: array of one example -> the array of all examples.
        definitions: id of a definition for one example -> it, and what stands in its place for all.
        rules: id of a derivative rule for one example -> it, and the rule for all.
    """

    extent: IndexExpr
    arrays: dict[str, Lifted] = field(default_factory=dict)
    definitions: dict[int, tuple[Definition, Definition]] = field(default_factory=dict)
    rules: dict[int, tuple[CustomRule, CustomRule]] = field(default_factory=dict)

    def stand_in(self, t: TensorBase, axis: int) -> Tensor:
        """A placeholder that looks like one example of a batched tensor, whose examples lie along one of its axes."""
        place = len(t.prefix) + axis
        whole = t.definition.arrays[t.array]
        key = fresh(t.name)
        one = Array(key, (*whole.shape[:place], *whole.shape[place + 1 :]), whole.dtype, "input")
        own = Definition({key: one}, (), (), t.definition.symbols, t.definition.where)
        self.arrays[key] = Lifted(whole, place)
        self.definitions[id(own)] = own, t.definition
        shape = (*t.shape_affine[:axis], *t.shape_affine[axis + 1 :])
        return Tensor(own, key, shape, t.dtype, t.prefix, t.symbols, t.strength)

    def add(self, tensors: Sequence[TensorBase], axes: Sequence[int] = ()) -> None:
        """Batch all that tensors of one example are computed by.

        Args:
            tensors: of one example.
            axes: where their examples had best lie, one for each of them.
        """
        look_at_names()
        places: dict[str, int] = {}
        for t, axis in zip(tensors, axes, strict=False):
            places.setdefault(t.array, len(t.prefix) + axis)
        order = reachable(tensors)
        new = _users(order, self.definitions)
        rules = list({id(d.custom): d.custom for d in new if d.custom is not None}.values())
        places |= {t.array: len(t.prefix) for r in rules for t in (*r.inputs, *r.outputs)}  # as _head_for expects it
        batched = _batched(new, rules, self.arrays)
        for d in new:
            for n in batched.intersection(d.arrays):
                place = places.get(n, min(d.steps.get(n, 0), len(d.arrays[n].shape)))
                self.arrays[n] = lift_array(
                    d.arrays[n], fresh(d.spoken(n)), (self.extent.affine,), max(place, _segment_axes(d, n))
                )
            self.definitions[id(d)] = d, Definition({}, (), (), {}, d.where)
        for d in new:
            self._fill(d, batched)
        for scan_axis in OPEN_SCANS.get():
            made = {id(d) for d in scan_axis.made}
            scan_axis.made.extend(self._definition(d) for d in new if id(d) in made)

    def depends(self, t: TensorBase) -> bool:
        """Whether a tensor that was added differs between the examples."""
        return t.array in self.arrays

    def tensor(self, t: TensorBase, axis: int | None) -> Tensor:
        """The tensor of all examples.

        Args:
            t: of one example; it was added.
            axis: where the examples are to lie; None for a tensor that is the same for all, once.
        """
        definition = self._definition(t.definition)
        if axis is None:
            return Tensor(definition, t.array, t.shape_affine, t.dtype, t.prefix, t.symbols, t.strength)
        lifted = self.arrays.get(t.array)
        if lifted is None:
            same = self.tensor(t, None)
            return self._defined(t, axis, lambda *i: Element(same, (*i[:axis], *i[axis + 1 :])))
        array, place, hidden = lifted.array, lifted.place, len(t.prefix)
        symbols = merge_symbols(t.symbols, self.extent.symbols)
        if place == hidden + axis:  # as it lies there
            shape = (*t.shape_affine[:axis], self.extent.affine, *t.shape_affine[axis:])
            return Tensor(definition, array.name, shape, t.dtype, t.prefix, symbols, t.strength)
        whole = Tensor(definition, array.name, array.shape, t.dtype, (), symbols, t.strength)
        prefix = [IndexExpr(p, t.symbols) for p in t.prefix]

        def moved(*i: IndexExpr) -> Element:
            one = [*prefix, *i[:axis], *i[axis + 1 :]]
            return Element(whole, (*one[:place], i[axis], *one[place:]))

        return self._defined(t, axis, moved)

    def _defined(self, t: TensorBase, axis: int, body: Callable[..., Scalar]) -> Tensor:
        """A tensor of its own, with the examples at an axis."""
        shape = [own_extent(e, t.size_symbols()) for e in t.shape_affine]
        made = define((*shape[:axis], self.extent, *shape[axis:]), body, t.name, t.dtype)
        return replace(made, strength=t.strength)

    def _summed(self, t: TensorBase) -> Tensor:
        """The sum over all examples."""
        whole = self.tensor(t, 0)
        axis = Axis(fresh(_DIM), Affine.of(0), self.extent.affine, "reduce", self.extent.symbols)
        b = IndexExpr(Affine.of(axis.name), {axis.name: axis, **axis.symbols})
        shape = [own_extent(e, t.size_symbols()) for e in t.shape_affine]
        return define(shape, lambda *i: Reduced("sum", (axis,), Element(whole, (b, *i))), f"{t.name}_sum", t.dtype)

    def _definition(self, d: Definition) -> Definition:
        """The definition that stands in the place of one for one example: itself where it knows of no examples."""
        known = self.definitions.get(id(d))
        return d if known is None else known[1]

    def _fill(self, d: Definition, batched: Collection[str]) -> None:
        """The definition for all examples: statements of batched arrays lifted, others as they are."""
        own = self._definition(d)
        names = {n: self.arrays[n].array.name for n in d.arrays if n in batched}
        own.arrays = {names.get(n, n): self.arrays[n].array if n in batched else a for n, a in d.arrays.items()}
        own.statements = tuple(self._lifted(s, d.spoken(s.name)) if s.array in batched else s for s in d.statements)
        own.operands = tuple(self._definition(o) for o in d.operands)
        own.symbols = merge_symbols(d.symbols, self.extent.symbols)
        own.scans = tuple(replace(s, states=tuple(names.get(n, n) for n in s.states)) for s in d.scans)
        own.custom = None if d.custom is None else self._rule(d.custom)
        own.lost = d.lost
        own.recomputed = {names.get(n, n): levels for n, levels in d.recomputed.items()}
        own.steps = {names.get(n, n): count for n, count in d.steps.items()}

    def _lifted(self, s: Statement, name: str) -> Statement:
        """The statement with an instance for each example, under a new name if it is not called as its array is."""
        params = tuple(dict.fromkeys((*s.params(), *self.extent.symbols)))
        aligned = align_statement(s, islx.space(params, "", []).params())
        lifted = lift_with_arrays(aligned, self.arrays, (self.extent.affine,), (_DIM,), params)
        return rename_statement(lifted, lifted.array if s.name == s.array else fresh(name))

    def _rule(self, rule: CustomRule) -> CustomRule:
        """The derivative rule for all examples: that for one, batched in turn where a derivative asks for it.

        What is the same for all examples has the sum of their cotangents.
        """
        if id(rule) in self.rules:
            return self.rules[id(rule)][1]

        def backward(kept: object, cotangents: Sequence[Tensor]) -> list[Tensor | None]:
            heads = [
                self.stand_in(c, 0) if self.depends(o) else c for o, c in zip(rule.outputs, cotangents, strict=True)
            ]
            given = rule.backward(kept, heads)
            parts = [None if g is None else as_tensor(g, f"{rule.name}: a cotangent") for g in given]
            self.add([p for p in parts if p is not None])
            found: list[Tensor | None] = []
            for i, p in zip(rule.inputs, parts, strict=True):
                if p is not None and self.depends(p) and not self.depends(i):
                    found.append(self._summed(p))
                else:
                    found.append(None if p is None else self.tensor(p, 0 if self.depends(i) else None))
            return found

        def forward(dots: Sequence[Tensor]) -> list[Tensor | None]:
            given = [self.stand_in(d, 0) if self.depends(i) else d for i, d in zip(rule.inputs, dots, strict=True)]
            found = rule.tangent(given)
            parts = [None if t is None else as_tensor(t, f"{rule.name}: a tangent") for t in found]
            self.add([p for p in parts if p is not None])
            return [
                None if p is None else self.tensor(p, 0 if self.depends(o) else None)
                for o, p in zip(rule.outputs, parts, strict=True)
            ]

        def of_all(tensors: Sequence[TensorBase]) -> tuple[Tensor, ...]:
            return tuple(self.tensor(t, 0 if self.depends(t) else None) for t in tensors)

        made = replace(rule, inputs=of_all(rule.inputs), outputs=of_all(rule.outputs), backward=backward)
        if rule.tangent is not None:
            made = replace(made, tangent=forward)
        self.rules[id(rule)] = rule, made
        return made


def _users(order: Sequence[Definition], known: Mapping[int, object]) -> list[Definition]:
    """The definitions that are not known and depend on known ones, operands first."""
    users: dict[int, list[Definition]] = {}
    for d in order:
        for operand in d.operands:
            users.setdefault(id(operand), []).append(d)
    found: set[int] = set()
    stack = list(known)
    while stack:
        for d in users.get(stack.pop(), ()):
            if id(d) not in found and id(d) not in known:
                found.add(id(d))
                stack.append(id(d))
    return [d for d in order if id(d) in found]


def _batched(new: Sequence[Definition], rules: Sequence[CustomRule], roots: Collection[str]) -> set[str]:
    """The arrays of new definitions that depend on batched arrays."""
    readers: dict[str, set[str]] = {}
    for d in new:
        for s in d.statements:
            for r in s.reads():
                readers.setdefault(r.array, set()).add(s.array)
    for rule in rules:  # its derivative may differ between examples though its value does not
        outputs = {o.array for o in rule.outputs}
        for t in (*rule.inputs, *rule.outputs):
            readers.setdefault(t.array, set()).update(outputs)
    found: set[str] = set()
    stack = [a for n in roots for a in readers.get(n, ())]
    while stack:
        array = stack.pop()
        if array not in found:
            found.add(array)
            stack.extend(readers.get(array, ()))
    return found


def _segment_axes(d: Definition, array: str) -> int:
    """How many leading dimensions count segments that are of use one after the other: they stay in front."""
    segment = d.arrays[array].segment
    return max((s.axes for s in ([segment] if segment is not None else d.recomputed.get(array, ()))), default=0)
