"""Unsigned numbers: what pet says of those that pass 0 or 2^32, which no loop nest that means something does.

    for (unsigned i = 1; i < n - 1; i++)     n - 1 is 4294967295 where n is 0, and the loop leaves every array

To pet all of this is defined, so domains and subscripts speak of 2^32 and 2^64, which kernels cannot count to. They are
simplified for sizes up to 2^31; small sizes at which a loop would run over all numbers are no sizes of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.pet.checked.small_sizes import small_sizes
from polyad.pet.refusal import refusal
from polyad.pet.rewrite import rewrite
from polyad.pet.scop import Access, Affine, Node, Scop, ScopStatement, nodes

__all__ = ["LARGEST_SIZE", "without_wraparound"]

LARGEST_SIZE = 2**31 - 1
"""Beyond it, loop nests are not looked at: `i += 2` of an unsigned `i` never passes 2^64 - 1."""
_LARGE = re.compile(r"\d{10,}")
_TOO_LARGE = re.compile(r"\d{19,}")


def without_wraparound(scop: Scop) -> Scop:
    """The scop in numbers that kernels can count to.

    Raises:
        ExtractionError: a loop runs over all unsigned numbers, at sizes that are not small.
    """
    alive = [s for s in scop.statements if not s.kills]
    if not any(_LARGE.search(text) for s in alive for text in _texts(s)):
        return scop
    limits = _limits(scop.context, LARGEST_SIZE)
    context = scop.context.intersect(limits).subtract(_wild_sizes(scop, alive))
    known = context.gist(limits)
    statements = tuple(s if s.kills else _simplified(s, limits, context) for s in scop.statements)
    for s in statements:
        if not s.kills and any(_TOO_LARGE.search(text) for text in _texts(s)):
            sentence = "an unsigned number goes below 0 here, where it becomes very large; count by `int` or `int64_t`"
            raise refusal(scop.path, s.line or scop.lines[0], "unsigned", sentence)
    domain = isl.UnionSet("{ }")
    for s in statements:
        domain = domain.union(isl.UnionSet.from_set(s.domain))
    return replace(
        scop, context=known, statements=statements, schedule=scop.schedule.intersect_domain(domain.coalesce())
    )


def _texts(statement: ScopStatement) -> Iterator[str]:
    yield str(statement.domain)
    for root in (statement.body, *(guard for guard, _ in statement.guards)):
        for node in nodes(root):
            if isinstance(node, Access):
                yield str(node.index)
            elif isinstance(node, Affine):
                yield str(node.value)


def _limits(context: isl.Set, most: int) -> isl.Set:
    result = isl.Set.universe(context.get_space())
    for i in range(result.dim(isl.dim_type.param)):
        result = result.lower_bound_val(isl.dim_type.param, i, isl.Val(0))
        result = result.upper_bound_val(isl.dim_type.param, i, isl.Val(most))
    return result


def _wild_sizes(scop: Scop, alive: list[ScopStatement]) -> isl.Set:
    """The sizes at which an iterator goes where no size is.

    Raises:
        ExtractionError: they are not small.
    """
    space = scop.context.get_space()
    small = small_sizes(space)
    result = isl.Set.empty(space)
    for s in alive:
        limits = _limits(scop.context, LARGEST_SIZE // 2)
        usual = s.domain.intersect_params(scop.context).intersect_params(limits)
        for k in range(usual.dim(isl.dim_type.set)):
            wild = (
                usual.lower_bound_val(isl.dim_type.set, k, isl.Val(LARGEST_SIZE))
                .params()
                .align_params(space)
                .gist(limits)
            )
            if not wild.is_subset(small):
                found = islx.witness(wild, [])
                at = ", ".join(f"{n} = {v}" for n, v in (found[1].items() if found is not None else ()))
                raise refusal(
                    scop.path,
                    s.line or scop.lines[0],
                    "unsigned",
                    f"an unsigned number goes below 0{f' (at {at})' if at else ''}, where it becomes very large, and "
                    "the loop runs on; count by `int`, or begin where nothing is subtracted from 0",
                )
            result = result.union(wild)
    return result


def _simplified(statement: ScopStatement, limits: isl.Set, context: isl.Set) -> ScopStatement:
    whole = statement.domain.intersect_params(context).coalesce()
    for i in range(context.dim(isl.dim_type.param)) if _LARGE.search(str(whole.gist_params(limits))) else ():
        # isl sees that a quotient is 0 where the sign of what is divided is known.
        none = whole.upper_bound_val(isl.dim_type.param, i, isl.Val(0))
        some = whole.lower_bound_val(isl.dim_type.param, i, isl.Val(1))
        whole = isl.Set.empty(whole.get_space())
        for part in (none, some):
            whole = whole if part.is_empty() else whole.union(part)
        whole = whole.coalesce()

    def plain(node: Node) -> Node:
        match node:
            case Access(index=index):
                return replace(node, index=_index(index, whole))
            case Affine(value=value):
                return replace(node, value=_function(value, whole))
            case _:
                return node

    return replace(
        statement,
        domain=whole.gist_params(limits).coalesce(),
        body=rewrite(statement.body, plain),
        guards=tuple((rewrite(guard, plain), wanted) for guard, wanted in statement.guards),
    )


def _index(index: isl.MultiPwAff, whole: isl.Set) -> isl.MultiPwAff:
    """A subscript as it is where the statement runs."""
    for k in range(index.dim(isl.dim_type.out)):
        part = index.get_at(k)
        if _LARGE.search(str(part)):
            index = index.set_pw_aff(k, _function(part, whole))
    return index


def _function(value: isl.PwAff, whole: isl.Set) -> isl.PwAff:
    if not _LARGE.search(str(value)):
        return value
    domain = value.domain()
    if domain.is_wrapping():  # { [S[i] -> [a0]] }: arguments that data decide lie behind
        pairs = domain.unwrap().intersect_domain(whole)
        domain = pairs.wrap()
    else:
        domain = domain.intersect(whole)
    return value.intersect_domain(domain).coalesce().gist(domain)
