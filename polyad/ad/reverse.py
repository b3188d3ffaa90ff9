"""Reverse mode: the adjoint of every array, by turning every read around.

For each statement S: a[w(s)] = f(s) (or += f(s)) and each read x[r(s)] in f on a path to the heads,

    x_bar[r(s)] += (df/dr)(s) * a_bar[w(s)]        over { [e, f] : e = r(s) }, the transposed access relation

Nothing here knows of loops or time: the adjoint of step t reads the adjoint of step t + 1 because the primal reads step
t - 1, and the scheduler finds the order. Source: docs/mathematics.md, reverse mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import islpy as isl

from polyad import islx
from polyad.ad.activity import active_arrays, adjoint_order, differentiable_sources
from polyad.ad.collect import Collected, Contribution, collect, sum_statement
from polyad.ad.derivative import Derivative
from polyad.ad.directions import Directions, derivative_access, derivative_dims, for_directions
from polyad.ad.element_names import element_names
from polyad.ad.masked import is_polynomial, masked_inputs, masks, product
from polyad.ad.names import Names, adjoint_of
from polyad.ad.overrides import Override, cut_arrays, cut_reads, graft, override_sources, whole_result
from polyad.ad.partials import differentiable_reads, partials, times
from polyad.ad.reductions import Factors, resolve_reductions
from polyad.ad.requests import check_seed, check_variable
from polyad.ad.scatter import scatter_contribution
from polyad.ad.seeds import copied, seed_contribution, where_defined
from polyad.ad.stored_result import plainly_defined, stored_result
from polyad.ad.transpose_access import transpose_access
from polyad.ir.array import Array
from polyad.ir.element_types import computed
from polyad.ir.expr import Expr, Indirect, Read
from polyad.ir.program import Program
from polyad.ir.scan import Scan
from polyad.ir.statement import Statement

__all__ = ["reverse"]


def reverse(
    program: Program,
    heads: Mapping[str, str | None],
    wrt: Sequence[str],
    overrides: Sequence[Override] = (),
    directions: Directions = (),
) -> Derivative:
    """The program together with the adjoints of all arrays between `wrt` and `heads`.

    The adjoint of an intermediate array is the total derivative of the heads with respect to its elements.

    Args:
        program: the primal.
        heads: array to differentiate -> array of the program that holds its cotangent (of its shape, behind the
            directions), or None for ones; with `directions` None is the identity: head_bar[d..., i...] = (d == i).
        wrt: arrays whose adjoints are wanted, inputs or intermediates.
        overrides: derivatives given by the user.
        directions: extents of leading dimensions that all adjoints get.

    Returns:
        The primal's statements and those of the adjoints; array -> adjoint for all active arrays and all of `wrt`. An
        array that no head depends on has an adjoint of zeros.

    Raises:
        DifferentiationError: an array does not exist, or a cotangent does not have the shape of its head.
        NotDifferentiableError: a head or a variable is an integer array, or a product runs over a domain that has no
            products of the others.
    """
    for name in wrt:
        check_variable(program, name)
    for name, seed in heads.items():
        check_seed(program, name, seed, directions, "cotangent")
    sources = override_sources(differentiable_sources(program), overrides, program)
    active = active_arrays(sources, wrt, heads)
    program, factors = resolve_reductions(program, active - cut_arrays(overrides))
    # Bodies that were stored and products that were split are new arrays on the way.
    sources = override_sources(differentiable_sources(program), overrides, program)
    active = active_arrays(sources, wrt, heads)
    work = _Reverse(program, factors, active, tuple(overrides), directions)
    given = {name: seed for name, seed in heads.items() if seed is not None}
    work.masked_heads = frozenset(n for n, s in given.items() if s in masked_inputs(program, list(given.values())))
    ordered = [n for n in program.arrays if n in active]
    for name in (*ordered, *wrt):
        work.declare(name)
    for component, recurrent in adjoint_order(sources, ordered):
        work.add_adjoints(component, recurrent, heads)
    for name in dict.fromkeys(wrt):
        if name not in active:
            work.finish(name, [])
    return work.derivative()


@dataclass(slots=True)
class _Term:
    """One read of a statement: what it adds to the adjoint of the array it reads.

    Attributes:
        statement: the (lifted) statement; its domain holds only instances whose adjoint may differ from zero.
        read: the read.
        slope: (df/dr)(s), over the statement's instances.
        value: a_bar[w(s)].
        masked: whether a condition may have cut off the value (masked.py).
    """

    statement: Statement
    read: Read
    slope: Expr
    value: Expr
    masked: bool

    def body(self, summed: bool) -> Expr:
        """(df/dr)(s) * a_bar[w(s)]; `summed`: along a fibre."""
        contraction = summed and self.statement.reduction == "sum" and is_polynomial(self.slope)
        return product(self.slope, self.value, self.masked and not contraction)


@dataclass(slots=True)
class _Reverse:
    """The adjoints found so far; heads first."""

    program: Program
    factors: Factors
    active: frozenset[str]
    overrides: tuple[Override, ...]
    directions: Directions
    names: Names = field(init=False)
    adjoints: dict[str, Array] = field(default_factory=dict)
    arrays: dict[str, Array] = field(default_factory=dict)
    collected: dict[str, Collected] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    terms: dict[str, list[_Term]] = field(default_factory=dict)
    slopes: dict[str, list[tuple[Read, Expr]]] = field(default_factory=dict)
    masked: set[str] = field(default_factory=set)
    masked_heads: frozenset[str] = frozenset()
    readers: dict[str, list[Statement]] = field(init=False)
    writers: Mapping[str, Sequence[Statement]] = field(init=False)
    stored: frozenset[str] = field(init=False)
    elements: Mapping[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.names = Names(self.program)
        self.elements = element_names(self.program)
        self.stored = plainly_defined(self.program)
        self.writers = self.program.writers()
        cuts = cut_arrays(self.overrides)
        self.readers = {
            array: [s for s in found if s.array in self.active and s.array not in cuts]
            for array, found in self.program.readers().items()
        }

    def dims(self, name: str) -> tuple[str, ...]:
        """Names of the elements of the adjoint of `name`."""
        return derivative_dims(self.elements[name], self.directions, self.program.params)

    def declare(self, name: str) -> None:
        """Make the adjoint array of `name`."""
        if name not in self.adjoints:
            primal = self.program.arrays[name]
            adjoint = self.names.array(adjoint_of(name))
            self.adjoints[name] = Array(adjoint, (*self.directions, *primal.shape), computed(primal.dtype))

    def add_adjoints(self, component: Sequence[str], recurrent: bool, heads: Mapping[str, str | None]) -> None:
        """The equations of adjoints that need each other and adjoints found before."""
        if recurrent:
            for name in component:
                # Where a recurrence may be non-zero is not followed around its cycle.
                self.collected[name] = Collected(())
        if any(map(self.is_masked, component)):
            self.masked.update(component)
        for name in component:
            contributions = [self.seed(name, heads[name])] if name in heads else []
            for reader in self.readers.get(name, ()):
                if all(r.array != name for r in differentiable_reads(reader.body)):
                    continue  # in conditions only: such a reader may come later in the order
                for term in self.terms_of(reader):
                    if term.read.array == name:
                        contributions += self.contributions(term)
            overrides = [o for o in self.overrides if o.gives and o.inp == name and o.out in self.active]
            contributions += [self.given(o) for o in overrides]
            if recurrent:
                contributions = self.scatters_apart(name, contributions)
            self.finish(name, contributions, recurrent)

    def is_masked(self, name: str) -> bool:
        """Whether a condition on data may cut off the adjoint of `name`, by what is known of those that read it."""
        if name in self.masked_heads or any(
            o.out in self.masked or any(masks(s.body) for s in o.statements)
            for o in self.overrides
            if o.gives and o.inp == name
        ):
            return True
        reads = ((reader, read, slope) for reader in self.readers.get(name, ()) for read, slope in self.local(reader))
        return any(
            read.array == name and (reader.array in self.masked or masks(slope)) for reader, read, slope in reads
        )

    def scatters_apart(self, name: str, contributions: list[Contribution]) -> list[Contribution]:
        """Scatters into a recurrence get an array of their own, which is then added element by element.

            x_bar_scatter[ids[s]] += g(s);    x_bar[e] = f(x_bar[e + 1]) + x_bar_scatter[e]

        An instance that may hit every element comes after all definitions, and before all that read an element: on
        x_bar itself that would leave no order in which the definitions could read each other.
        """
        scatters = [c for c in contributions if c.scatter is not None]
        if not scatters:
            return contributions
        adjoint = self.adjoints[name]
        apart = replace(adjoint, name=self.names.array(f"{adjoint.name}_scatter"))
        self.arrays[apart.name] = apart
        params = self.program.params
        for c in scatters:
            assert c.scatter is not None
            moved = replace(
                c, scatter=Indirect(c.scatter.index, c.scatter.may.set_tuple_name(isl.dim_type.out, apart.name))
            )
            self.statements.append(sum_statement(apart, moved, params, self.names))
        return [c for c in contributions if c.scatter is None] + [copied(apart, self.dims(name), "scatter", params)]

    def finish(self, name: str, contributions: Sequence[Contribution], recurrent: bool = False) -> None:
        """Write the equations of one adjoint."""
        params, context = self.program.params, self.program.context
        found = collect(self.adjoints[name], self.dims(name), contributions, params, context, self.names, recurrent)
        self.statements += found.statements
        if not recurrent:
            self.collected[name] = found

    def seed(self, name: str, head: str | None) -> Contribution:
        """The cotangent of a head, as a contribution to its adjoint."""
        given = None if head is None else self.program.arrays[head]
        seed = seed_contribution(self.adjoints[name], self.dims(name), given, self.directions, self.program.params)
        return where_defined(seed, self.writers.get(name, ()), self.directions)

    def terms_of(self, statement: Statement) -> list[_Term]:
        """Return the contributions of a statement to the adjoints of what it reads."""
        if statement.name not in self.terms:
            self.terms[statement.name] = self._terms(statement)
        return self.terms[statement.name]

    def _terms(self, statement: Statement) -> list[_Term]:
        found = self.local(statement)
        if not found:
            return []
        value, lifted = self.value_adjoint(for_directions(statement, self.directions, self.program.params))
        if lifted.domain.is_empty():
            return []
        masked = statement.array in self.masked
        return [_Term(lifted, read, slope, value, masked) for read, slope in found]

    def local(self, statement: Statement) -> list[tuple[Read, Expr]]:
        """The reads of a statement that pass on a derivative, and the local derivatives, over the lifted instances."""
        if statement.name not in self.slopes:
            self.slopes[statement.name] = self._local(statement)
        return self.slopes[statement.name]

    def _local(self, statement: Statement) -> list[tuple[Read, Expr]]:
        skipped = cut_reads(self.overrides)
        lifted = for_directions(statement, self.directions, self.program.params)

        def wanted(read: Read) -> bool:
            return read.array in self.active and (statement.array, read.array) not in skipped

        found = partials(lifted.body, lifted.dims, wanted, stored_result(lifted, self.stored))
        factor = self.factors.of(lifted) if found else None
        return found if factor is None else [(read, times(factor, p)) for read, p in found]

    def value_adjoint(self, statement: Statement) -> tuple[Expr, Statement]:
        """a_bar[w(s)], and the statement on the instances where it may differ from zero."""
        adjoint, known = self.adjoints[statement.array], self.collected[statement.array]
        access = derivative_access(statement.write, statement.space(), adjoint, self.directions)
        if known.support is not None and isinstance(access, isl.MultiAff):
            domain = statement.domain.intersect(known.support.preimage_multi_aff(access))
            statement = replace(statement, domain=islx.name_dims(domain.coalesce(), statement.dims))
        if known.constant is not None:
            return known.constant, statement
        return Read(adjoint.name, access, adjoint.dtype), statement

    def contributions(self, term: _Term) -> list[Contribution]:
        """The term, at the elements it is added to."""
        s, adjoint = term.statement, self.adjoints[term.read.array]
        access = derivative_access(term.read.access, s.space(), adjoint, self.directions)
        if isinstance(access, Indirect):
            return [scatter_contribution(s, access, term.body(summed=False))]
        element = self.dims(term.read.array)
        reduced = [] if isinstance(s.write, Indirect) else _unwritten(s)
        return [
            Contribution(s.name, t.dims, t.domain, t.instance, term.body(t.free > 0), t.free, None, term.read, s.where)
            for t in transpose_access(access, s.domain, s.dims, element, reduced, self.program.context)
        ]

    def given(self, override: Override) -> Contribution:
        """The result of a user's derivative, as a contribution."""
        params = self.program.params
        grafted = graft(override, self.adjoints[override.out], self.directions, params, self.names)
        self.arrays |= {a.name: a for a in grafted.arrays}
        self.statements += grafted.statements
        return whole_result(grafted, self.dims(override.inp), override.out, params)

    def derivative(self) -> Derivative:
        """Everything together."""
        adjoints = {name: array.name for name, array in self.adjoints.items()}
        arrays = dict(self.program.arrays) | {a.name: a for a in self.adjoints.values()} | self.arrays
        scans = self.program.scans + tuple(self.scans(adjoints))
        statements = self.program.statements + tuple(self.statements)
        return Derivative(replace(self.program, arrays=arrays, statements=statements, scans=scans), adjoints)

    def scans(self, adjoints: Mapping[str, str]) -> list[Scan]:
        """The adjoint of each scan runs the other way."""
        found = []
        for scan in self.program.scans:
            states = tuple(adjoints[s] for s in scan.states if s in self.active)
            if states:
                direction: Literal[1, -1] = -1 if scan.direction == 1 else 1
                found.append(replace(scan, name=adjoint_of(scan.name), direction=direction, states=states))
        return found


def _unwritten(statement: Statement) -> list[int]:
    """The dimensions a statement sums over: those that its write does not mention."""
    write = statement.write
    assert isinstance(write, isl.MultiAff)
    outputs = [write.get_aff(i) for i in range(write.dim(isl.dim_type.out))]
    return [d for d in range(len(statement.dims)) if not any(a.involves_dims(isl.dim_type.in_, d, 1) for a in outputs)]
