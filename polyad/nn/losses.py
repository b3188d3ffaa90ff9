"""Losses, and the encodings of labels they use."""

from __future__ import annotations

from typing import Any

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.argument_checks import choice, flag, integer, number
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import exp, log, maximum, rsqrt
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index, described, is_number
from polyad.frontend.scalar_functions import select
from polyad.frontend.tensor import Tensor, define
from polyad.ir.element_types import is_integer
from polyad.nn.activations import softplus
from polyad.nn.softmax import log_softmax, logsumexp
from polyad.numpy.dimensions import TensorLike, axis_number, dtype_name, extents, shape_text
from polyad.numpy.elementwise import where
from polyad.numpy.indexing import take_along_axis
from polyad.numpy.permutation import expand_dims, squeeze
from polyad.numpy.reductions import mean, sum

__all__ = [
    "binary_cross_entropy",
    "cosine_similarity",
    "cross_entropy",
    "huber_loss",
    "kl_div",
    "mae_loss",
    "mse_loss",
    "nll_loss",
    "one_hot",
    "reduced",
    "smooth_l1_loss",
]


def one_hot(labels: TensorLike, num_classes: Any, dtype: Any = None, axis: int = -1) -> Tensor:
    """1 at the label, 0 elsewhere.

    Equation: result[i..., c] = 1 if labels[i...] == c else 0.

    Args:
        labels: integers; one outside of range(num_classes) gives zeros.
        num_classes: how many, an extent.
        dtype: element type; without it the result takes the type of what it meets.
        axis: where the dimension of the classes stands in the result.

    Raises:
        DTypeError: the labels are not integers.
    """
    ids = _labels(labels, "one_hot")
    d = axis_number(axis, ids.ndim + 1, "one_hot")
    shape = extents(ids)

    def body(*index: IndexExpr) -> Scalar:
        here = Applied("eq", (ids.element([*index[:d], *index[d + 1 :]]), index[d]))
        return Selected(here, Number(1.0), Number(0.0))

    wanted = dtype_name(dtype, "one_hot")
    return define([*shape[:d], as_index(num_classes, "num_classes"), *shape[d:]], body, "one_hot", wanted)


def cross_entropy(
    logits: TensorLike,
    labels: TensorLike,
    axis: int = -1,
    reduction: str = "mean",
    *,
    label_smoothing: float = 0.0,
    ignore_index: int | None = None,
    weight: TensorLike | None = None,
) -> Tensor:
    """The cross entropy between softmax(logits) and labels.

    Equation: loss[i] = weight[labels[i]] * (logsumexp(logits[i]) - logits[i, labels[i]]) for integer labels, and
    -sum_c weight[c] * labels[i, c] * log_softmax(logits[i])[c] for probabilities.

    Args:
        logits: (..., C), or with the classes in dimension `axis`.
        labels: integers of the shape of `logits` without the classes, checked against C when the kernel is called; or
            probabilities of the shape of `logits`.
        axis: the dimension of the classes.
        reduction: mean over all labels that are not ignored, each counted by its class's weight, sum, or none. For
            probabilities the mean counts all alike.
        label_smoothing: this share of the probability is spread evenly over all classes.
        ignore_index: an integer label, any, of which the loss is 0.
        weight: of the classes, (C,); 1 where it is not given.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: labels of the shape without classes are not integers.
        DefinitionError: an unknown reduction, a smoothing that is not from 0 to 1, or probabilities and `ignore_index`.
    """
    t, target = as_tensor(logits, "logits"), as_tensor(labels, "labels")
    d = axis_number(axis, t.ndim, "cross_entropy")
    shape = extents(t)
    smooth = number(label_smoothing, "cross_entropy: label_smoothing")
    if not is_number(smooth) or not 0 <= smooth <= 1:
        raise DefinitionError(f"cross_entropy: label_smoothing {described(smooth)} is not a number from 0 to 1")
    if target.shape_affine == t.shape_affine and "float" in target.dtype:
        if ignore_index is not None:
            raise DefinitionError("cross_entropy: ignore_index is a label, and these are probabilities; make them 0")
        if smooth:
            target = target * (1 - smooth) + 1.0 / shape[d] * smooth
        if weight is not None:
            target = target * _along(_class_weights(weight, shape[d], "cross_entropy"), d, t.ndim)
        return reduced(-sum(target * log_softmax(t, d), d), reduction)
    if [e.affine for n, e in enumerate(shape) if n != d] != list(target.shape_affine):
        raise ShapeError(
            f"cross_entropy: labels {shape_text(extents(target))} must have the shape of the logits "
            f"{shape_text(shape)} without dimension {d}, or, as probabilities, with it"
        )
    known = _labels(target, "cross_entropy")
    ignored = None if ignore_index is None else known == integer(ignore_index, "cross_entropy: ignore_index")
    found = known if ignored is None else where(ignored, 0, known)
    picked = squeeze(take_along_axis(t, expand_dims(found, d), d), d)
    whole = logsumexp(t, d)
    if weight is None:
        each = None
        losses = whole - (picked * (1 - smooth) + mean(t, d) * smooth if smooth else picked)
    else:
        weights = _class_weights(weight, shape[d], "cross_entropy")
        each = weights[found]
        losses = each * (whole - picked)
        if smooth:
            every = sum(_along(weights, d, t.ndim) * (expand_dims(whole, d) - t), d) / shape[d]
            losses = losses * (1 - smooth) + every * smooth
    return _counted(losses, each, ignored, reduction)


def nll_loss(
    log_probabilities: TensorLike,
    labels: TensorLike,
    axis: int = -1,
    reduction: str = "mean",
    *,
    ignore_index: int | None = None,
    weight: TensorLike | None = None,
) -> Tensor:
    """The negative log-likelihood of integer labels: loss[i] = -weight[labels[i]] * log_probabilities[i, labels[i]].

    Args:
        log_probabilities: (..., C), or with the classes in dimension `axis`.
        labels: integers of the shape of `log_probabilities` without the classes.
        axis: the dimension of the classes.
        reduction: mean over all labels that are not ignored, each counted by its class's weight, sum, or none.
        ignore_index: an integer label, any, of which the loss is 0.
        weight: of the classes, (C,); 1 where it is not given.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the labels are not integers.
        DefinitionError: an unknown reduction.
    """
    t = as_tensor(log_probabilities, "log_probabilities")
    d = axis_number(axis, t.ndim, "nll_loss")
    known = _labels(labels, "nll_loss")
    ignored = None if ignore_index is None else known == integer(ignore_index, "nll_loss: ignore_index")
    found = known if ignored is None else where(ignored, 0, known)
    losses = -squeeze(take_along_axis(t, expand_dims(found, d), d), d)
    each = None if weight is None else _class_weights(weight, extents(t)[d], "nll_loss")[found]
    return _counted(losses if each is None else each * losses, each, ignored, reduction)


def binary_cross_entropy(
    logits: TensorLike,
    labels: TensorLike,
    reduction: str = "mean",
    *,
    weight: TensorLike | None = None,
    pos_weight: TensorLike | None = None,
) -> Tensor:
    """The cross entropy between sigmoid(logits) and probabilities, max(x, 0) - x * y + log(1 + exp(-|x|)).

    Equation: with weights, loss = weight * (pos_weight * y * softplus(-x) + (1 - y) * softplus(x)).

    Args:
        logits: x.
        labels: y, probabilities; they broadcast with x.
        reduction: mean, which counts all alike, sum, or none.
        weight: of each loss; it broadcasts with them.
        pos_weight: of the label 1 beside the label 0; it broadcasts with the labels, (C,) for C answers of each row.

    Raises:
        ShapeError: the shapes do not broadcast.
        DefinitionError: an unknown reduction.
    """
    x, y = as_tensor(logits, "logits"), as_tensor(labels, "labels")
    if pos_weight is None:
        losses = softplus(x) - x * y
    else:
        losses = (1 - y) * x + (1 + (as_tensor(pos_weight, "pos_weight") - 1) * y) * softplus(-x)
    return reduced(losses if weight is None else losses * as_tensor(weight, "weight"), reduction)


def mse_loss(prediction: TensorLike, target: TensorLike, reduction: str = "mean") -> Tensor:
    """The squared error, (prediction - target)**2.

    Raises:
        ShapeError: the shapes differ (a target that only broadcasts is more often a mistake than meant).
        DefinitionError: an unknown reduction.
    """
    difference = _difference(prediction, target, "mse_loss")
    return reduced(difference * difference, reduction)


def mae_loss(prediction: TensorLike, target: TensorLike, reduction: str = "mean") -> Tensor:
    """The absolute error, |prediction - target|; its derivative is 0 where they agree.

    Raises:
        ShapeError: the shapes differ.
        DefinitionError: an unknown reduction.
    """
    return reduced(abs(_difference(prediction, target, "mae_loss")), reduction)


def huber_loss(prediction: TensorLike, target: TensorLike, delta: float = 1.0, reduction: str = "mean") -> Tensor:
    """The squared error where it is small: d**2 / 2 where |d| < delta, else delta * (|d| - delta / 2).

    Raises:
        ShapeError: the shapes differ.
        DefinitionError: an unknown reduction.

    Source: Huber, Robust Estimation of a Location Parameter, 1964.
    """
    width = number(delta, "huber_loss: delta")
    d = _difference(prediction, target, "huber_loss")
    far = abs(d)
    return reduced(select(far < width, d * d * 0.5, (far - width * 0.5) * width), reduction)


def smooth_l1_loss(prediction: TensorLike, target: TensorLike, beta: float = 1.0, reduction: str = "mean") -> Tensor:
    """`huber_loss` over beta: d**2 / (2 * beta) where |d| < beta, else |d| - beta / 2; `mae_loss` for beta = 0.

    Raises:
        ShapeError: the shapes differ.
        DefinitionError: an unknown reduction.

    Source: Girshick, Fast R-CNN, 2015, eq. 3.
    """
    width = number(beta, "smooth_l1_loss: beta")
    if is_number(width) and width == 0:
        return mae_loss(prediction, target, reduction)
    d = _difference(prediction, target, "smooth_l1_loss")
    far = abs(d)
    return reduced(select(far < width, d * d * 0.5 / width, far - width * 0.5), reduction)


def kl_div(
    log_probabilities: TensorLike, target: TensorLike, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """The terms of the Kullback-Leibler divergence, target * (log(target) - log_probabilities); 0 where target is 0.

    Args:
        log_probabilities: logarithms, as `log_softmax` gives them.
        target: probabilities, of the same shape.
        reduction: mean, sum, none, or batchmean: the sum over the extent of the first dimension, the divergence itself.
        log_target: the target holds logarithms, too.

    Raises:
        ShapeError: the shapes differ.
        DefinitionError: an unknown reduction.
    """
    x, y = as_tensor(log_probabilities, "log_probabilities"), as_tensor(target, "target")
    if x.shape_affine != y.shape_affine:
        raise ShapeError(f"kl_div: {shape_text(extents(x))} and {shape_text(extents(y))} must be one shape")
    if flag(log_target, "kl_div: log_target"):
        terms: Tensor = exp(y) * (y - x)
    else:
        nothing = y == 0
        terms = select(nothing, 0, y * log(select(nothing, 1, y))) - y * x
    if reduction == "batchmean" and x.ndim:
        average: Tensor = sum(terms) / extents(x)[0]
        return average
    return reduced(terms, choice(reduction, ("mean", "sum", "none", "batchmean"), "kl_div: reduction"))


def cosine_similarity(x: TensorLike, y: TensorLike, axis: int = -1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors, sum(x * y) / (max(|x|, eps) * max(|y|, eps)) over `axis`.

    Shapes: x and y broadcast; dimension `axis` of the common shape is gone in the result.

    Raises:
        ShapeError: the shapes do not broadcast, or there is no such dimension.
    """
    a, b = as_tensor(x, "x"), as_tensor(y, "y")
    d = axis_number(axis, max(a.ndim, b.ndim), "cosine_similarity") - max(a.ndim, b.ndim)
    least = number(eps, "cosine_similarity: eps")
    scales = [rsqrt(maximum(sum(v * v, d), least * least)) for v in (a, b)]
    result: Tensor = sum(a * b, d) * scales[0] * scales[1]
    return result


def _difference(prediction: TensorLike, target: TensorLike, what: str) -> Tensor:
    x, y = as_tensor(prediction, "prediction"), as_tensor(target, "target")
    if y.ndim and x.shape_affine != y.shape_affine:
        raise ShapeError(
            f"{what}: prediction {shape_text(extents(x))} and target {shape_text(extents(y))} must have one shape"
        )
    difference: Tensor = x - y
    return difference


def reduced(losses: Tensor, reduction: str) -> Tensor:
    """The mean of losses, their sum, or all of them.

    Raises:
        DefinitionError: an unknown reduction.
    """
    match choice(reduction, ("mean", "sum", "none"), "reduction"):
        case "mean":
            return mean(losses)
        case "sum":
            return sum(losses)
        case _:
            return losses


def _labels(labels: TensorLike, what: str) -> Tensor:
    ids = as_tensor(labels, "labels")
    if not is_integer(ids.dtype):
        raise DTypeError(f"{what}: labels must be integers, {ids.name} is {ids.dtype} (astype converts)")
    return ids


def _class_weights(weight: TensorLike, classes: IndexExpr, what: str) -> Tensor:
    """The weights of classes, (C,).

    Raises:
        ShapeError: they have another shape.
    """
    weights = as_tensor(weight, "weight")
    if weights.ndim != 1 or weights.shape_affine[0] != classes.affine:
        raise ShapeError(
            f"{what}: weight {shape_text(extents(weights))} must have one number for each of {classes} classes"
        )
    return weights


def _along(x: Tensor, axis: int, rank: int) -> Tensor:
    """A vector along one of some dimensions, to broadcast along the others."""
    return expand_dims(x, tuple(n for n in range(rank) if n != axis)) if rank > 1 else x


def _counted(losses: Tensor, each: Tensor | None, ignored: Tensor | None, reduction: str) -> Tensor:
    """Losses of labels, reduced: none of those that are ignored, and the mean by the weight of each label."""
    kept = losses if ignored is None else where(ignored, 0.0, losses)
    if reduction != "mean" or (each is None and ignored is None):
        return reduced(kept, reduction)
    counts = 1.0 if each is None else each
    total = counts if ignored is None else where(ignored, 0.0, counts)
    result: Tensor = sum(kept) / sum(total)
    return result
