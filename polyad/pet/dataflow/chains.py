"""Accumulation chains: updates of one element after another that make a reduction.

    s = 0;                            a chain for each i:   S1[i, 0] <- S1[i, 1] <- ... <- S1[i, m - 1]
    for j: s += a[i][j];              head S1[i, 0] adds to what S0[i] wrote, tail S1[i, m - 1] is what others read
    b[i] = s;

A chain is a reduction, as nobody reads the values on the way: it ends where a value is read, and the next one starts
from there. Its instances have a key, a function of the instance that is the same along a chain and differs between
chains: [i] above. It is the index of the array of sums.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ir.statement import Reduction
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.dataflow.flow import Flow, Origin
from polyad.pet.dataflow.updates import Update, update_of
from polyad.pet.dataflow.widths import rounds_once
from polyad.pet.scop import ScopArray

__all__ = ["Chain", "chains", "key", "smallest_columns"]

Columns = tuple[tuple[str, int], ...]
"""("iterator", d) is the dimension d of a statement, ("subscript", d) that of the element which it writes."""


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """Statements that together reduce: one reduction for each key.

    Attributes:
        reduction: the operation.
        updates: statement name -> what it combines with the element.
        heads: statement name -> { S[i] } its instances that add to what the chain starts from.
        keys: statement name -> { S[i] -> [key] }.
        columns: what keys are made of.
        start: the one statement that gives what all chains start from, if nobody else reads that: its values are those
            of the reductions before anything is combined with them. It has a key, too.
    """

    reduction: Reduction
    updates: Mapping[str, Update]
    heads: Mapping[str, isl.Set]
    keys: Mapping[str, isl.Map]
    columns: Columns
    start: str | None = None


def chains(statements: Sequence[Assignment], flow: Flow, arrays: Mapping[str, ScopArray]) -> list[Chain]:
    """The reductions of a loop nest; a statement is in one of them at most."""
    updates = {
        s.name: u
        for s in statements
        if (u := update_of(s)) is not None
        and _compares_old(u, flow)
        and (u.reduction in ("max", "min") or all(rounds_once(t, s.target, arrays) for t in u.terms))
    }
    by_name = {s.name: s for s in statements}
    found: list[Chain] = []
    taken: set[str] = set()
    for group in [*_linked(updates, by_name, flow), *([name] for name in updates)]:
        if taken.isdisjoint(group):
            chain = _chain([by_name[n] for n in group], {n: updates[n] for n in group}, flow)
            if chain is not None:
                found.append(chain)
                taken.update(group)
    return _with_starts(found, by_name, flow)


def _with_starts(found: Sequence[Chain], by_name: Mapping[str, Assignment], flow: Flow) -> list[Chain]:
    """Let each chain take over the statement that it starts from, if it can."""
    taken = {name for chain in found for name in chain.updates}
    result = []
    for chain in found:
        sources = {n for u in chain.updates.values() for n in flow.reads[u.old].sources} - chain.updates.keys()
        started = None
        if len(sources) == 1 and sources <= by_name.keys() and taken.isdisjoint(sources):
            started = _started(chain, by_name[next(iter(sources))], flow)
        if started is not None and started.start is not None:
            taken.add(started.start)
        result.append(started or chain)
    return result


def _started(chain: Chain, start: Assignment, flow: Flow) -> Chain | None:
    """The chain with the statement that its heads add to."""
    if any(start.target.array != flow_target for flow_target in {u.old.array for u in chain.updates.values()}):
        return None
    if any(position >= len(start.dims) for kind, position in chain.columns if kind == "iterator"):
        return None
    own = key(start, chain.columns)
    if not own.is_injective():
        return None
    used = isl.Set.empty(start.domain.get_space())
    steps = set()
    for name, update in chain.updates.items():
        origin = flow.reads[update.old]
        steps |= {update.old, *update.others}
        if not origin.outside.is_empty():
            return None
        heads = origin.sources.get(start.name)
        if heads is not None:
            if not heads.apply_range(own).is_equal(chain.keys[name].intersect_domain(heads.domain())):
                return None
            used = used.union(heads.range())
    origins = [o for read, o in flow.reads.items() if read not in steps]
    if any(_is_read({start.name: used}, o.sources) for o in (*origins, *flow.last.values())):
        return None
    return replace(chain, keys={**chain.keys, start.name: own}, start=start.name)


def _compares_old(update: Update, flow: Flow) -> bool:
    """Whether all reads of the element see the value that the update starts from."""
    one = flow.reads[update.old]
    return all(_same_origin(one, flow.reads[other]) for other in update.others)


def _same_origin(one: Origin, other: Origin) -> bool:
    if one.sources.keys() != other.sources.keys() or not one.outside.is_equal(other.outside):
        return False
    return all(one.sources[n].is_equal(other.sources[n]) for n in one.sources)


def _linked(updates: Mapping[str, Update], by_name: Mapping[str, Assignment], flow: Flow) -> list[list[str]]:
    """Updates of the same array by the same operation of which one adds to what another one left."""
    groups = {name: [name] for name in updates}
    for name, update in updates.items():
        for source in flow.reads[update.old].sources:
            joined = source in updates and updates[source].reduction == update.reduction
            if joined and groups[source] is not groups[name]:
                merged = [n for n in by_name if n in groups[source] or n in groups[name]]
                for n in merged:
                    groups[n] = merged
    return [g for n, g in groups.items() if g[0] == n and len(g) > 1]


def _chain(statements: Sequence[Assignment], updates: Mapping[str, Update], flow: Flow) -> Chain | None:
    steps = {read for s in statements for read in (updates[s.name].old, *updates[s.name].others)}
    others = [o.sources for read, o in flow.reads.items() if read not in steps]
    others += [o.sources for o in flow.last.values()]
    links = []
    for s in statements:
        for source, relation in flow.reads[updates[s.name].old].sources.items():
            if source in updates:
                # What somebody else reads is the end of a chain, and the next one starts from it.
                read = [m.range() for sources in others for n, m in sources.items() if n == source]
                for part in read:
                    relation = relation.subtract_range(part)
                if not relation.is_empty():
                    links.append((s.name, source, relation))
    if not links:
        return None
    heads = {s.name: s.domain for s in statements}
    for name, _, relation in links:
        heads[name] = heads[name].subtract(relation.domain())
    depth = min(len(s.dims) for s in statements)
    kept = [d for d in range(depth) if all(_keeps(relation, d) for _, _, relation in links)]
    columns = _columns(statements, heads, kept)
    if columns is None:
        return None
    first = next(iter(updates.values()))
    keys = {s.name: key(s, columns) for s in statements}
    return Chain(first.reduction, updates, {n: h.coalesce() for n, h in heads.items()}, keys, columns)


def _is_read(inner: Mapping[str, isl.Set], sources: Mapping[str, isl.Map]) -> bool:
    """Whether somebody reads a value on the way."""
    return any(n in inner and not m.range().intersect(inner[n]).is_empty() for n, m in sources.items())


def _keeps(relation: isl.Map, dim: int) -> bool:
    """Whether { S[i] -> T[j] } leaves i_dim as it is."""
    same = isl.Map.universe(relation.get_space()).equate(isl.dim_type.in_, dim, isl.dim_type.out, dim)
    return bool(relation.is_subset(same))


def smallest_columns(statement: Assignment) -> Columns:
    """Few iterators and subscripts that tell all instances of a statement apart."""
    columns = _columns([statement], {statement.name: statement.domain}, range(len(statement.dims)))
    assert columns is not None, "all iterators together tell instances apart"
    return columns


def _columns(
    statements: Sequence[Assignment], apart: Mapping[str, isl.Set], iterators: Sequence[int]
) -> Columns | None:
    """Few of the iterators and of the subscripts written that tell instances apart.

    Args:
        statements: that write the same array.
        apart: statement name -> { S[i] } the instances that have to differ, between statements, too.
        iterators: positions of dimensions that may be used.

    Returns:
        None where all together do not tell them apart.
    """
    rank = statements[0].write().dim(isl.dim_type.out)
    columns: Columns = (*(("iterator", d) for d in iterators), *(("subscript", d) for d in range(rank)))
    if not _tells(statements, apart, columns):
        return None
    # Subscripts are what people know the element by; iterators go first, the innermost before the others.
    for column in [*(("iterator", d) for d in reversed(iterators)), *(("subscript", d) for d in range(rank))]:
        fewer = tuple(c for c in columns if c != column)
        if _tells(statements, apart, fewer):
            columns = fewer
    return columns


def _tells(statements: Sequence[Assignment], apart: Mapping[str, isl.Set], columns: Columns) -> bool:
    relation = islx.union_map(key(s, columns).intersect_domain(apart[s.name]) for s in statements)
    return bool(relation.is_injective())


def key(statement: Assignment, columns: Columns) -> isl.Map:
    """{ S[i] -> [columns] }."""
    space = statement.domain.get_space()
    iterators = islx.identity(space).as_map().intersect_domain(statement.domain)
    written = statement.write()
    both = iterators.reset_tuple_id(isl.dim_type.out).flat_range_product(written.reset_tuple_id(isl.dim_type.out))
    wanted = [d if kind == "iterator" else len(statement.dims) + d for kind, d in columns]
    result = both
    for position in reversed(range(both.dim(isl.dim_type.out))):
        if position not in wanted:
            result = result.project_out(isl.dim_type.out, position, 1)
    return result
