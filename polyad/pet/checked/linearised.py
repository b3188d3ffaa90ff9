"""Linear subscripts: `A[(i * m + j) * p + k]` of a plain pointer stands for `A[i][j][k]` of `double A[][m][p]`.

The strides of an array are the products of sizes by which iterators are multiplied in its subscripts: p m, p, 1. Each
is a multiple of the next, and their quotients are the extents. Where 0 <= j < m and 0 <= k < p for each access, every
element has one name. Sizes at which it is not so, as for A[i * m + m - 2] where m is 1, or for A[i * ld + k] with k < n
where ld < n, are no sizes of the program.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType

import islpy as isl

from polyad import islx
from polyad.errors import ExtractionError
from polyad.ir.polynomials import gathered
from polyad.pet.checked.polynomials import Monomial, Polynomial, Products, in_factors, polynomial_of
from polyad.pet.checked.small_sizes import small_sizes
from polyad.pet.checked.sums_of_sizes import in_sums, sums_in, written_out
from polyad.pet.derived import names_of, size_of, without
from polyad.pet.refusal import refusal
from polyad.pet.rewrite import rewrite_statements
from polyad.pet.scop import Access, Affine, Call, Node, Scop, ScopStatement, nodes

__all__ = ["recover_dimensions"]

_MOST_WAYS = 64
"""So many ways to split the offsets of a subscript are tried."""

_NOTHING: Mapping[str, tuple[str, ...]] = MappingProxyType({})

Way = Callable[[Polynomial], Polynomial]
"""How a subscript is written as a polynomial: as it is, with factors of sizes, or with sums as sizes."""


@dataclass(frozen=True, slots=True)
class _Stride:
    """A number of elements: factor * product of sizes, of which some may be sums (sums_of_sizes.py)."""

    factor: int
    sizes: tuple[str, ...]

    def over(self, other: _Stride) -> tuple[int, tuple[str, ...]] | None:
        """The quotient, if it is a number, or a number times one size."""
        rest = without(self.sizes, other.sizes)
        if rest is None or len(rest) > 1 or self.factor % other.factor:
            return None
        return self.factor // other.factor, rest


def recover_dimensions(
    scop: Scop, told: Mapping[str, Sequence[str]] = _NOTHING, products: Products = _NOTHING
) -> tuple[Scop, dict[str, tuple[str, ...]]]:
    """The scop with the dimensions that linear subscripts stand for.

    Args:
        scop: any.
        told: the extents of arrays with linear subscripts that the caller has said, as C text.
        products: sizes that are products of others: what stands for itself in no dimension is tried as these.

    Returns:
        The scop, and for each array that has got more dimensions their extents, as C text; the first one is "" where
        none was told.

    Raises:
        ExtractionError: a subscript multiplies sizes or iterators, and its dimensions cannot be proved.
    """
    found: dict[str, list[_Stride]] = {}
    first = {access.array: place for place, access in reversed(list(_accesses(scop))) if _is_product(access)}
    for name in [n for n in told if n in scop.arrays]:
        found[name] = _told_strides(scop, name, told[name])
        sums = [size for stride in found[name] for size in stride.sizes if size.startswith("(")]
        scop = _split(scop, name, found[name], partial(in_sums, sums=sums), told=True)
    for name in [n for n in first if n not in told]:
        written: list[Way] = [_as_it_is, *([partial(in_factors, products=products)] if products else [])]
        sums = sums_in(p for _, a in _accesses(scop) if a.array == name and (p := polynomial_of(a, [])) is not None)
        written += [partial(in_sums, sums=sums)] * bool(sums)
        ways = [(way, limited) for limited in (False, True) for way in written]
        for way, limited in ways:
            try:
                strides = _strides(scop, name, first[name], way)
                scop = _split(scop, name, strides, way, limited=limited)
            except ExtractionError:
                if (way, limited) == ways[-1]:
                    raise
            else:
                found[name] = strides
                break
    scop = replace(scop, context=scop.context.coalesce())
    extents = {name: _extents(strides) for name, strides in found.items() if len(strides) > 1}
    return scop, {name: ("", *(_text(*e) for e in sizes)) for name, sizes in extents.items() if name not in told}


def _told_strides(scop: Scop, array: str, extents: Sequence[str]) -> list[_Stride]:
    """The strides of an array whose extents are known.

    Raises:
        ExtractionError: an inner extent is no product of numbers and sizes.
    """
    strides = [_Stride(1, ())]
    for extent in reversed(extents[1:]):
        told = size_of(extent)
        if told is None:
            sentence = f"the extent `{extent}` of `{array}` is no number times a size, or a sum of such; pass it as one"
            raise refusal(scop.path, scop.lines[0], "shape", sentence)
        inner = strides[0]
        strides.insert(0, _Stride(inner.factor * told[0], tuple(sorted(inner.sizes + told[1]))))
    return strides


def _as_it_is(polynomial: Polynomial) -> Polynomial:
    return polynomial


def _accesses(scop: Scop) -> Iterator[tuple[ScopStatement, Access]]:
    for statement in scop.statements:
        if not statement.kills:
            for root in (statement.body, *(condition for condition, _ in statement.guards)):
                for node in nodes(root):
                    if isinstance(node, Access):
                        yield statement, node


def _is_product(access: Access) -> bool:
    """Whether a subscript multiplies: it is of degree two, or no polynomial and yet no matter of data."""
    if not access.arguments or access.index.dim(isl.dim_type.out) != 1:
        return False
    subscript = polynomial_of(access, [])
    if subscript is None:
        return not any(isinstance(n, Access | Call) for argument in access.arguments for n in nodes(argument))
    return any(len(m.sizes) + len(m.others) > 1 for m in subscript)


def _strides(scop: Scop, array: str, statement: ScopStatement, written: Way) -> list[_Stride]:
    """The strides of an array, the largest first."""
    factors: dict[tuple[str, ...], int] = {(): 1}
    for place, access in _accesses(scop):
        if access.array != array:
            continue
        subscript = polynomial_of(access, [])
        if subscript is None:
            raise _refusal(scop, place, array)
        for monomial, factor in written(subscript).items():
            if len(monomial.others) > 1:
                raise _refusal(scop, place, array)
            if monomial.others:
                factors[monomial.sizes] = math.gcd(factors.get(monomial.sizes, 0), factor)
    strides = [_Stride(factors[sizes], sizes) for sizes in sorted(factors, key=lambda s: (-len(s), s))]
    if len(strides) < 2 or any(a.over(b) is None for a, b in itertools.pairwise(strides)):
        raise _refusal(scop, statement, array)
    return strides


def _extents(strides: Sequence[_Stride]) -> list[tuple[int, tuple[str, ...]]]:
    """The extents of all dimensions but the first."""
    quotients = [a.over(b) for a, b in itertools.pairwise(strides)]
    return [q for q in quotients if q is not None]


def _split(
    scop: Scop, array: str, strides: Sequence[_Stride], written: Way, *, told: bool = False, limited: bool = True
) -> Scop:
    """The scop with one more subscript of an array for each stride but the last.

    Args:
        scop: any.
        array: its name.
        strides: the largest first.
        written: how subscripts are written as polynomials.
        told: whether the caller has said them.
        limited: whether sizes at which subscripts leave their extents are none, also other than small ones.
    """
    context = scop.context

    def split(node: Node, place: ScopStatement) -> Node:
        nonlocal context
        if not isinstance(node, Access) or node.array != array:
            return node
        domain = place.domain.intersect_params(context)
        result = _split_access(node, domain, strides, written, told=told, limited=limited)
        if result is None:
            raise _refusal(scop, place, array, strides)
        context = context.subtract(result[1].align_params(context.get_space()))
        space = context.get_space()
        if limited and context.is_subset(isl.Set.empty(space) if told else small_sizes(space)):
            raise _refusal(scop, place, array, strides)
        return result[0]

    known = scop.arrays[array]
    arrays = {**scop.arrays, array: replace(known, extent=_extent_set(array, strides))}
    rewritten = rewrite_statements(scop, split)
    return replace(rewritten, arrays=arrays, context=context)


def _split_access(
    access: Access, domain: isl.Set, strides: Sequence[_Stride], written: Way, *, told: bool, limited: bool
) -> tuple[Access, isl.Set] | None:
    """The access with one subscript for each stride; None where they cannot be proved to stay in their extents.

    What data choose in a row, `p[b * V + t[b]]`, is looked at when it runs; not so `p[t[b]]`, which may choose a row.

    Returns:
        The access, and small sizes at which they do not.
    """
    data: list[Node] = []
    subscript = polynomial_of(access, data)
    if subscript is None:
        return None
    subscript = written(subscript)
    instance = access.index.domain().get_space()
    if access.arguments:
        instance = instance.unwrap().domain()
    domain = domain.align_params(instance.params()) if domain.get_space().dim(isl.dim_type.param) else domain
    extents = _extents(strides)
    chosen: tuple[list[dict[Monomial, int]], isl.Set] | None = None
    for parts in itertools.islice(_ways(subscript, strides), _MOST_WAYS):
        try:
            wrong = isl.Set.empty(domain.get_space().params())
            in_row = told
            for outer, part, extent in zip(parts, parts[1:], extents, strict=False):
                in_row = in_row or any(m.others for m in outer)
                if not in_row or not _is_chosen(part, domain, data):
                    wrong = wrong.union(_leaves(part, extent, domain, data))
        except ValueError:  # data in an inner subscript, or an unknown size
            continue
        small = small_sizes(wrong.get_space())
        leaves_some = told or (limited and not domain.params().subtract(wrong).is_subset(small))
        if (chosen is None and (leaves_some or wrong.is_subset(small))) or wrong.is_empty():
            # Where the first subscript is negative at other sizes, that is said where arrays have extents.
            below = _leaves(parts[0], None, domain, data)
            chosen = parts, wrong.union(below) if below.is_subset(small) else wrong
        if wrong.is_empty():
            break
    if chosen is None:
        return None
    space = domain.get_space()
    given = tuple(n for n in data if not isinstance(n, Affine))
    if given:
        space = space.map_from_domain_and_range(space.params().add_unnamed_tuple_ui(len(given))).wrap()
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    index = isl.MultiPwAff.from_multi_aff(islx.multi_aff(space, access.array, [zero] * len(strides)))
    try:
        for k, part in enumerate(chosen[0]):
            index = index.set_pw_aff(k, _function(part, space, data))
    except ValueError:
        return None
    return replace(access, index=index, arguments=given), chosen[1]


def _ways(subscript: Polynomial, strides: Sequence[_Stride]) -> Iterator[list[dict[Monomial, int]]]:
    """The ways to write a subscript as a sum of stride * part. Only what has no iterator may go to several strides."""
    choices: list[list[tuple[int, Monomial, int]]] = []
    for monomial, factor in subscript.items():
        options = []
        for k, stride in enumerate(strides):
            rest = without(monomial.sizes, stride.sizes)
            if rest is None or factor % stride.factor or len(rest) + len(monomial.others) > 1:
                continue
            options.append((k, Monomial(rest, monomial.others), factor // stride.factor))
        choices.append(options)
    for chosen in itertools.product(*choices):
        yield [gathered([(m, f) for k, m, f in chosen if k == number]) for number in range(len(strides))]


def _function(part: Polynomial, space: isl.Space, data: Sequence[Node]) -> isl.PwAff:
    """A linear part as a function on a set space { S[i] }, or { [S[i] -> [a]] } for what data decide.

    Raises:
        ValueError: it takes data or sizes that the space does not have.
    """
    instance = space.unwrap().domain() if space.is_wrapping() else space
    iterators = instance.dim(isl.dim_type.set)
    given = [n for n in data if not isinstance(n, Affine)]
    result = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    cases: list[tuple[isl.PwAff, int]] = []
    for monomial, factor in written_out(part).items():
        if monomial.others:
            (position,) = monomial.others
            node = data[position - iterators] if position >= iterators else None
            if isinstance(node, Affine):
                cases.append((node.value, factor))
                continue
            if node is not None:
                position = iterators + given.index(node)
            if position >= space.dim(isl.dim_type.set):
                raise ValueError
            result = result.set_coefficient_val(isl.dim_type.in_, position, factor)
        elif monomial.sizes:
            result = result.set_coefficient_val(isl.dim_type.param, _position(monomial.sizes[0], space), factor)
        else:
            result = result.set_constant_val(factor)
    whole = isl.PwAff.from_aff(result)
    for value, factor in cases:
        there = value.align_params(space.params())
        if space.is_wrapping():
            there = there.pullback_multi_aff(
                isl.MultiAff.domain_map(space.unwrap().align_params(there.get_space().params()))
            )
        whole = whole.add(there.scale_val(isl.Val(factor)))
    return whole


def _position(name: str, space: isl.Space) -> int:
    position = space.find_dim_by_name(isl.dim_type.param, name)
    if position < 0:
        raise ValueError
    return int(position)


def _is_chosen(part: Polynomial, domain: isl.Set, data: Sequence[Node]) -> bool:
    """Whether data decide a part of a subscript."""
    iterators = domain.dim(isl.dim_type.set)
    return any(k >= iterators and not isinstance(data[k - iterators], Affine) for m in part for k in m.others)


def _leaves(
    part: Polynomial, extent: tuple[int, tuple[str, ...]] | None, domain: isl.Set, data: Sequence[Node]
) -> isl.Set:
    """The sizes at which not 0 <= part < extent on all of a domain; without an extent, at which part < 0.

    Raises:
        ValueError: an inner part is decided by data.
    """
    zero = isl.PwAff.from_aff(isl.Aff.zero_on_domain(isl.LocalSpace.from_space(domain.get_space())))
    if extent is None:
        if any(m.others and m.others[0] >= domain.dim(isl.dim_type.set) for m in part):
            return isl.Set.empty(domain.get_space().params())  # cases, or what data decide
        return domain.intersect(_function(part, domain.get_space(), data).lt_set(zero)).params()
    factor, sizes = extent
    size = _function({Monomial(sizes): factor}, domain.get_space(), ())
    value = _function(part, domain.get_space(), data)
    return domain.subtract(value.ge_set(zero).intersect(value.lt_set(size))).params()


def _extent_set(array: str, strides: Sequence[_Stride]) -> isl.Set:
    """{ A[a0, a1] : a0 >= 0 and 0 <= a1 < m }."""
    extents = _extents(strides)
    dims = [f"a{k}" for k in range(len(strides))]
    bounds = [f"0 <= {d} < {_text(*e)}" for d, e in zip(dims[1:], extents, strict=True)]
    sizes = names_of(s for _, names in extents for s in names)
    return isl.Set(f"[{', '.join(sizes)}] -> {{ {array}[{', '.join(dims)}] : {' and '.join(['a0 >= 0', *bounds])} }}")


def _text(factor: int, sizes: tuple[str, ...]) -> str:
    words = ([str(factor)] if factor != 1 or not sizes else []) + list(sizes)
    return " * ".join(words)


def _refusal(scop: Scop, statement: ScopStatement, array: str, strides: Sequence[_Stride] = ()) -> Exception:
    """The error for a subscript whose dimensions are not proved; those that its strides speak of are named."""
    extents = ["n", *(_text(*e) for e in _extents(strides))] if len(strides) > 1 else ["n", "m"]
    shape = f"{array}={','.join(e.replace(' ', '') for e in extents)}"
    declared, element = "".join(f"[{e}]" for e in extents), "".join(f"[{c}]" for c in "ijklpqrs"[: len(extents)])
    return refusal(
        scop.path,
        statement.line or scop.lines[0],
        "subscript",
        f"a subscript of `{array}` multiplies loop variables or sizes, and what its dimensions are cannot be proved; "
        f"say what they are by `#pragma polyad shape {shape}` before the function (--shape {shape}), or "
        f"declare it with its extents, `double {array}{declared}`, and write `{array}{element}`; for `(k + 1) % n` "
        "write `k == n - 1 ? 0 : k + 1`",
    )
