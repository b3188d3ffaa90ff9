"""One equation where contributions overlap: the gather of a stencil's adjoint in one pass over memory.

    z[i]  = 2 f[i]          0 <= i < N                 z[i]  = 2 f[i] + g[i - 1] + g[i + 1]     1 <= i < N - 1
    z[i] += g[i - 1]        1 <= i < N       becomes   z[0]  = 2 f[0] + g[1]
    z[i] += g[i + 1]        0 <= i < N - 1             z[N - 1] = 2 f[N - 1] + g[N - 2]

In more dimensions the pieces would be many: five a dimension, in all combinations, for the neighbours of what has
neighbours inside of a border. So only *rows* that cross the interior, along the contiguous dimension, are cut into
pieces with one equation each; on the rows of the border elements start from zero and the terms stay contributions.
Where elements need others of their own array at a later time, each stretch of times with terms of its own has an
interior of its own.

What must hold: every element has one definition, inside of the array and of its stretch of time, and each term reaches
each of its elements once, in the new equation or as a contribution.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Expr, pullback, size
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.machine import MACHINE, Machine
from polyad.ops import apply, const
from polyad.transforms.rewrite.borders import is_border
from polyad.transforms.rewrite.disjoint_pieces import disjoint_pieces
from polyad.transforms.rewrite.identity_definition import restored_identities
from polyad.transforms.rewrite.inverse_access import index_names, inverse_access
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["merge_overlaps"]


def merge_overlaps(program: Program, machine: Machine = MACHINE) -> Program:
    """Add up definitions and element-wise contributions of sums that overlap on more than a border.

    Makes smaller: the number of passes over an array, by all but one of its terms.

    Args:
        program: any program.
        machine: says what is no more than a border, and how large bodies may become.
    """
    replaced: dict[str, list[Statement]] = {}
    taken = {s.name for s in program.statements}
    for array, writers in program.writers().items():
        if len(writers) > 1 and any(s.reduction is not None for s in writers):
            new = _merged(program, array, writers, taken, machine)
            if new is not None:
                taken.update(s.name for s in new)
                replaced.update((s.name, []) for s in writers)
                replaced[writers[0].name] = new
    if not replaced:
        return program
    result = [new for s in program.statements for new in replaced.get(s.name, [s])]
    changed: dict[str, Reduction] = {s.array: "sum" for s in program.statements if s.name in replaced}
    return program.with_statements(result + restored_identities(program, result, changed))


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """A writer seen from the elements.

    Attributes:
        statement: the writer.
        elements: { z[e] } it writes.
        inverse: { z[e] -> S[i] }.
    """

    statement: Statement
    elements: isl.Set
    inverse: isl.MultiAff

    def within(self, elements: isl.Set) -> _Term:
        """The term on some elements."""
        return replace(self, elements=self.elements.intersect(elements).coalesce())


Piece = tuple[isl.Set, list[_Term]]  # { z[e] }, the terms that apply there


def _merged(
    program: Program, array: str, writers: Sequence[Statement], taken: set[str], machine: Machine
) -> list[Statement] | None:
    """The writers of an array in their new form, or None where nothing is gained."""
    terms = _terms(program, writers)
    whole = program.arrays[array].domain(program.params).intersect_params(program.context)
    if terms is None or len(terms) < 2 or whole.dim(isl.dim_type.set) == 0:
        return None
    work = _Equations(program, array, set(taken), [], {})
    for stretch, inside in _stretches(array, terms, whole, program.context):
        pieces = _pieces(stretch, inside, program.context, machine.border)
        if any(sum(size(t.statement.body) for t in found) > machine.merged for _, found in pieces):
            return None
        if pieces:
            work.add(stretch, pieces, inside)
    if not work.new:
        return None
    left = [r for s in writers for r in work.rest.get(s.name, [s])]
    return [*work.new, *left]


def _terms(program: Program, writers: Sequence[Statement]) -> list[_Term] | None:
    """The element-wise writers of an array; None where its definitions or its reduction do not allow to add them up."""
    terms: list[_Term] = []
    for s in writers:
        inverse = inverse_access(s.write)
        if s.reduction not in (None, "sum") or (inverse is None and s.reduction is None):
            return None
        if inverse is not None:
            terms.append(_Term(s, s.write_relation().range().intersect_params(program.context), inverse))
    return terms


def _stretches(
    array: str, terms: Sequence[_Term], whole: isl.Set, context: isl.Set
) -> list[tuple[list[_Term], isl.Set]]:
    """The terms with all elements; by stretches of time in which the same terms apply, where there is a time."""
    rank = whole.dim(isl.dim_type.set)
    time = _time(array, terms, rank)
    pieces = disjoint_pieces([_along(t.elements, time) for t in terms], context) if time is not None else None
    if time is None or pieces is None:
        return [(list(terms), whole)]
    result = []
    for stretch, members in pieces:
        # { z[e] : e_time in the stretch }
        steps = stretch.insert_dims(isl.dim_type.set, 0, time).insert_dims(isl.dim_type.set, time + 1, rank - time - 1)
        steps = steps.set_tuple_name(array)
        inside = [t for m in members if not (t := terms[m].within(steps)).elements.is_empty()]
        if inside:
            result.append((inside, whole.intersect(steps)))
    return result


def _time(array: str, terms: Sequence[_Term], rank: int) -> int | None:
    """The outermost dimension along which elements need only later, or only earlier, ones of their own array."""
    dims = tuple(f"e{i}" for i in range(rank))
    steps: list[list[Affine]] = []
    for term in terms:
        for read in term.statement.reads():
            if read.array == array:
                if not isinstance(read.access, isl.MultiAff):
                    return None
                seen = read.access.pullback_multi_aff(term.inverse)
                steps.append([Affine.from_aff(seen.get_aff(d), dims) - Affine.of(dims[d]) for d in range(rank)])
    for d in range(rank):
        if steps and all(s[d].is_constant for s in steps):
            distances = [s[d].constant for s in steps]
            if min(distances) > 0 or max(distances) < 0:
                return d
    return None


def _along(elements: isl.Set, dim: int) -> isl.Set:
    """{ [e_dim] }."""
    rank = elements.dim(isl.dim_type.set)
    rest = elements.project_out(isl.dim_type.set, dim + 1, rank - dim - 1)
    # For which sizes there are any is of no interest here.
    return rest.project_out(isl.dim_type.set, 0, dim).drop_constraints_not_involving_dims(isl.dim_type.set, 0, 1)


def _pieces(terms: Sequence[_Term], whole: isl.Set, context: isl.Set, border: int) -> list[Piece]:
    """The pieces of the rows that cross the interior; none where no two terms have one in common."""
    interior: isl.Set | None = None
    members = 0
    for term in sorted(terms, key=lambda t: t.statement.reduction is not None):
        common = term.elements if interior is None else interior.intersect(term.elements).coalesce()
        if common.n_basic_set() == 1 and not common.is_empty() and not is_border(common, whole, border):
            interior = common
            members += 1
    if interior is None or members < 2:
        return []
    last = interior.dim(isl.dim_type.set) - 1
    # For sizes that leave no interior the same pieces will do, where there are rows at all.
    rows = interior.project_out(isl.dim_type.set, last, 1)
    rows = rows.drop_constraints_not_involving_dims(isl.dim_type.set, 0, last)
    rows = rows.insert_dims(isl.dim_type.set, last, 1).set_tuple_name(interior.get_tuple_name())
    crossing = [c for t in terms if not (c := t.within(rows)).elements.is_empty()]
    pieces = disjoint_pieces([t.elements for t in crossing], context) or []
    return [(elements.remove_redundancies(), [crossing[i] for i in found]) for elements, found in pieces]


@dataclass(slots=True)
class _Equations:
    """The new equations of one array.

    Attributes:
        program: the program.
        array: what they define.
        taken: names of statements.
        new: equations of pieces, and zeros that borders start from.
        rest: statement -> what is left of it.
    """

    program: Program
    array: str
    taken: set[str]
    new: list[Statement]
    rest: dict[str, list[Statement]]

    def add(self, terms: Sequence[_Term], pieces: Sequence[Piece], whole: isl.Set) -> None:
        """One equation for each piece; the terms become contributions to what else they reach of the `whole`."""
        done, reached = pieces[0][0], terms[0].elements
        for elements, members in pieces:
            self.new.append(self.equation(elements, members))
            done = done.union(elements)
        for term in terms:
            self.leave(term, done)
            reached = reached.union(term.elements)
        # The hull is simpler than what is reached, and larger: not than the array, nor than the stretch of time.
        border = isl.Set.from_basic_set(reached.simple_hull()).intersect(whole).subtract(done).coalesce()
        if not border.intersect_params(self.program.context).is_empty():
            zero = const(0.0, self.program.arrays[self.array].dtype)
            self.new.append(self.definition(self.name(f"{self.array}_init"), border, zero, terms[0].statement))

    def equation(self, elements: isl.Set, members: Sequence[_Term]) -> Statement:
        """z[e] = the sum of the members."""
        name = self.name(self.array)
        values = [pullback(m.statement.body, m.inverse.set_tuple_name(isl.dim_type.in_, name)) for m in members]
        body: Expr = values[0]
        for value in values[1:]:
            body = apply("add", body, value)
        return self.definition(name, elements, body, members[0].statement)

    def definition(self, name: str, elements: isl.Set, body: Expr, like: Statement) -> Statement:
        """z[e] = body, for the elements given."""
        params, rank = self.program.params, elements.dim(isl.dim_type.set)
        dims = index_names(like.write, like.dims, rank, self.program.params)
        write = islx.projection(islx.space(params, name, dims), elements.get_space(), list(range(rank)))
        domain = islx.name_dims(elements.gist_params(self.program.context).set_tuple_name(name), dims)
        return Statement(name, dims, domain, self.array, write, body, None, like.where)

    def leave(self, term: _Term, done: isl.Set) -> None:
        """Take elements away from a term; where it reaches others of the same stretch, it contributes."""
        s = term.statement
        parts = self.rest.get(s.name, [s])
        outside = [self.cut(p, p.domain.subtract(_instances(p, term.elements)), p.reduction) for p in parts]
        inside = self.cut(s, s.domain.intersect(_instances(s, term.elements.subtract(done))), "sum")
        self.rest[s.name] = [p for p in (*outside, inside) if p is not None]

    def cut(self, statement: Statement, domain: isl.Set, reduction: Reduction | None) -> Statement | None:
        """The statement on a smaller domain, or None where nothing is left."""
        domain = domain.intersect_params(self.program.context).coalesce()
        if domain.is_empty():
            return None
        domain = islx.name_dims(domain.gist_params(self.program.context).remove_redundancies(), statement.dims)
        return rename_statement(replace(statement, domain=domain, reduction=reduction), self.name(statement.name))

    def name(self, proposal: str) -> str:
        """An unused name for a statement."""
        name = unique_name(proposal, self.taken)
        self.taken.add(name)
        return name


def _instances(statement: Statement, elements: isl.Set) -> isl.Set:
    """{ S[i] : it writes one of the elements }."""
    assert isinstance(statement.write, isl.MultiAff)
    return elements.preimage_multi_aff(statement.write)
