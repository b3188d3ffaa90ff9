"""Sizes from the shapes of arguments: one equation per dimension, solved once in symbols and checked at every call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import islpy as isl

from polyad.errors import CallError
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["SizeSolver"]

Shapes = Mapping[str, tuple[int, ...]]
_Fast = Callable[[Shapes, Mapping[str, int]], dict[str, int] | None]


class SizeSolver:
    """Finds the parameters from argument shapes: `T` from a dimension T, `H` from a dimension 4*H.

    Args:
        arrays: the arguments; their shapes are quasi-affine in the parameters.
        params: the parameters to find.
        context: [params] -> { : ... }, what the sizes must satisfy.
    """

    def __init__(self, arrays: Sequence[Array], params: Sequence[str], context: isl.Set | None = None):
        self._arrays = tuple(arrays)
        self._params = tuple(params)
        self._conditions = _conditions(context) if context is not None else []
        self._fast: dict[frozenset[str], _Fast] = {}

    def solve(self, shapes: Shapes, known: Mapping[str, int] | None = None) -> dict[str, int]:
        """Parameter -> value.

        Args:
            shapes: argument name -> its shape.
            known: sizes given by name.

        Raises:
            CallError: a shape does not fit, a size cannot be found or violates the context; names the argument, what
                was expected and what came.
        """
        known = known or {}
        key = frozenset(known)
        if key not in self._fast:
            self._fast[key] = self._compile(key)
        try:
            sizes = self._fast[key](shapes, known)
        except (KeyError, ValueError, TypeError):  # a missing argument or another number of dimensions
            sizes = None
        # The compiled function knows only whether all is well; the slow way knows what to say.
        return sizes if sizes is not None else self._explain(shapes, known)

    def _plan(self, known: frozenset[str]) -> list[tuple[str, Array, int]]:
        """(parameter, array, dimension) in an order in which each equation has one unknown."""
        solved = set(known)
        plan: list[tuple[str, Array, int]] = []
        progress = True
        while progress:
            progress = False
            for array in self._arrays:
                for d, extent in enumerate(array.shape):
                    unknown = extent.names() - solved
                    if len(unknown) == 1:
                        (param,) = unknown
                        if any(atom == param for atom, _ in extent.terms) and _is_linear(extent, param):
                            plan.append((param, array, d))
                            solved.add(param)
                            progress = True
        return plan

    def _compile(self, known: frozenset[str]) -> _Fast:
        """Straight Python for these equations: this runs at every call of a kernel."""
        plan = self._plan(known)
        missing = set(self._params) - known - {param for param, _, _ in plan}
        if missing:
            return lambda shapes, given: None
        lines = ["def solve(shapes, known):"]
        lines += [f"    p_{p} = known[{p!r}]" for p in sorted(known)]
        for i, array in enumerate(self._arrays):
            names = "".join(f"a{i}_{d}, " for d in range(len(array.shape)))
            lines.append(f"    ({names}) = shapes[{array.name!r}]")
        position = {array.name: i for i, array in enumerate(self._arrays)}
        tests = []
        used = set()
        for param, array, d in plan:
            coefficient, rest = _split(array.shape[d], param)
            value = f"a{position[array.name]}_{d}"
            if not (coefficient == 1 and rest == Affine.of(0)):
                value = f"({value} - ({_python(rest)})) // {coefficient}"
                tests.append((array, d))
            used.add((array.name, d))
            lines.append(f"    p_{param} = {value}")
        tests += [(array, d) for array in self._arrays for d in range(len(array.shape)) if (array.name, d) not in used]
        checks = [f"a{position[array.name]}_{d} == {_python(array.shape[d])}" for array, d in tests]
        checks += [condition for condition, _ in self._conditions]
        result = "{" + ", ".join(f"{p!r}: p_{p}" for p in self._params) + "}"
        lines.append(f"    return {result} if {' and '.join(checks) or 'True'} else None")
        scope: dict[str, Any] = {}
        exec("\n".join(lines), scope)
        function: _Fast = scope["solve"]
        return function

    def _explain(self, shapes: Shapes, known: Mapping[str, int]) -> dict[str, int]:
        """The same with a reason for each failure."""
        for array in self._arrays:
            if array.name not in shapes:
                raise CallError(f"argument {array.name} is missing; expected {array}", array.name)
            got = tuple(shapes[array.name])
            if len(got) != len(array.shape):
                raise CallError(
                    f"argument {array.name} has {len(got)} dimensions, shape {got}; expected {array}", array.name
                )
        sizes = {p: int(v) for p, v in known.items()}
        source = dict.fromkeys(sizes, "given by name")
        for param, array, d in self._plan(frozenset(known)):
            coefficient, rest = _split(array.shape[d], param)
            extent = shapes[array.name][d]
            value, remainder = divmod(extent - rest.evaluate(sizes), coefficient)
            if remainder:
                raise CallError(
                    f"argument {array.name} has {extent} elements in dimension {d}, which must be {array.shape[d]}: no "
                    f"integer {param} makes it so (its shape is {tuple(shapes[array.name])}, expected {array})",
                    array.name,
                )
            sizes[param] = value
            source[param] = f"from {array.name}"
        for param in self._params:
            if param not in sizes:
                raise CallError(
                    f"size {param} does not follow from the shapes of the arguments: pass it by name, {param}=...",
                    param,
                )
        for array in self._arrays:
            for d, extent_of in enumerate(array.shape):
                expected = extent_of.evaluate(sizes)
                if shapes[array.name][d] != expected:
                    why = ", ".join(f"{p} = {sizes[p]} {source[p]}" for p in sorted(extent_of.names()))
                    raise CallError(
                        f"argument {array.name} has shape {tuple(shapes[array.name])}, but dimension {d} must be "
                        f"{extent_of}{'' if extent_of.is_constant else f' = {expected} ({why})'}; expected {array}",
                        array.name,
                    )
        self._check_context(sizes, source)
        return {p: sizes[p] for p in self._params}

    def _check_context(self, sizes: Mapping[str, int], source: Mapping[str, str]) -> None:
        said = ", ".join(f"{p} = {sizes[p]} ({source[p]})" for p in self._params)
        values = {f"p_{p}": v for p, v in sizes.items()}
        for condition, text in self._conditions:
            if not eval(condition, values):
                raise CallError(f"the sizes {said} do not satisfy {text}, which is assumed of them")


def _is_linear(extent: Affine, param: str) -> bool:
    """Whether the parameter stands outside of divisions only."""
    return not any(not isinstance(atom, str) and param in atom.numerator.names() for atom, _ in extent.terms)


def _split(extent: Affine, param: str) -> tuple[int, Affine]:
    """extent = coefficient * param + rest."""
    coefficient = dict(extent.terms)[param]
    return coefficient, extent - Affine.of(param) * coefficient


def _python(expression: Affine) -> str:
    return expression.render(lambda n: f"p_{n}", lambda num, den: f"(({num}) // {den})")


def _conditions(context: isl.Set) -> list[tuple[str, str]]:
    """The context as (Python text, readable text), one entry per constraint, or one in all when it is a union."""
    pieces = []
    for basic in context.compute_divs().get_basic_sets():
        piece = []
        for constraint in basic.get_constraints():
            left = Affine.from_aff(constraint.get_aff(), ())
            operator = "==" if constraint.is_equality() else ">="
            # T >= 1 reads better than T - 1 >= 0.
            text = f"{left - left.constant} {operator} {-left.constant}"
            piece.append((f"{_python(left)} {operator} 0", text))
        pieces.append(piece)
    if len(pieces) == 1:
        return pieces[0]
    return [
        (
            " or ".join(f"({' and '.join(python for python, _ in piece) or 'True'})" for piece in pieces) or "False",
            str(context),
        )
    ]
