"""A thin layer over islpy: dimensions by name, witnesses, text, and errors in the user's words."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any, TypeVar

import islpy as isl

from polyad.errors import PolyadError

__all__ = [
    "KEYWORDS",
    "LOCK",
    "OperationLimitError",
    "aff_list",
    "basic_sets",
    "bounded_operations",
    "box",
    "extent",
    "functions",
    "identity",
    "instance_text",
    "interruptible",
    "is_box",
    "map_witness",
    "maps",
    "multi_aff",
    "name_dims",
    "param_names",
    "pieces",
    "positions",
    "projection",
    "read_set",
    "sets",
    "settled",
    "space",
    "union_map",
    "union_set",
    "witness",
]

LOCK = threading.RLock()
"""isl serves one thread per context: public entry points that touch isl hold this lock; kernel calls never need it."""

KEYWORDS = frozenset(
    "exists and or not implies mod floor ceil floord ceild min max rat true false infty infinity nan".split()
)
"""Words of isl's own syntax, which can name neither a size nor an index; isl knows them in capitals, too."""

_CTX = isl.DEFAULT_CONTEXT


def space(params: Sequence[str], name: str, dims: Sequence[str]) -> isl.Space:
    """The set space [params] -> { name[dims] }."""
    result = isl.Space.create_from_names(_CTX, set=list(dims), params=list(params))
    return result.set_tuple_name(isl.dim_type.set, name) if name else result


def param_names(domain: isl.Set) -> tuple[str, ...]:
    """The parameters of a set, in their order."""
    names = [domain.get_dim_name(isl.dim_type.param, i) for i in range(domain.dim(isl.dim_type.param))]
    return tuple(n for n in names if n is not None)


def positions(params: Sequence[str], dims: Sequence[str]) -> dict[str, tuple[isl.dim_type, int]]:
    """Name -> (kind, index) for expressions over a space built by `space`."""
    where: dict[str, tuple[isl.dim_type, int]] = {p: (isl.dim_type.param, i) for i, p in enumerate(params)}
    where.update({d: (isl.dim_type.in_, i) for i, d in enumerate(dims)})
    return where


def aff_list(affs: Iterable[isl.Aff]) -> isl.AffList:
    """Collect isl expressions in an isl list."""
    items = list(affs)
    result = isl.AffList.alloc(_CTX, len(items))
    for aff in items:
        result = result.add(aff)
    return result


def multi_aff(domain: isl.Space, name: str, affs: Sequence[isl.Aff]) -> isl.MultiAff:
    """{ domain -> name[affs] } for expressions on the set space `domain`."""
    target = isl.Space.alloc(_CTX, 0, 0, len(affs)).range()
    if name:
        target = target.set_tuple_name(isl.dim_type.set, name)
    target = target.align_params(domain.params())
    return isl.MultiAff.from_aff_list(domain.map_from_domain_and_range(target), aff_list(affs))


def identity(domain: isl.Space) -> isl.MultiAff:
    """{ S[i] -> S[i] }."""
    return isl.MultiAff.identity(domain.map_from_set())


def projection(source: isl.Space, target: isl.Space, columns: Sequence[int]) -> isl.MultiAff:
    """{ source[i0, i1, ...] -> target[i_columns] }."""
    local = isl.LocalSpace.from_space(source)
    affs = [isl.Aff.var_on_domain(local, isl.dim_type.set, c) for c in columns]
    return multi_aff(source, target.get_tuple_name(isl.dim_type.set) or "", affs)


def name_dims(domain: isl.Set, names: Sequence[str]) -> isl.Set:
    """Give the dimensions of a set their names (for printing; isl drops them in many operations)."""
    for i, name in enumerate(names):
        domain = domain.set_dim_name(isl.dim_type.set, i, name)
    return domain


def union_set(sets: Iterable[isl.Set], params: isl.Space | None = None) -> isl.UnionSet:
    """The union of sets of possibly different spaces."""
    result = isl.UnionSet.empty(params if params is not None else isl.Space.params_alloc(_CTX, 0))
    for s in sets:
        result = result.union(isl.UnionSet.from_set(s))
    return result


def sets(union: isl.UnionSet) -> list[isl.Set]:
    """The sets of a union, one a space."""
    found = union.get_set_list()
    return [found.get_at(i) for i in range(found.n_set())]


def union_map(maps: Iterable[isl.Map], params: isl.Space | None = None) -> isl.UnionMap:
    """The union of maps of possibly different spaces."""
    result = isl.UnionMap.empty(params if params is not None else isl.Space.params_alloc(_CTX, 0))
    for m in maps:
        result = result.union(isl.UnionMap.from_map(m))
    return result


def maps(union: isl.UnionMap) -> list[isl.Map]:
    """The maps of a union, one a pair of spaces."""
    found = union.get_map_list()
    return [found.get_at(i) for i in range(found.n_map())]


def pieces(function: isl.PwMultiAff) -> list[tuple[isl.Set, isl.MultiAff]]:
    """The functions that a piecewise one is made of, each with the set it holds on."""
    found: list[tuple[isl.Set, isl.MultiAff]] = []
    function.foreach_piece(lambda where, value: found.append((where, value)))
    return found


def functions(relation: isl.Map) -> list[tuple[isl.Set, isl.MultiAff]]:
    """A single-valued relation as functions on parts of its domain."""
    return [] if relation.is_empty() else pieces(isl.PwMultiAff.from_map(relation.coalesce()).coalesce())


def box(domain: isl.Set, dims: Iterable[int]) -> isl.Set:
    """The smallest set that holds a set and lets some of its dimensions range independently of each other."""
    free = list(dims)
    result = domain
    for position, i in enumerate(free):
        side = domain
        for j in free:
            if j != i:
                side = side.project_out(isl.dim_type.set, j, 1).insert_dims(isl.dim_type.set, j, 1)
        side = _without_quantifiers(side)
        side = side.set_tuple_name(domain.get_tuple_name() or "") if domain.has_tuple_name() else side
        result = side if position == 0 else result.intersect(side)
    return result


def extent(domain: isl.Set, dim: int) -> int | None:
    """How many values there are from the least to the greatest of a dimension; None where it depends on sizes."""
    low, high = domain.dim_min_val(dim), domain.dim_max_val(dim)
    return int((high - low).to_python()) + 1 if low.is_int() and high.is_int() else None


def _without_quantifiers(domain: isl.Set) -> isl.Set:
    """The same set without `exists`, where that is what other constraints imply; else the set itself.

    Projections leave them behind, one for each dimension with a factor, and every further operation takes longer.
    """
    plain = domain.remove_divs()
    return plain if plain.is_subset(domain) else domain


def is_box(domain: isl.Set, dims: Iterable[int]) -> bool:
    """Whether, for each value of the other dimensions and the sizes, these range independently of each other."""
    return bool(box(domain, dims).is_subset(domain))


def basic_sets(domain: isl.Set) -> list[isl.BasicSet]:
    """The disjuncts of a set."""
    return list(domain.get_basic_sets())


def _point_values(point: isl.Point, kind: isl.dim_type, count: int) -> list[int]:
    return [int(point.get_coordinate_val(kind, i).to_python()) for i in range(count)]


def witness(domain: isl.Set, dims: Sequence[str]) -> tuple[dict[str, int], dict[str, int]] | None:
    """One point of a set, small sizes preferred.

    Returns:
        (dimension -> value, parameter -> value), or None when the set is empty.
    """
    if domain.is_empty():
        return None
    point = _smallest(domain).sample_point()
    params = param_names(domain)
    sizes = dict(zip(params, _point_values(point, isl.dim_type.param, len(params)), strict=True))
    values = _point_values(point, isl.dim_type.set, domain.dim(isl.dim_type.set))
    return dict(zip(dims, values, strict=True)), sizes


def _smallest(domain: isl.Set) -> isl.Set:
    """Fix each parameter to its least value that leaves the set non-empty, where it has one."""
    for i in range(domain.dim(isl.dim_type.param)):
        low = domain.params().move_dims(isl.dim_type.set, 0, isl.dim_type.param, i, 1)
        low = low.project_out(isl.dim_type.param, 0, low.dim(isl.dim_type.param))
        if low.dim_has_lower_bound(isl.dim_type.set, 0):
            value = low.lexmin().sample_point().get_coordinate_val(isl.dim_type.set, 0)
            domain = domain.fix_val(isl.dim_type.param, i, value)
    return domain


def map_witness(
    relation: isl.Map, in_dims: Sequence[str], out_dims: Sequence[str]
) -> tuple[dict[str, int], dict[str, int], dict[str, int]] | None:
    """One pair of a relation: (source point, sink point, sizes), or None when it is empty."""
    found = witness(relation.wrap(), [f"0{d}" for d in in_dims] + [f"1{d}" for d in out_dims])
    if found is None:
        return None
    point, sizes = found
    values = list(point.values())
    return (
        dict(zip(in_dims, values[: len(in_dims)], strict=True)),
        dict(zip(out_dims, values[len(in_dims) :], strict=True)),
        sizes,
    )


def read_set(text: str, what: str) -> isl.Set:
    """Parse a set, with an error that names what was read."""
    try:
        return isl.Set(text)
    except isl.Error as problem:
        raise PolyadError(f"{what} is not an isl set: {text!r} ({problem})") from problem


_Read = TypeVar("_Read", isl.Set, isl.Map, isl.UnionSet, isl.MultiUnionPwAff, isl.Aff, isl.MultiAff)

_SETTLING = 8
"""Readings after which a text is taken as it is: the second one says what the first one said, as far as was seen."""


def settled(value: _Read, spell: Callable[[_Read], str] = str) -> _Read:
    """The same in the form that isl gives it when it reads its text, which says itself again.

    isl keeps what is equal in many forms, by how it was made: (4 i + 1) / 3 or i + (i + 1) / 3. Loops, bounds and
    quotients follow the form. Of what is settled they follow the text.

    Args:
        value: anything that isl reads back.
        spell: its text.
    """
    text = spell(value)
    for _ in range(_SETTLING):
        value = type(value)(text)
        again = spell(value)
        if again == text:
            break
        text = again
    return value


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C end what is done inside.

    What is raised while isl calls back is printed by islpy and becomes an error of isl, of which some say no more than
    that there is no answer. So isl gives up whatever it is asked after an interrupt, and what the handler of the signal
    raised is raised at the end, if it came to nothing. Other threads than the main one get no signals; who ignores
    interrupts goes on to do so.

    Raises:
        KeyboardInterrupt: or what else the caller's handler of SIGINT raises.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    raised: list[BaseException] = []

    def interrupted(number: int, frame: FrameType | None) -> Any:
        try:
            return handler(number, frame)
        except BaseException as problem:
            raised.append(problem)
            _CTX.abort()
            raise

    signal.signal(signal.SIGINT, interrupted)
    try:
        yield
    except BaseException as problem:
        if raised and problem is not raised[-1]:
            raise raised[-1] from None
        raise
    else:
        if raised:
            raise raised[-1]
    finally:
        signal.signal(signal.SIGINT, handler)
        if raised:
            _CTX.resume()


class OperationLimitError(Exception):
    """isl was stopped; it never reaches a user."""


@contextmanager
def bounded_operations(limit: int) -> Iterator[None]:
    """Let isl give up after `limit` elementary operations.

    Raises:
        OperationLimitError: it did: isl said so, or answered with nothing that can be used. Other errors pass.
    """
    before = _CTX.get_max_operations()
    _CTX.reset_operations()
    _CTX.set_max_operations(limit)
    try:
        yield
    except Exception as problem:
        if _is_exhausted():
            raise OperationLimitError(f"more than {limit} operations") from problem
        raise
    finally:
        _CTX.set_max_operations(before)
        _CTX.reset_operations()


def _is_exhausted() -> bool:
    """Whether isl refuses every further operation."""
    try:
        isl.Set("{ [0] }")
    except isl.Error:
        return True
    return False


def instance_text(name: str, point: Mapping[str, int]) -> str:
    """S[t = 3, b = 0]."""
    return f"{name}[{', '.join(f'{d} = {v}' for d, v in point.items())}]"
