"""Contractions with every s-th element of an operand, one class of residues of the result at a time.

The gradient of a convolution with stride 2 with respect to the image,

    x_bar[a] += w[a - 2 * i + 1] * r[i]     where the index of w is inside of w

adds up every second element of w for each element of x_bar. For even and for odd a alone it is a convolution with
stride 1: with a = 2 * u + p and i = u + e,

    x_bar[2 * u]     += w[1 - 2 * e] * r[u + e]
    x_bar[2 * u + 1] += w[2 - 2 * e] * r[u + e]

in which the range of e is that of a filter of half the width, and r is read one element after the other.

What must hold: a and i follow from p, u and e and these from those, so that every instance is in one class; domains are
preimages, which keep all conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import contraction_of, matrix_product_of
from polyad.analysis.plain_axes import plain_axes
from polyad.ir.affine import Affine
from polyad.ir.expr import Const
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine

__all__ = ["split_residues"]


@dataclass(frozen=True, slots=True)
class _Stride:
    """An index of an operand moves by `step` along a dimension of the sum while it moves by 1 along one of the result.

    Attributes:
        result: position of the dimension of the result.
        sum: position of the dimension of the sum.
        step: at least 2.
    """

    result: int
    sum: int
    step: int


def split_residues(program: Program, machine: Machine = MACHINE) -> Program:
    """Split contractions whose domain is no box into classes of residues of dimensions of the result.

    Makes larger: the number of statements; makes smaller: the distances between what they read.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says how many classes there may be.
    """
    found = {s.name: strides for s in program.statements if (strides := _strides(program, s, machine.classes))}
    if not found:
        return program
    steps: dict[str, dict[int, int]] = {}  # array -> axis -> number of classes of the contraction that adds to it
    for s in program.statements:
        if s.name in found:
            assert isinstance(s.write, isl.MultiAff)
            axes = plain_axes(s.write, len(s.dims))
            steps[s.array] = {a: x.step for x in found[s.name] if (a := axes[x.result]) is not None and a >= 0}
    taken = {s.name for s in program.statements}
    statements: list[Statement] = []
    for s in program.statements:
        if s.name in found:
            statements += _classes(s, found[s.name], taken)
        elif s.array in steps and _fills(s):
            statements += _classes(s, _same_axes(s, steps[s.array]), taken)
        else:
            statements.append(s)
    return program.with_statements(statements)


def _strides(program: Program, s: Statement, most: int) -> tuple[_Stride, ...]:
    """The strides that keep a sum of products from being products of matrices over boxes."""
    found = contraction_of(s)
    if found is None:
        return ()
    domain = s.domain.intersect_params(program.context)
    if domain.is_empty() or islx.is_box(domain, range(len(s.dims))):
        return ()
    axes = plain_axes(s.write, len(s.dims))
    result: list[_Stride] = []
    for access in found.accesses[1:]:
        for i in range(access.dim(isl.dim_type.out)):
            stride = _stride(access.get_aff(i), axes)
            if stride is None:
                continue
            if any(stride.result == x.result or stride.sum == x.sum for x in result):
                return ()
            result.append(stride)
    classes = 1
    for x in result:
        classes *= x.step
    if not result or classes > most:
        return ()
    # Of one image, only the classes have rows and columns: the filter has lost the pixels of the result.
    return tuple(result) if matrix_product_of(next(_classes(s, result, {s.name}))) is not None else ()


def _stride(aff: isl.Aff, axes: list[int | None]) -> _Stride | None:
    """The stride of an index a - step * i + c."""
    if aff.dim(isl.dim_type.div):
        return None
    weights = {d: aff.get_coefficient_val(isl.dim_type.in_, d) for d in range(len(axes))}
    used = {d: int(v.to_python()) for d, v in weights.items() if v.is_int() and not v.is_zero()}
    if len(used) != 2:
        return None
    sums = [d for d in used if axes[d] == -1]
    results = [d for d in used if axes[d] is not None and axes[d] != -1]
    if len(sums) != 1 or len(results) != 1 or abs(used[results[0]]) != 1:
        return None
    step = -used[sums[0]] * used[results[0]]
    return _Stride(results[0], sums[0], step) if step >= 2 else None


def _fills(s: Statement) -> bool:
    """Whether a statement fills elements with a constant, one for each value of its dimensions."""
    if s.reduction is not None or not isinstance(s.body, Const) or not isinstance(s.write, isl.MultiAff):
        return False
    return all(a is not None and a >= 0 for a in plain_axes(s.write, len(s.dims)))


def _same_axes(s: Statement, steps: dict[int, int]) -> tuple[_Stride, ...]:
    assert isinstance(s.write, isl.MultiAff)
    axes = plain_axes(s.write, len(s.dims))
    return tuple(_Stride(d, -1, steps[a]) for d, a in enumerate(axes) if a is not None and a in steps)


def _classes(s: Statement, strides: Sequence[_Stride], taken: set[str]) -> Iterator[Statement]:
    """The statement for each class: a = step * u + p, i = u + e, with u and e under the names of a and i."""
    for residues in product(*(range(x.step) for x in strides)):
        values = [Affine.of(d) for d in s.dims]
        for x, p in zip(strides, residues, strict=True):
            u = Affine.of(s.dims[x.result])
            values[x.result] = u * x.step + p
            if x.sum >= 0:
                values[x.sum] = u + values[x.sum]
        name = s.name if not any(residues) else unique_name(s.name, taken)
        taken.add(name)
        space = islx.space(s.params(), name, s.dims)
        where = islx.positions(s.params(), s.dims)
        change = islx.multi_aff(space, s.name, [v.to_aff(space, where) for v in values])  # { S_p[new] -> S[old] }
        domain = s.domain.preimage_multi_aff(change).coalesce().remove_redundancies()
        if not domain.is_empty():
            yield replace(s.change_space(name, s.dims, islx.name_dims(domain, s.dims), change), name=name)
