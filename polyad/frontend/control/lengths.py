"""Lengths of examples: behind the length of an example a scan leaves its state as it is, and its outputs are zero.

running[t, b] = t < lengths[b];   carry[t + 1, b] = new[t, b] if running[t, b] else carry[t, b]

Conditions select, nothing is multiplied by zero: what stands behind a length, not-a-number too, reaches no value and no
derivative (docs/decisions/0072-steps-that-are-not-taken.md).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.pytrees import flatten, flatten_with_paths, unflatten
from polyad.frontend.scalar import Applied, Element, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.symbols import Axis, fresh
from polyad.frontend.tensor import Tensor, define
from polyad.ir.affine import Affine

__all__ = ["Lengths", "checked_lengths"]

Step = Callable[[Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Lengths:
    """The lengths of the examples of a scan.

    Attributes:
        of: one per example, an integer tensor; reading it checks that the length is one of 0 .. steps.
        steps: of the scan.
        where: the user's `file:line`.
    """

    of: Tensor
    steps: IndexExpr
    where: str

    def counted(self) -> Tensor:
        """The number of each step, which a scan takes among its inputs."""
        return define((self.steps,), lambda t: t, "t", dims="t")

    def fits(self, shape: Sequence[Any], before: int = 0) -> bool:
        """Whether the dimensions of a tensor behind some of time begin with those of the examples."""
        return tuple(shape[before : before + self.of.ndim]) == self.of.shape_affine

    def running(self, t: Scalar, index: Sequence[Scalar]) -> Scalar:
        """The truth value t < lengths[index...]."""
        return Applied("lt", (t, Element(self.of, tuple(index[: self.of.ndim]))))

    def going(self, t: Scalar) -> Tensor:
        """Whether any example has a step t: one truth value a step, which loops test before they do it."""
        extents = self.of.shape_affine
        if not extents or any(e.is_constant and not e.constant for e in extents):
            return define((), lambda: self.running(t, ()) if not extents else Applied("lt", (t, Number(0))), "running")
        axes = tuple(Axis(fresh("b"), Affine.of(0), e, "reduce", self.of.size_symbols()) for e in extents)
        at = tuple(IndexExpr(Affine.of(a.name), {a.name: a, **a.symbols}) for a in axes)
        longest = define((), lambda: Reduced("max", axes, Element(self.of, at)), "longest")
        return define((), lambda: Applied("lt", (t, Element(longest, ()))), "running")

    def each(self, t: Scalar) -> Tensor:
        """Whether an example has a step t: one truth value for each, which loops inside of those over examples test.

        It is false where none has one, and says so: what selects by the one need not ask for the other.
        """
        some = self.going(t)
        if not self.of.ndim:
            return some
        body = lambda *i: Selected(Element(some, ()), self.running(t, i), Number(False))  # noqa: E731
        return define(self.of.shape, body, "has_step")

    def chosen(self, t: Scalar, x: Tensor, other: Tensor | None, hint: str, each: Tensor | None = None) -> Tensor:
        """X at the examples that have a step t, elsewhere another tensor or 0; `each`: whether one has."""

        def body(*i: IndexExpr) -> Scalar:
            zero = Number(False) if x.dtype == "bool" else Number(0)
            rest = zero if other is None else Element(other, i)
            has = self.running(t, i) if each is None else Element(each, tuple(i[: self.of.ndim]))
            return Selected(has, Element(x, i), rest)

        made = define(x.shape, body, hint, None if x.dtype == "bool" else x.dtype)
        return replace(made, strength=x.strength)

    def ahead(self, x: Tensor) -> Tensor:
        """X (T, ...) with zeros behind the length of each example, itself where it has no dimensions of examples."""
        if not self.fits(x.shape_affine, 1):
            return x
        body = lambda t, *i: Selected(self.running(t, i), Element(x, (t, *i)), Number(0))  # noqa: E731
        made = define(x.shape, body, f"{x.name}_ahead", x.dtype, dims=("t", "b"))
        return replace(made, strength=x.strength)

    def stopping(self, step: Step, init: Any) -> Step:
        """The step of a scan that takes (x_t, t) and leaves the states of examples that have no step t.

        Raises:
            ShapeError: a leaf of the carry or of ys does not begin with the dimensions of the examples.
        """
        paths, leaves, _ = flatten_with_paths(init, "carry")
        first = [as_tensor(x, "init") for x in leaves]
        for x, path in zip(first, paths, strict=True):
            self._check(x, path)

        def stopped(carry: Any, x_and_t: tuple[Any, Tensor]) -> Any:
            x_t, counter = x_and_t
            t = Element(counter, ())
            old, structure = flatten(carry)
            seen = [v if "float" in v.dtype else self.chosen(t, v, f, v.name) for v, f in zip(old, first, strict=True)]
            inputs, inputs_tree = flatten(x_t)
            known = [self.chosen(t, x, None, x.name) if self.fits(x.shape_affine) else x for x in inputs]
            result = step(unflatten(structure, seen), unflatten(inputs_tree, known))
            if not isinstance(result, tuple) or len(result) != 2:
                return result  # `scan` says so
            new, found = flatten(result[0])
            if found != structure:
                return result
            new = [as_tensor(n, "carry") for n in new]
            if any(n.shape_affine != o.shape_affine for n, o in zip(new, old, strict=True)):
                return result
            each = self.each(t)
            kept = [self.chosen(t, n, o, o.name, each) for n, o in zip(new, old, strict=True)]
            y_paths, ys, y_tree = flatten_with_paths(result[1], "ys")
            outputs = [as_tensor(y, p) for y, p in zip(ys, y_paths, strict=True)]
            for y, path in zip(outputs, y_paths, strict=True):
                self._check(y, path)
            shown = [self.chosen(t, y, None, y.name, each) for y in outputs]
            return unflatten(structure, kept), unflatten(y_tree, shown)

        return stopped

    def _check(self, x: Tensor, path: str) -> None:
        if not self.fits(x.shape_affine):
            raise ShapeError(
                f"{self.where}: lengths has shape {_text(self.of)}, and {path} has {_text(x)}: the first dimensions "
                "of every leaf of the carry and of ys are those of the examples, as of lengths"
            )


def checked_lengths(lengths: Any, steps: IndexExpr, where: str) -> Lengths:
    """The lengths of the examples of a scan of some steps.

    Raises:
        DTypeError: they are no integers.
    """
    given = as_tensor(lengths, "lengths")
    if not given.dtype.startswith("int"):
        raise DTypeError(
            f"{where}: lengths is of type {given.dtype}; it holds a number of steps for each example: int32 or int64"
        )
    # An element for each length that is possible: reading one is how indices by data are checked.
    possible = define((steps + 1,), lambda n: n, "length", dims="n")
    return Lengths(define(given.shape, lambda *i: Element(possible, (Element(given, i),)), "length"), steps, where)


def _text(x: Tensor) -> str:
    return f"({', '.join(map(str, x.shape_affine))})"
