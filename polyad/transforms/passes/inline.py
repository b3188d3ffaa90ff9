"""Forward substitution: put cheap definitions where they are read.

What must hold: an element is replaced by the equation that defines it, with the indices of the reader; the reader is
cut exactly where pieces meet; and an array goes only when nobody reads it any more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of, sums_products
from polyad.analysis.plain_axes import is_linear, used_dims
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.expr import Apply, Const, Expr, Index, Indirect, Read, Select, pullback, size, walk
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.array_graph import ArrayComponent, array_components, is_outer_state, step_axes
from polyad.transforms.rewrite.cost import cost
from polyad.transforms.rewrite.fold import rebuild_statement, replacing
from polyad.transforms.rewrite.inverse_access import inverse_access, is_injective
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["inline", "inline_pieces"]


def inline(program: Program, machine: Machine = MACHINE, keep: Collection[str] = ()) -> Program:
    """Substitute the definitions of temporaries into their readers.

    - Data movement (copies, slices, transposes, broadcasts, constants) goes into every reader, and so does a change of
      sign, but for operands of matrix products.
    - Arithmetic goes into its reader where it is read once, by instances as many as its own, and neither into the
      operand of a contraction nor under max, min or prod, whose bodies are plain reads for the derivative's sake.
    - So does arithmetic on what each has fewer dimensions: differences of all pairs of points are sooner computed again
      than read.
    - Weights of 8 bits, an int8 times a scale, go into every reader: no array has room for them.
    - What depends on no data stays out of data-dependent indices.
    - Pieces of data movement (concatenation, padding) cut the reader into pieces, outside of recurrences and
      reductions; in recurrences, `inline_pieces` does so.

    Makes smaller: the number of arrays. Never makes more transcendental evaluations.

    Args:
        program: any program.
        machine: says how large bodies may become, into how many pieces (concatenation, padding) a reader may be cut,
            and what is worth storing.
        keep: arrays that must stay.
    """
    return _inlined(program, machine, keep, cuts=False)


def inline_pieces(program: Program, machine: Machine = MACHINE, keep: Collection[str] = ()) -> Program:
    """As `inline`, and steps of recurrences are cut where they read what was put together of pieces.

    A stencil with `pad` or `concatenate` in its step has no padded copy then: its border is a statement of its own.
    What several statements read, each its own part, goes into all of them.

    Args:
        program: any program, whose pieces that say the same are one (join_pieces): what is cut anew is cut once.
        machine: says also how many pieces a statement may become.
        keep: arrays that must stay.
    """
    return _inlined(program, machine, keep, cuts=True)


def _inlined(program: Program, machine: Machine, keep: Collection[str], cuts: bool) -> Program:
    components = array_components(program)
    work = _Inliner(program, components, machine, cuts)
    for component in components:
        for name in component.arrays:
            if program.arrays[name].is_temporary and name not in keep:
                work.substitute(name, component)
    return program.with_statements(work.alive()) if work.changed else program


@dataclass(frozen=True, slots=True)
class _Producer:
    """One piece of a definition.

    Attributes:
        statement: array[write(s)] = body(s).
        inverse: { array[e] -> S[i] }.
        cost: of its body.
        spreads: each thing that it reads leaves out a dimension, and it is light.
    """

    statement: Statement
    inverse: isl.MultiAff
    cost: int
    spreads: bool

    def at(self, read: Read) -> Expr:
        """The value of the element that `read` reads, over the reader's instances."""
        assert isinstance(read.access, isl.MultiAff)
        return pullback(self.statement.body, self.inverse.pullback_multi_aff(read.access))


class _Inliner:
    """The statements while definitions are substituted, with an index of who reads what."""

    def __init__(self, program: Program, components: Sequence[ArrayComponent], machine: Machine, cuts: bool):
        self.program = program
        self.cuts = cuts
        self.machine = machine
        self.statements = {s.name: s for s in program.statements}
        self.position = {s.name: i for i, s in enumerate(program.statements)}
        self.writers: dict[str, list[str]] = {}
        self.readers: dict[str, dict[str, list[Read]]] = {}  # array -> name of a statement -> its reads of the array
        self.indexed: dict[str, tuple[str, ...]] = {}  # name of a statement -> the arrays that it reads
        self.recurrent = {a for c in components if c.recurrent for a in c.arrays}
        self.gone: set[str] = set()
        self.axes: dict[ArrayComponent, int] = {}
        self.changed = False
        for s in program.statements:
            self.writers.setdefault(s.array, []).append(s.name)
            self.index(s)

    def index(self, statement: Statement) -> None:
        """Note what a statement reads."""
        found: dict[str, list[Read]] = {}
        for read in statement.reads():
            found.setdefault(read.array, []).append(read)
        for array in self.indexed.get(statement.name, ()):
            self.readers[array][statement.name] = []
        self.indexed[statement.name] = tuple(found)
        for array, reads in found.items():
            self.readers.setdefault(array, {})[statement.name] = reads

    def alive(self) -> list[Statement]:
        """The statements without those whose every reader was rewritten."""
        kept = [s for s in self.statements.values() if s.array not in self.gone]
        return sorted(kept, key=lambda s: self.position[s.name])

    def occurrences(self, array: str) -> Iterator[tuple[Statement, Read]]:
        """All reads of an array."""
        for name, reads in list(self.readers.get(array, {}).items()):
            s = self.statements.get(name)
            if s is not None and s.array not in self.gone:
                yield from ((s, r) for r in reads)

    def substitute(self, array: str, component: ArrayComponent) -> None:
        """Inline one array where the rules allow it."""
        producers = self.producers(array)
        recurrent = component.recurrent
        cuts = recurrent and self.cuts and producers is not None and not self.is_state(array, component)
        most = self.machine.classes if cuts else 1 if recurrent else self.machine.pieces
        if producers is None or len(producers) > most:
            return
        body = producers[0].statement.body
        if recurrent and isinstance(body, Read) and is_outer_state(self.program, array, body.array):
            return
        occurrences = list(self.occurrences(array))
        if not occurrences or any(isinstance(r.access, Indirect) for _, r in occurrences):
            return
        total = 0 if _is_dequantised(body) else max(p.cost for p in producers)
        often = len(occurrences) > 1 and not _is_negation(body) and not producers[0].spreads
        if total > 0 and not cuts and (often or len(producers) > 1):
            return
        if total > 0 and often and not _apart(occurrences, self.steps(component), self.program.context):
            return
        left = False
        for reader in {s.name: s for s, _ in occurrences}.values():
            reads = [r for s, r in occurrences if s is reader]
            new = self.rewritten(reader, reads, producers, len(occurrences), cuts)
            if new is None:
                left = True
                continue
            self.changed = True
            del self.statements[reader.name]
            self.writers[reader.array].remove(reader.name)
            for s in new:
                self.statements[s.name] = s
                self.position[s.name] = self.position[reader.name]
                self.writers[s.array].append(s.name)
                self.index(s)
        if not left:
            self.gone.add(array)

    def steps(self, component: ArrayComponent) -> int:
        """How many of the first indices count steps: looked for once, of the program as it was."""
        if component not in self.axes:
            self.axes[component] = step_axes(self.program, component)
        return self.axes[component]

    def is_state(self, array: str, component: ArrayComponent) -> bool:
        """Whether the pieces of a definition are of different steps, the first one and the others."""
        pieces = [self.statements[n].write_relation().range() for n in self.writers[array]]
        if len(pieces) < 2:
            return False
        axes, rank = self.steps(component), pieces[0].dim(isl.dim_type.set)
        steps = [p.project_out(isl.dim_type.set, min(axes, rank), max(rank - axes, 0)) for p in pieces]
        return any(a.is_disjoint(b) for a, b in combinations(steps, 2))

    def producers(self, array: str) -> list[_Producer] | None:
        """The pieces of its definition, or None where it is not one that can be substituted."""
        result = []
        for name in self.writers[array]:
            s = self.statements[name]
            if s.reduction is not None or any(r.array == array for r in s.reads()):
                return None
            inverse = inverse_access(s.write)
            if inverse is None:
                return None
            gathers = any(isinstance(r.access, Indirect) for r in s.reads())
            price = cost(s.body, self.machine)
            spreads = price <= self.machine.light and _spreads(s)
            result.append(_Producer(s, inverse, price + (1 if gathers else 0), spreads))
        return result

    def rewritten(
        self, reader: Statement, reads: list[Read], producers: list[_Producer], occurrences: int, within: bool
    ) -> list[Statement] | None:
        """The reader with the definition in place, cut into pieces where it meets several; None to leave it."""
        met = (
            self.met(reader, reads, producers) if len(producers) > 1 else [([producers[0]] * len(reads), reader.domain)]
        )
        cut = len(met) > 1
        if not met or (len(reads) > 1 and len(producers) > 1 and not within):
            return None
        if cut and (reader.reduction is not None or len(met) > self.machine.classes):
            return None
        if cut and not within and (occurrences > 1 or reader.array in self.recurrent):
            return None
        result: list[Statement] = []
        for chosen, domain in met:
            pairs = list(zip(reads, chosen, strict=True))
            if not all(_allowed(p, reader, r, occurrences, self.machine) for r, p in pairs):
                return None
            new = rebuild_statement(reader, replacing(*((r, p.at(r)) for r, p in pairs)))
            if size(new.body) > max(self.machine.inlined, size(reader.body)):
                return None
            if domain is not reader.domain:
                domain = domain.coalesce().remove_redundancies()
                new = replace(new, domain=islx.name_dims(domain, reader.dims))
            taken = self.statements.keys() | {s.name for s in result}
            result.append(rename_statement(new, unique_name(reader.name, taken)) if result else new)
        return result

    def met(
        self, reader: Statement, reads: Sequence[Read], producers: list[_Producer]
    ) -> list[tuple[list[_Producer], isl.Set]]:
        """The pieces that reads meet together, one for each read, with the reader's instances there."""
        result: list[tuple[list[_Producer], isl.Set]] = [([], reader.domain)]
        for read in reads:
            assert isinstance(read.access, isl.MultiAff)
            there = [p.statement.write_relation().range().preimage_multi_aff(read.access) for p in producers]
            cut = [
                ([*chosen, p], d.intersect(t)) for chosen, d in result for p, t in zip(producers, there, strict=True)
            ]
            result = [(c, d) for c, d in cut if not d.intersect_params(self.program.context).is_empty()]
        return result


def _apart(occurrences: Sequence[tuple[Statement, Read]], axes: int, context: isl.Set) -> bool:
    """Whether reads are of different elements of the same steps, which the first indices are."""
    if any(isinstance(r.access, Indirect) for _, r in occurrences):
        return False
    seen = [s.read_relation(r).range().intersect_params(context) for s, r in occurrences]
    rank = seen[0].dim(isl.dim_type.set)
    steps = [e.project_out(isl.dim_type.set, min(axes, rank), max(rank - axes, 0)) for e in seen]
    return all(a.is_disjoint(b) for a, b in combinations(seen, 2)) and all(s.is_equal(steps[0]) for s in steps[1:])


def _allowed(producer: _Producer, reader: Statement, read: Read, occurrences: int, machine: Machine) -> bool:
    """Whether a definition may stand in place of one read."""
    body = producer.statement.body
    if not any(isinstance(n, Read) for n in walk(body)) and any(n is read for n in _inside_indices(reader)):
        # The access would become affine, and then has to be inside its array for all sizes; the index is data so far,
        # and checked when the kernel is called.
        return False
    match body:
        case Const():
            return True
        case Read(_, isl.MultiAff() as access, _):
            assert isinstance(read.access, isl.MultiAff)
            # A reshape turned into divisions is worth it once, and never in the operand of a reduction.
            seen = access.pullback_multi_aff(producer.inverse.pullback_multi_aff(read.access))
            return is_linear(seen) or (reader.reduction is None and (occurrences == 1 or _wraps(seen, reader)))
        case Apply("neg", (Read(_, isl.MultiAff() as access, _),), _) if occurrences > 1:
            assert isinstance(read.access, isl.MultiAff)
            seen = access.pullback_multi_aff(producer.inverse.pullback_multi_aff(read.access))
            summed = reader.reduction in (None, "sum") and matrix_product_of(reader) is None
            return summed and is_linear(seen)
        case Index() | Apply("cast", (Index(),), _):
            return not sums_products(reader)
        case _ if _is_dequantised(body):
            return True
        case _:
            kept = matrix_product_of(reader) if producer.spreads else sums_products(reader)
            if kept or reader.reduction in ("max", "min", "prod"):
                return False
            if producer.cost >= machine.kept and (reader.reduction is not None or _behind_switch(reader, read)):
                return False
            return producer.spreads or is_injective(read.access, reader.domain)


def _spreads(s: Statement) -> bool:
    """Whether each thing that a definition reads leaves out a dimension: differences of pairs.

    A truth value that another one decides stays: loops are left out by it (analysis/switches.py).
    """
    match s.body:
        case Apply("cast", (Select(),), "int32"):
            return False
    if not isinstance(s.write, isl.MultiAff):
        return False
    own = used_dims(s.write)
    reads = list(s.reads())
    return len(reads) > 1 and all(isinstance(r.access, isl.MultiAff) and used_dims(r.access) < own for r in reads)


def _wraps(access: isl.MultiAff, reader: Statement) -> bool:
    """Whether an access divides nothing but single dimensions that end where they wrap around (split_wraps)."""
    for i in range(access.dim(isl.dim_type.out)):
        for atom, _ in Affine.from_aff(access.get_aff(i), reader.dims).terms:
            if isinstance(atom, FloorDiv):
                names = [str(a) for a, c in atom.numerator.terms if a in reader.dims and c in (1, -1)]
                if len(names) != 1 or len(atom.numerator.terms) > 1:
                    return False
                extent = islx.extent(reader.domain, reader.dims.index(names[0]))
                if extent is None or extent > atom.divisor:
                    return False
    return True


def _behind_switch(reader: Statement, read: Read) -> bool:
    """Whether a truth value of data that is one for many instances chooses a read: loops can leave it out."""
    for node in walk(reader.body):
        match node:
            case Select(Apply("ne", (Read(_, isl.MultiAff() as test, "int32"), Const(value=0)), _), chosen, _, _):
                if len(used_dims(test)) < len(reader.dims) and any(n is read for n in walk(chosen)):
                    return True
    return False


def _is_dequantised(body: Expr) -> bool:
    """float(q[...]) * s[...] with integers of 8 bits."""
    match body:
        case Apply("mul", (Apply("cast", (Apply("cast", (Read(dtype="int8"),), _),), _), Read()), _):
            return "float" in body.dtype
        case _:
            return False


def _is_negation(body: Expr) -> bool:
    """-x[...]: computing it again is as cheap as reading it."""
    match body:
        case Apply("neg", (Read(_, isl.MultiAff(), _),), _):
            return True
        case _:
            return False


def _inside_indices(statement: Statement) -> Iterator[Expr]:
    """The nodes inside data-dependent indices of a statement."""
    for _, access in statement.accesses():
        if isinstance(access, Indirect):
            for index in access.index:
                yield from walk(index)
