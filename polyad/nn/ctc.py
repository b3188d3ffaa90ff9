"""The loss of sequences without alignment: a scan over time of all alignments at once."""

from __future__ import annotations

import math
from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import choice, flag, integer
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import logaddexp, maximum
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected
from polyad.frontend.scalar_functions import cast, select
from polyad.frontend.scan import scan
from polyad.frontend.tensor import Tensor, define
from polyad.ir.element_types import is_integer
from polyad.nn.losses import reduced
from polyad.numpy.creation import arange
from polyad.numpy.dimensions import TensorLike, extents, one_index, shape_text
from polyad.numpy.elementwise import where
from polyad.numpy.indexing import take_along_axis
from polyad.numpy.reductions import mean

__all__ = ["ctc_loss"]


def ctc_loss(
    log_probabilities: TensorLike,
    targets: TensorLike,
    input_lengths: TensorLike,
    target_lengths: TensorLike,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """The negative logarithm of the probability that a network says the labels, each repeated and with blanks between.

    Let b[t, s] be the probability to have said s labels and then a blank, l[t, s] that to be saying label s, and y the
    labels; all as logarithms.

    Equations:
        b[t, s] = log p[t, blank] + logaddexp(b[t - 1, s], l[t - 1, s - 1])
        l[t, s] = log p[t, y_s] + logaddexp(l[t - 1, s], b[t - 1, s], l[t - 1, s - 1] if y_s differs from y_(s - 1))
        loss = -logaddexp(b[T - 1, S], l[T - 1, S - 1])

    Shapes: log_probabilities (T, N, C), targets (N, S), both lengths (N,); S >= 1.

    Args:
        log_probabilities: as `log_softmax` gives them.
        targets: labels, integers without blanks; what lies behind the length of a target is not read as one.
        input_lengths: how many steps of each sequence count, at least 1.
        target_lengths: how many labels each sequence has.
        blank: the class of blanks.
        reduction: mean (of losses over the lengths of their targets), sum, or none.
        zero_infinity: losses of targets that are too long for their sequence, which are inf, are 0 instead.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: targets or lengths are not integers.
        DefinitionError: an unknown reduction.

    Source: Graves et al., Connectionist Temporal Classification, 2006, eq. 5 to 8.
    """
    p, y = as_tensor(log_probabilities, "log_probabilities"), as_tensor(targets, "targets")
    steps, labels = as_tensor(input_lengths, "input_lengths"), as_tensor(target_lengths, "target_lengths")
    if p.ndim != 3 or y.ndim != 2 or any(v.shape_affine != p.shape_affine[1:2] for v in (steps, labels, y[:, 0])):
        shapes = ", ".join(shape_text(extents(v)) for v in (p, y, steps, labels))
        raise ShapeError(f"ctc_loss: {shapes} do not fit; they must be (T, N, C), (N, S), (N,) and (N,)")
    for v in (y, steps, labels):
        if not is_integer(v.dtype):
            raise DTypeError(f"ctc_loss: {v.name} must be integers, not {v.dtype}")
    nothing, kept = integer(blank, "ctc_loss: blank"), flag(zero_infinity, "ctc_loss: zero_infinity")
    batch, many = extents(y)
    said = where(arange(many)[None, :] < labels[:, None], y, nothing)
    blanks, saying = scan(_step(p, said, nothing), _start(p, batch, many), p)[1]

    def last(n: IndexExpr) -> Scalar:
        time, length = steps.element((n,)) - 1, labels.element((n,))
        spoken = Selected(length > 0, saying.element((time, n, Applied("maximum", (length - 1, Number(0))))), _never())
        return Applied("neg", (Applied("logaddexp", (blanks.element((time, n, length)), spoken)),))

    losses: Any = define([batch], last, "ctc_loss")
    if kept:
        losses = select(losses == math.inf, 0.0, losses)
    if choice(reduction, ("mean", "sum", "none"), "reduction") == "mean":
        return mean(losses / cast(maximum(labels, 1), p.dtype))
    return reduced(losses, reduction)


def _never() -> Scalar:
    return Number(-math.inf)


def _start(p: Tensor, batch: IndexExpr, labels: IndexExpr) -> tuple[Tensor, Tensor]:
    """Before the first step nothing is said."""

    def silent(n: IndexExpr, s: IndexExpr) -> Scalar:
        return Selected(Applied("eq", (s, one_index(0))), Number(0.0), _never())

    return (
        define([batch, labels + 1], silent, "blanks", p.dtype),
        define([batch, labels], lambda *_: _never(), "saying", p.dtype),
    )


def _step(p: Tensor, said: Tensor, nothing: int) -> Any:
    """One step of the scan, for states (b, l)."""
    batch, labels = extents(said)

    def step(state: tuple[Tensor, Tensor], now: Tensor) -> tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]:
        blanks, saying = state

        def before(n: IndexExpr, s: IndexExpr) -> Scalar:
            return Selected(Applied("ge", (s, one_index(1))), saying.element((n, s - 1)), _never())

        def changed(n: IndexExpr, s: IndexExpr) -> Scalar:
            differs = Applied("ne", (said.element((n, s)), said.element((n, s - 1))))
            moved = Selected(differs, saying.element((n, s - 1)), _never())
            return Selected(Applied("ge", (s, one_index(1))), moved, _never())

        b = now[:, nothing][:, None] + logaddexp(blanks, define([batch, labels + 1], before, "before"))
        stays = logaddexp(saying, blanks[:, :-1])
        spoken = take_along_axis(now, said, 1)
        l = spoken + logaddexp(stays, define([batch, labels], changed, "changed"))
        return (b, l), (b, l)

    return step
