"""Elements that data choose: x[p[i]].

Who wrote such an element is not known, so all that may be read have to stand in one array at that time: in an input, or
in one version, of which the element then is a function of the instance and of the subscripts.

    for t: for j: y[j] = ...                  y_1[t, j]
           s += y[p[t]]                       s_1[] += y_1[t, p[t]]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.errors import ExtractionError
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Index, Indirect, Read
from polyad.ops import apply, cast, const
from polyad.pet.dataflow.flow import Origin
from polyad.pet.equations.versions import Version
from polyad.pet.refusal import SourcePlace
from polyad.pet.scop import Access

__all__ = ["gathered", "scattered", "subscripts"]


def subscripts(access: Access, domain: isl.Set, values: Sequence[Expr]) -> Iterator[tuple[isl.Set, list[Expr]]]:
    """The subscripts of an access as expressions, on parts of a domain.

    Args:
        access: with arguments.
        domain: { S[i] }.
        values: of its arguments.
    """
    for where, function in islx.pieces(isl.PwMultiAff.from_multi_pw_aff(access.index)):
        part = where.unwrap().domain().intersect(domain)
        if not part.is_empty():
            yield part, _at(function, domain, values)


def gathered(
    access: Access,
    origin: Origin,
    domain: isl.Set,
    places: Sequence[Expr],
    version_of: Mapping[str, Version],
    given: Array | None,
    params: Sequence[str],
    where: SourcePlace,
) -> list[tuple[isl.Set, Expr]]:
    """The value of x[places] at the instances of a domain.

    Args:
        access: the read.
        origin: who may have written what it may read.
        domain: { S[i] }.
        places: the subscripts.
        version_of: statement -> the version that holds its values.
        given: the array as the function gets it, None for one that is declared inside.
        params: the sizes.
        where: in C, for messages.

    Raises:
        ExtractionError: what may be read does not stand in one array.
    """
    # { [S[i] -> x[c]] -> V[k] }: where the element c stands when S[i] reads it
    versions = _versions(origin, version_of)
    found = [(v.array, _standing(v, origin).intersect_domain_wrapped_domain(domain)) for v in versions]
    outside = origin.outside.intersect_domain(domain)
    if given is not None and not outside.is_empty():
        found.append((given, outside.range_map()))
    choices = [(array, part, function) for array, relation in found for part, function in islx.functions(relation)]
    everything = isl.Map.empty(outside.get_space())
    for _, part, _ in choices:
        everything = everything.union(part.unwrap())
    result: list[tuple[isl.Set, Expr]] = []
    for array, part, function in choices:
        readers = part.unwrap().domain()
        if not everything.intersect_domain(readers).is_subset(part.unwrap()):
            raise where.refusal(
                "subscript",
                f"{access.array} is read at a subscript that depends on data, and its elements were written "
                "by different statements; write all of them in one statement before, or read a copy",
            )
        index = tuple(_at(function, readers, places))
        result.append((readers, Read(array.name, Indirect(index, _may(function, readers, array, params)), array.dtype)))
    return result


def scattered(
    domain: isl.Set, places: Sequence[Expr], outer: int, index: isl.Map, array: Array, params: Sequence[str]
) -> list[tuple[isl.Set, Indirect]]:
    """The element of a version that the instances of a domain update at subscripts that data choose.

    Args:
        domain: { S[i] }.
        places: the subscripts.
        outer: how many of the iterators, the outermost ones, tell the steps apart.
        index: { step[t, c] -> V[k] }.
        array: the version.
        params: the sizes.
    """
    depth = domain.dim(isl.dim_type.set)
    # { [S[i] -> x[c]] -> step[t, c] }
    elements = isl.Set.universe(isl.Space.set_alloc(domain.get_ctx(), 0, len(places)))
    both = isl.Map.from_domain_and_range(domain, elements.set_tuple_name("x").align_params(domain.get_space().params()))
    whole = both.wrap()
    flat = whole.flatten()
    step = flat.identity().project_out(isl.dim_type.out, outer, depth - outer)
    step = step.set_tuple_name(isl.dim_type.out, index.get_tuple_name(isl.dim_type.in_) or "")
    step = whole.flatten_map().apply_range(step)
    result = []
    for part, function in islx.functions(step.apply_range(index)):
        instances = part.unwrap().domain()
        access = Indirect(tuple(_at(function, instances, places)), _may(function, instances, array, params))
        result.append((instances, access))
    return result


def _versions(origin: Origin, version_of: Mapping[str, Version]) -> list[Version]:
    found = {version_of[name].array.name: version_of[name] for name in origin.sources}
    return list(found.values())


def _standing(version: Version, origin: Origin) -> isl.Map:
    """{ [S[i] -> x[c]] -> V[k] }: S[i] may read the element c of x, which is then k of the version."""
    result: isl.Map | None = None
    for writer in version.writers:
        if writer.name in origin.sources:
            index = version.index[writer.name]
            read = origin.sources[writer.name].apply_range(index)
            element = index.reverse().apply_range(writer.write())
            both = read.range_product(read.apply_range(element)).intersect_range(element.wrap())
            one = both.range_reverse().uncurry()
            result = one if result is None else result.union(one)
    assert result is not None
    return result.coalesce()


def _may(function: isl.MultiAff, readers: isl.Set, array: Array, params: Sequence[str]) -> isl.Map:
    """{ S[i] -> V[k] }: subscripts that do not depend on data exactly, the others anywhere."""
    depth = readers.dim(isl.dim_type.set)
    everything = array.domain(params).align_params(readers.get_space().params())
    may = isl.Map.from_domain_and_range(readers, everything)
    for k in range(function.dim(isl.dim_type.out)):
        aff = function.get_aff(k)
        rank = aff.dim(isl.dim_type.in_) - depth
        if not aff.involves_dims(isl.dim_type.in_, depth, rank):
            own = _dropped(aff, depth, readers)
            exact = isl.Map.from_aff(own)
            exact = exact.insert_dims(isl.dim_type.out, 0, k)
            exact = exact.insert_dims(isl.dim_type.out, k + 1, len(array.shape) - k - 1)
            may = may.intersect(exact.set_tuple_name(isl.dim_type.out, array.name))
    return may


def _at(function: isl.MultiAff, domain: isl.Set, values: Sequence[Expr]) -> list[Expr]:
    """An affine function of [S[i] -> [a]], or of [S[i] -> x[a]], at values of a."""
    return [_value(function.get_aff(k), domain, values) for k in range(function.dim(isl.dim_type.out))]


def _value(aff: isl.Aff, domain: isl.Set, values: Sequence[Expr]) -> Expr:
    depth = domain.dim(isl.dim_type.set)
    result: Expr | None = None
    rest = aff
    for k, value in enumerate(values):
        factor = int(aff.get_coefficient_val(isl.dim_type.in_, depth + k).to_python())
        rest = rest.set_coefficient_val(isl.dim_type.in_, depth + k, isl.Val(0))
        if factor:
            term = cast(value, "int64")
            term = term if factor == 1 else apply("mul", const(factor, "int64"), term)
            result = term if result is None else apply("add", result, term)
    own = _dropped(rest, depth, domain)
    if result is None:
        return Index(own)
    return result if own.plain_is_zero() else apply("add", result, Index(own))


def _dropped(aff: isl.Aff, depth: int, domain: isl.Set) -> isl.Aff:
    """The function of [S[i] -> [a]] that does not ask for a, as a function of S[i]."""
    if aff.dim(isl.dim_type.div):
        # Who reads the loop nest knows where.
        sentence = "a subscript divides what depends on data; compute it in a statement of its own before"
        raise ExtractionError(sentence, construct="subscript")
    space = domain.get_space().align_params(aff.get_domain_space().params())
    result = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    names = [space.get_dim_name(isl.dim_type.param, i) for i in range(space.dim(isl.dim_type.param))]
    for i in range(aff.dim(isl.dim_type.param)):
        place = names.index(aff.get_dim_name(isl.dim_type.param, i))
        result = result.set_coefficient_val(isl.dim_type.param, place, aff.get_coefficient_val(isl.dim_type.param, i))
    for i in range(depth):
        result = result.set_coefficient_val(isl.dim_type.in_, i, aff.get_coefficient_val(isl.dim_type.in_, i))
    return result.set_constant_val(aff.get_constant_val())
