"""Forward mode: a tangent statement beside each active statement.

For S: a[w(s)] = f(s) (or += f(s)) with reads x[r(s)],

    a_dot[w(s)]  =  sum over r of (df/dr)(s) * x_dot[r(s)]

on the instances where some x_dot may differ from zero. Max, min and prod are sums of their factors (reductions.py).
Source: docs/mathematics.md, forward mode.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.ad.activity import active_arrays, differentiable_sources, tangent_order
from polyad.ad.collect import Collected, Contribution, collect, completed, sum_statement
from polyad.ad.derivative import Derivative
from polyad.ad.directions import Directions, derivative_access, derivative_dims, for_directions
from polyad.ad.element_names import element_names
from polyad.ad.masked import is_polynomial, masked_inputs, masks, product
from polyad.ad.names import Names, tangent_of
from polyad.ad.overrides import Override, cut_arrays, graft, override_sources, whole_result
from polyad.ad.partials import partials, plus, times
from polyad.ad.pinned import drop_pinned
from polyad.ad.reductions import Factors, resolve_reductions
from polyad.ad.requests import check_seed, check_variable
from polyad.ad.seeds import seed_contribution, where_defined
from polyad.ad.stored_result import plainly_defined, stored_result
from polyad.ir.array import Array
from polyad.ir.element_types import computed
from polyad.ir.expr import Expr, Indirect, Read
from polyad.ir.program import Program
from polyad.ir.scan import Scan
from polyad.ir.statement import Reduction, Statement
from polyad.ops import cast
from polyad.transforms.rewrite.disjoint_pieces import disjoint_pieces
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["tangent"]


def tangent(
    program: Program,
    tangents: Mapping[str, str | None],
    outputs: Sequence[str],
    directions: Directions = (),
    overrides: Sequence[Override] = (),
) -> Derivative:
    """The program together with the tangents of all arrays between the given ones and `outputs`.

    Args:
        program: the primal.
        tangents: array -> array of the program that holds its tangent (of its shape, behind the directions), or None
            for ones; with `directions` None is the identity: x_dot[d..., i...] = (d == i). A tangent given for an
            intermediate array is added to the one that its statements make.
        outputs: arrays whose tangents are wanted.
        directions: extents of leading dimensions that all tangents get.
        overrides: derivatives given by the user; they are added to arrays that are cut.

    Returns:
        The primal's statements and those of the tangents; array -> tangent for all active arrays and all outputs. An
        output that no given tangent reaches has a tangent of zeros.

    Raises:
        DifferentiationError: an array does not exist, or a tangent does not have the shape of its array.
        NotDifferentiableError: an output or a variable is an integer array.
    """
    for name in outputs:
        check_variable(program, name)
    for name, seed in tangents.items():
        check_seed(program, name, seed, directions, "tangent")
    sources = override_sources(differentiable_sources(program), overrides, program, forward=True)
    active = active_arrays(sources, tangents, outputs)
    program, factors = resolve_reductions(program, active - cut_arrays(overrides))
    sources = override_sources(differentiable_sources(program), overrides, program, forward=True)
    active = active_arrays(sources, tangents, outputs)
    work = _Forward(program, factors, active, directions, dict(tangents), tuple(overrides))
    given = {name: seed for name, seed in tangents.items() if seed is not None}
    work.masked = {n for n, s in given.items() if s in masked_inputs(program, list(given.values()))}
    ordered = [n for n in program.arrays if n in active]
    for name in (*ordered, *outputs):
        work.declare(name)
    for component, recurrent in tangent_order(sources, ordered):
        work.add_tangents(component, recurrent)
    for name in dict.fromkeys(outputs):
        if name not in active:
            work.finish(name)
    return work.derivative()


@dataclass(slots=True)
class _Forward:
    """The tangents found so far; variables first."""

    program: Program
    factors: Factors
    active: frozenset[str]
    directions: Directions
    seeds: Mapping[str, str | None]
    overrides: tuple[Override, ...] = ()
    names: Names = field(init=False)
    stored: frozenset[str] = field(init=False)
    tangents: dict[str, Array] = field(default_factory=dict)
    collected: dict[str, Collected] = field(default_factory=dict)
    statements: list[Statement] = field(default_factory=list)
    arrays: dict[str, Array] = field(default_factory=dict)
    writers: dict[str, list[Statement]] = field(init=False)
    elements: Mapping[str, tuple[str, ...]] = field(init=False)
    slopes: dict[str, list[tuple[Read, Expr]]] = field(default_factory=dict)
    masked: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.names = Names(self.program)
        self.stored = plainly_defined(self.program)
        self.elements = element_names(self.program)
        cuts = cut_arrays(self.overrides)
        self.writers = {a: [] if a in cuts else list(found) for a, found in self.program.writers().items()}

    def declare(self, name: str) -> None:
        """Make the tangent array of `name`; that of a variable nobody computes is the given one."""
        if name in self.tangents:
            return
        primal, given = self.program.arrays[name], self.seeds.get(name)
        if given is not None and name not in self.writers:
            self.tangents[name] = self.program.arrays[given]
            self.collected[name] = Collected(())
        else:
            array = self.names.array(tangent_of(name))
            self.tangents[name] = Array(array, (*self.directions, *primal.shape), computed(primal.dtype))

    def add_tangents(self, component: Sequence[str], recurrent: bool) -> None:
        """The equations of tangents that need each other and tangents found before."""
        if recurrent:
            for name in component:
                # Where a recurrence may be non-zero is not followed around its cycle.
                self.collected[name] = Collected(())
        if any(map(self.is_masked, component)):
            self.masked.update(component)
        for name in component:
            if recurrent or name not in self.collected:
                self.finish(name, recurrent)

    def is_masked(self, name: str) -> bool:
        """Whether a condition on data may cut off the tangent of `name`, by what is known of what it is made of."""
        reads = (pair for s in self.writers.get(name, ()) for pair in self.local(s))
        given = self.given_for(name)
        if any(o.inp in self.masked or any(masks(s.body) for s in o.statements) for o in given):
            return True
        return name in self.masked or any(read.array in self.masked or masks(slope) for read, slope in reads)

    def local(self, statement: Statement) -> list[tuple[Read, Expr]]:
        """The reads of a statement that pass on a derivative, and the local derivatives, over the lifted instances."""
        if statement.name not in self.slopes:
            lifted = for_directions(statement, self.directions, self.program.params)
            result = stored_result(lifted, self.stored)
            found = partials(lifted.body, lifted.dims, lambda read: read.array in self.active, result)
            factor = self.factors.of(lifted) if found else None
            self.slopes[statement.name] = found if factor is None else [(r, times(factor, p)) for r, p in found]
        return self.slopes[statement.name]

    def finish(self, name: str, recurrent: bool = False) -> None:
        """Write the equations of one tangent: its statements, the seed, and the zeros they leave room for."""
        array, params, context = self.tangents[name], self.program.params, self.program.context
        beside = [t for s in self.writers.get(name, ()) for t in self.beside(s)] if name in self.active else []
        seeds = []
        dims = derivative_dims(self.elements[name], self.directions, params)
        if name in self.seeds:
            given = self.seeds[name]
            head = None if given is None else self.program.arrays[given]
            seed = seed_contribution(array, dims, head, self.directions, params)
            seeds = [where_defined(seed, self.program.writers().get(name, ()), self.directions)]
        if beside:
            # A seed on top of what the statements make is one more sum.
            beside += [sum_statement(array, seed, params, self.names) for seed in seeds]
            if not recurrent:
                beside = [s if isinstance(s.write, Indirect) else drop_pinned(s) for s in beside]
            found = completed(array, dims, beside, params, context, self.names)
        else:
            contributions = [self.grafted(o, dims) for o in self.given_for(name)]
            found = collect(array, dims, [*contributions, *seeds], params, context, self.names, recurrent)
        self.statements += found.statements
        if not recurrent:
            self.collected[name] = found

    def given_for(self, name: str) -> list[Override]:
        """The derivatives that the user gives for an array."""
        return [o for o in self.overrides if o.gives and o.out == name and o.inp in self.active]

    def grafted(self, override: Override, dims: tuple[str, ...]) -> Contribution:
        """The result of a user's derivative, as a contribution."""
        params = self.program.params
        found = graft(override, self.tangents[override.inp], self.directions, params, self.names)
        self.arrays |= {a.name: a for a in found.arrays}
        self.statements += found.statements
        return whole_result(found, dims, override.inp, params)

    def beside(self, statement: Statement) -> list[Statement]:
        """a_dot[w(s)] = sum of (df/dr) x_dot[r(s)], in pieces where the terms do not have one domain."""
        lifted = for_directions(statement, self.directions, self.program.params)
        domains, terms = [], []
        for read, slope in self.local(statement):
            dot, domain = self.value_tangent(read, lifted)
            if domain.is_empty():
                continue
            domains.append(domain)
            contraction = statement.reduction == "sum" and is_polynomial(slope)
            terms.append(product(slope, dot, read.array in self.masked and not contraction))
        pieces = disjoint_pieces(domains, self.program.context) if statement.reduction is None else None
        if pieces is not None:
            return [self.written(lifted, piece, [terms[i] for i in members], None) for piece, members in pieces]
        groups: list[tuple[isl.Set, list[Expr]]] = []
        for domain, term in zip(domains, terms, strict=True):
            same = next((g for g in groups if g[0].is_equal(domain)), None)
            if same is None:
                groups.append((domain, [term]))
            else:
                same[1].append(term)
        return [self.written(lifted, domain, members, "sum") for domain, members in groups]

    def value_tangent(self, read: Read, statement: Statement) -> tuple[Expr, isl.Set]:
        """x_dot[r(s)], and the instances where it may differ from zero."""
        array, known = self.tangents[read.array], self.collected[read.array]
        access = derivative_access(read.access, statement.space(), array, self.directions)
        domain = statement.domain
        if isinstance(access, Indirect):
            return Read(array.name, access, array.dtype), domain
        if known.support is not None:
            domain = domain.intersect(known.support.preimage_multi_aff(access)).coalesce()
        return known.constant or Read(array.name, access, array.dtype), domain

    def written(
        self, statement: Statement, domain: isl.Set, terms: Sequence[Expr], reduction: Reduction | None
    ) -> Statement:
        """The tangent statement on some of the instances."""
        array = self.tangents[statement.array]
        body = terms[0]
        for term in terms[1:]:
            body = plus(body, term)
        tangent_statement = replace(
            statement,
            domain=islx.name_dims(domain, statement.dims),
            array=array.name,
            write=derivative_access(statement.write, statement.space(), array, self.directions),
            body=cast(body, array.dtype),
            reduction=reduction,
        )
        return rename_statement(tangent_statement, self.names.statement(tangent_of(statement.name)))

    def derivative(self) -> Derivative:
        """Everything together."""
        tangents = {name: array.name for name, array in self.tangents.items()}
        arrays = dict(self.program.arrays) | {a.name: a for a in self.tangents.values()} | self.arrays
        scans = self.program.scans + tuple(self.scans(tangents))
        statements = self.program.statements + tuple(self.statements)
        return Derivative(replace(self.program, arrays=arrays, statements=statements, scans=scans), tangents)

    def scans(self, tangents: Mapping[str, str]) -> list[Scan]:
        """The tangent of each scan runs the same way."""
        found = []
        for scan in self.program.scans:
            states = tuple(tangents[s] for s in scan.states if s in self.active)
            if states:
                found.append(replace(scan, name=tangent_of(scan.name), states=states))
        return found
