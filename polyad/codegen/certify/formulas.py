"""Formulas of nodes that stand for many statement instances, held against the bodies of the statements.

A vector loop and a sum in parts say how their parts are put together, a contraction says which product it sums, a
prefix scan by which mul and add the state goes from step to step. Neither depends on sizes: operators are compared, and
formulas are computed from random numbers, one for each element that is read, beside the bodies.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from polyad.analysis.linear import At, Inverse, Minus, One, Plus, Product, Term, Where, leaves
from polyad.codegen.certify.demands import Element
from polyad.codegen.certify.integers import index_function
from polyad.codegen.certify.memory import WrongError
from polyad.codegen.loops.how import How, LaneSum, Vector, in_threads
from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.nodes import Contraction, Loop, Node, Parts, PrefixScan, Shape
from polyad.codegen.loops.subtotals import wrong_subtotals
from polyad.codegen.loops.traversal import children, instances
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.ir.expr import Expr, Index, Indirect, Read, walk
from polyad.ir.polynomials import Polynomial, polynomial, product, total
from polyad.ops import REDUCTION_OPS
from polyad.semantics.interpret import Scalar, expression_function
from polyad.semantics.points import Point

__all__ = ["check_formulas", "term_value"]

_SAMPLES = 3


def check_formulas(plan: Plan) -> None:
    """Prove it of all nodes of a plan.

    Raises:
        WrongError: a node computes something else; it names the statement.
    """
    for _, why in wrong_subtotals(plan.loops, plan.known.touches, plan.program.arrays):
        raise WrongError(why)
    with np.errstate(all="ignore"):
        _check(plan.loops, plan, {})


def _check(node: Node, plan: Plan, names: Mapping[str, str]) -> None:
    """A node; `names` are those of parts of sums, with the variable that each is a part of."""
    match node:
        case Contraction(shape=Shape() as shape):
            _contraction(shape, next(instances(node)), plan)
            return
        case PrefixScan():
            for how, inside in ((node.first, node.state.first), (node.second, node.state.second)):
                _lane_sums(how, inside, plan, names)
            _scan(node, plan)
            return
        case Parts(loop=loop, sums=sums):
            if loop.step < 1 or in_threads(loop.how):
                raise WrongError(f"parts of {', '.join(s.local for s in sums)} are of a loop that C has no parts of")
            for one in sums:
                dtype = plan.program.arrays[one.array].dtype
                _added_alike(LaneSum(one.part, one.reduction, dtype), instances(loop), plan, names)
            names = {**names, **{s.part: s.local for s in sums}}
        case Loop(how=how):
            _lane_sums(how, [*instances(node)], plan, names)
        case _:
            pass
    for child in children(node):
        _check(child, plan, names)


def _lane_sums(how: How, inside: Sequence[Instance], plan: Plan, names: Mapping[str, str]) -> None:
    for one in how.sums if isinstance(how, Vector) else ():
        _added_alike(one, inside, plan, names)


def _added_alike(
    one: LaneSum, inside: Iterator[Instance] | Sequence[Instance], plan: Plan, names: Mapping[str, str]
) -> None:
    """The parts of a sum are put together as its terms are."""
    for instance in inside:
        write = plan.known.touches[instance.statement][0]
        if instance.locals.get(write.array) not in (one.local, names.get(one.local, one.local)):
            continue
        own = plan.program.statement(instance.statement).reduction, plan.program.arrays[write.array].dtype
        if own != (one.reduction, one.dtype):
            raise WrongError(
                f"parts of {one.local} are put together by {one.reduction} of {one.dtype}, and {instance.statement} "
                f"{'defines' if own[0] is None else f'contributes by {own[0]} of'} {own[1]}"
            )


# Bodies, computed from random numbers


@dataclass(slots=True)
class _Values:
    """Numbers for elements: those that statements made, and for others what a checksum gives.

    Attributes:
        plan: the kernel.
        sample: which numbers.
        names: sizes and iterators.
        made: what statements made.
    """

    plan: Plan
    sample: int
    names: Mapping[str, int]
    made: dict[Element, Scalar] = field(default_factory=dict)

    def element(self, array: str, index: Point) -> Scalar:
        """The number of an element."""
        if (array, index) in self.made:
            return self.made[array, index]
        number = zlib.crc32(f"{self.sample} {array} {index}".encode())
        dtype = self.plan.program.arrays[array].dtype
        if "float" in dtype:
            return np.float64(0.5 + number / 2**32)
        return np.bool_(number % 2) if dtype == "bool" else np.int64(number % 7)

    def fetch(self, read: Read, _: Point, index: Point) -> Scalar:
        """The number of an element that is read."""
        return self.element(read.array, tuple(map(int, index)))

    def point(self, instance: Instance) -> Point:
        """The values of the dims of an instance."""
        return index_function(instance.args)(self.names)

    def value(self, expr: Expr, instance: Instance) -> Scalar:
        """An expression of a statement."""
        dims = self.plan.program.statement(instance.statement).dims
        sizes = {p: self.names[p] for p in self.plan.program.params}
        return expression_function(expr, dims, sizes, self.fetch)(self.point(instance))

    def run(self, instance: Instance) -> Scalar:
        """The body of a statement."""
        statement = self.plan.program.statement(instance.statement)
        value, write = self.value(statement.body, instance), self.plan.known.touches[instance.statement][0]
        if None in write.index:
            return value
        dims = dict(zip(statement.dims, self.point(instance), strict=True))
        index = index_function(tuple(i for i in write.index if i is not None))({**self.names, **dims})
        if statement.reduction is not None:
            dtype = self.plan.program.arrays[write.array].dtype
            value = REDUCTION_OPS[statement.reduction].taking_in(self.element(write.array, index), value, dtype)
        self.made[write.array, index] = value
        return value


def _samples(plan: Plan, inside: Sequence[Instance]) -> Iterator[_Values]:
    """Some, in which sizes and iterators have values, too."""
    names = sorted({*plan.program.params, *(n for i in inside for a in i.args for n in a.names())})
    for sample in range(_SAMPLES):
        yield _Values(plan, sample, {n: 2 + zlib.crc32(f"{sample} {n}".encode()) % 8 for n in names})


def _differ(a: Scalar, b: Scalar) -> bool:
    return not np.isclose(float(a), float(b), rtol=1e-9, atol=0.0, equal_nan=True)


def _contraction(shape: Shape, instance: Instance, plan: Plan) -> None:
    """The statement sums scale * weights * a * b; which elements these are is held against memory elsewhere."""
    statement, arrays = plan.program.statement(instance.statement), plan.program.arrays
    dtypes = {arrays[o.array].dtype for o in (shape.c, shape.a, shape.b, *shape.weights)}
    if statement.reduction != "sum" or dtypes != {shape.dtype}:
        raise WrongError(f"the macro-kernel sums {shape.dtype}, and {instance.statement} something else")
    for values in _samples(plan, [instance]):
        factors = [values.value(read, instance) for read in statement.reads()]
        if _differ(values.value(statement.body, instance), shape.scale * math.prod(factors)):
            raise WrongError(
                f"the macro-kernel sums products times {shape.scale}, and {instance.statement} something else"
            )


# Prefix scans


def _scan(scan: PrefixScan, plan: Plan) -> None:
    """The state after a step is mul * state + add, of the kind that is declared, and buffers hold what they have to."""
    state, title = scan.state, f"the scan over {scan.state.loop.iterator}"
    body = [i for i in state.loop.body.children if isinstance(i, Instance)]
    update = state.update
    fits = {"sum": update.mul == One(), "prod": update.add is None, "affine": True}
    fits["decay"] = update.mul is not None and not any(_varies(at, scan, plan) for at in leaves(update.mul))
    if update.mul is None or not fits[scan.kind]:
        raise WrongError(f"{title} is none of kind {scan.kind}")
    kept = {plan.known.touches[i.statement][0].array for i in state.kept}
    if kept != scan.kept.keys() or len({*scan.kept.values()}) != len(scan.kept):
        raise WrongError(
            f"{title} keeps {', '.join(sorted(scan.kept))} in buffers, and needs {', '.join(sorted(kept))}"
        )
    names = [*scan.names.values(), *scan.kept.values()]
    if len({*names}) < len(names):
        raise WrongError(f"two buffers of {title} have one name")
    for part in scan.standing:
        _standing(part, update.mul if part == "mul" else update.add, scan, plan)
    for values in _samples(plan, body):
        before = state.array, index_function(state.before)(values.names)
        number = values.element(*before)
        made = [values.run(instance) for instance in body]
        found = made[body.index(state.writer)]
        at = partial(_leaf, values, scan)
        mul, add = (term_value(t, at) for t in (update.mul, update.add))
        if _differ(found, mul * number + add):
            raise WrongError(f"{title} takes a state to another one than {state.writer.statement} does")


def _leaf(values: _Values, scan: PrefixScan, at: At) -> Scalar:
    return values.value(at.expr, scan.state.instance(at))


def term_value(term: Term | None, at: Callable[[At], Scalar]) -> Scalar:
    """A factor or a term of a recurrence; `at` says what an expression in it is."""
    match term:
        case None:
            return np.float64(0.0)
        case One():
            return np.float64(1.0)
        case At():
            return at(term)
        case Plus(a, b):
            return term_value(a, at) + term_value(b, at)
        case Product(a, b):
            return term_value(a, at) * term_value(b, at)
        case Minus(a):
            return -term_value(a, at)
        case Inverse(a):
            return np.float64(1.0) / term_value(a, at)
        case Where(condition, a, b):
            return term_value(a if term_value(condition, at) else b, at)


def _varies(at: At, scan: PrefixScan, plan: Plan) -> bool:
    """Whether a number may be another one in the next step."""
    instance, iterator = scan.state.instance(at), scan.state.loop.iterator
    statement = plan.program.statement(instance.statement)
    values = dict(zip(statement.dims, instance.args, strict=True))
    body = (i for i in scan.state.loop.body.children if isinstance(i, Instance))
    written = {plan.known.touches[i.statement][0].array for i in body}
    for node in walk(at.expr):
        match node:
            case Read(array, access):
                index = plan.known.indices[id(access)]
                if array in written or any(i is None or iterator in i.substitute(values).names() for i in index):
                    return True
            case Index(value):
                if iterator in Affine.from_aff(value, statement.dims).substitute(values).names():
                    return True
            case _:
                pass
    return False


def _standing(part: str, term: Term | None, scan: PrefixScan, plan: Plan) -> None:
    """The numbers of steps lie side by side, later ones behind earlier ones, and stay what they are."""
    title = f"the scan over {scan.state.loop.iterator} takes its {part} from memory"
    if not isinstance(term, At) or not isinstance(term.expr, Read) or isinstance(term.expr.access, Indirect):
        raise WrongError(f"{title}, where no such number stands")
    read, instance, iterator = term.expr, scan.state.instance(term), scan.state.loop.iterator
    body = (i for i in scan.state.loop.body.children if isinstance(i, Instance))
    if read.array in instance.locals or read.array in {plan.known.touches[i.statement][0].array for i in body}:
        raise WrongError(f"{title}, where {read.array} is not before it")
    values = dict(zip(plan.program.statement(instance.statement).dims, instance.args, strict=True))
    index = [i.substitute(values) for i in plan.known.indices[id(read.access)] if i is not None]
    here, after = (
        _position(plan, read.array, [i.substitute({iterator: Affine.of(iterator) + d}) for i in index]) for d in (0, 1)
    )
    if read.array in plan.storage.layouts or total([after, product(here, {(): -1})]) != {(): 1}:
        raise WrongError(f"{title}, where elements of {read.array} do not lie side by side")


def _position(plan: Plan, array: str, index: Sequence[Affine]) -> Polynomial:
    """Return the position of an element in its array."""
    slots, result = plan.storage.slots.get(array, {}), Polynomial()
    for d, (i, extent) in enumerate(zip(index, plan.program.arrays[array].shape, strict=True)):
        own, size = (i % slots[d], Affine.of(slots[d])) if d in slots else (i, extent)
        result = total([product(result, polynomial(size)), polynomial(own)])
    return result
