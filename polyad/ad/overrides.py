"""Derivatives given by the user in place of those that would be derived (custom_vjp, TVM's `manual=`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

import islpy as isl

from polyad.ad.collect import Contribution
from polyad.ad.directions import Directions, whole_for_directions
from polyad.ad.names import Names
from polyad.ad.seeds import copied
from polyad.errors import DifferentiationError
from polyad.ir.array import Array
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["Grafted", "Override", "cut_arrays", "cut_reads", "graft", "override_sources", "whole_result"]


@dataclass(frozen=True, slots=True, eq=False)
class Override:
    """inp_bar += result, computed from out_bar by `statements`, in place of differentiating how out reads inp.

    In forward mode out_dot += result, computed from inp_dot.

    Attributes:
        out: the array whose statements read `inp`; "" for an override that only cuts.
        inp: the array that is read.
        statements: compute `result` from `head` and from arrays of the program.
        arrays: the arrays of these statements that the program does not have, `head` and `result` among them.
        head: placeholder for the adjoint of `out`, of its shape; forward for the tangent of `inp`.
        result: the array, of the shape of `inp`, that is added to the adjoint of `inp`; forward to the tangent of
            `out`.
        cut: arrays whose definitions are not differentiated at all.
    """

    out: str = ""
    inp: str = ""
    statements: tuple[Statement, ...] = ()
    arrays: Mapping[str, Array] = field(default_factory=dict)
    head: str = ""
    result: str = ""
    cut: frozenset[str] = frozenset()

    @property
    def gives(self) -> bool:
        """Whether it brings a derivative, rather than only cutting."""
        return bool(self.result)


@dataclass(frozen=True, slots=True, eq=False)
class Grafted:
    """The statements of an override with the names they get in the program.

    Attributes:
        statements: the renamed, lifted statements.
        arrays: their arrays, without the head.
        result: the array that is added to the derivative.
    """

    statements: tuple[Statement, ...]
    arrays: tuple[Array, ...]
    result: str


def cut_arrays(overrides: Sequence[Override]) -> frozenset[str]:
    """Arrays whose definitions are not differentiated."""
    return frozenset().union(*(o.cut for o in overrides))


def cut_reads(overrides: Sequence[Override]) -> frozenset[tuple[str, str]]:
    """(out, inp): reads of inp by statements that write out are not differentiated."""
    return frozenset((o.out, o.inp) for o in overrides if o.gives)


def override_sources(
    sources: Mapping[str, Sequence[str]], overrides: Sequence[Override], program: Program, forward: bool = False
) -> dict[str, tuple[str, ...]]:
    """Array -> the arrays its derivative passes to, with the overrides in the place of what they replace.

    Args:
        sources: array -> the arrays that its definitions read.
        overrides: derivatives given by the user.
        program: what is differentiated.
        forward: whether they are of forward mode.

    Raises:
        DifferentiationError: an override speaks of an array that the program does not have, or of wrong shapes.
    """
    for o in overrides:
        _check(o, program, forward)
    cuts, skipped = cut_arrays(overrides), cut_reads(overrides)
    result = {
        out: [x for x in inputs if out not in cuts and (out, x) not in skipped] for out, inputs in sources.items()
    }
    for o in overrides:
        if o.gives:
            result.setdefault(o.out, []).append(o.inp)
    return {out: tuple(dict.fromkeys(inputs)) for out, inputs in result.items()}


def graft(override: Override, head: Array, directions: Directions, params: tuple[str, ...], names: Names) -> Grafted:
    """The statements of an override, reading `head` (the adjoint of out, the tangent of inp), for every direction."""
    own = {
        n: replace(a.with_role("temporary"), name=names.array(n))
        for n, a in override.arrays.items()
        if n != override.head
    }
    lifted = {n: replace(a, shape=(*directions, *a.shape)) for n, a in own.items()} | {override.head: head}
    statements = tuple(
        rename_statement(whole_for_directions(s, lifted, directions, params), names.statement(s.name))
        for s in override.statements
    )
    arrays = tuple(a for n, a in lifted.items() if n != override.head)
    return Grafted(statements, arrays, lifted[override.result].name)


def whole_result(grafted: Grafted, dims: tuple[str, ...], source: str, params: tuple[str, ...]) -> Contribution:
    """All elements of the result that exist, to be added to the derivative with elements `dims`."""
    (result,) = (a for a in grafted.arrays if a.name == grafted.result)
    whole = copied(result, dims, source, params)
    # In the last segment of a checkpointed scan fewer steps exist than the arrays have room for.
    defined = [s.write_relation().range() for s in grafted.statements if s.array == grafted.result]
    return replace(whole, domain=whole.domain.intersect(reduce(isl.Set.union, defined).reset_tuple_id()).coalesce())


def _check(override: Override, program: Program, forward: bool) -> None:
    if not override.gives:
        return
    for role, name in (("out", override.out), ("inp", override.inp)):
        if name not in program.arrays:
            raise DifferentiationError(
                f"the override of d {override.out} / d {override.inp}: program {program.name!r} has no array {name!r} "
                f"(its {role}); it has {', '.join(program.arrays)}"
            )
    from_, to = (override.inp, override.out) if forward else (override.out, override.inp)
    for name, like in ((override.head, from_), (override.result, to)):
        given, expected = override.arrays.get(name), program.arrays[like]
        if given is None or given.shape != expected.shape:
            raise DifferentiationError(
                f"the override of d {override.out} / d {override.inp} gives {given or f'no array {name!r}'}; "
                f"its shape has to be that of {expected}"
            )
    foreign = {s.array for s in override.statements} - set(override.arrays)
    if foreign:
        raise DifferentiationError(
            f"the override of d {override.out} / d {override.inp} writes {min(foreign)!r}, which is not its own; "
            "list it among the arrays of the override"
        )
