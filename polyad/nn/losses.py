"""Losses, and the encodings of labels they use."""

from __future__ import annotations

from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.nn.activations import softplus
from polyad.nn.softmax import log_softmax, logsumexp
from polyad.numpy.dimensions import TensorLike, axis_number, dtype_name, extents, shape_text
from polyad.numpy.indexing import take_along_axis
from polyad.numpy.permutation import expand_dims, squeeze
from polyad.numpy.reductions import mean, sum

__all__ = ["binary_cross_entropy", "cross_entropy", "mae_loss", "mse_loss", "nll_loss", "one_hot"]


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


def cross_entropy(logits: TensorLike, labels: TensorLike, axis: int = -1, reduction: str = "mean") -> Tensor:
    """The cross entropy between softmax(logits) and labels.

    Equation: loss[i] = logsumexp(logits[i]) - logits[i, labels[i]] for integer labels, and
    -sum_c labels[i, c] * log_softmax(logits[i])[c] for probabilities.

    Args:
        logits: (..., C), or with the classes in dimension `axis`.
        labels: integers of the shape of `logits` without the classes, checked against C when the kernel is called; or
            probabilities of the shape of `logits`.
        axis: the dimension of the classes.
        reduction: mean over all labels, sum, or none.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: labels of the shape without classes are not integers.
        DefinitionError: an unknown reduction.
    """
    t, target = as_tensor(logits, "logits"), as_tensor(labels, "labels")
    d = axis_number(axis, t.ndim, "cross_entropy")
    shape = extents(t)
    if target.shape_affine == t.shape_affine and target.dtype.startswith("float"):
        return _reduced(-sum(target * log_softmax(t, d), d), reduction)
    if [e.affine for n, e in enumerate(shape) if n != d] != list(target.shape_affine):
        raise ShapeError(
            f"cross_entropy: labels {shape_text(extents(target))} must have the shape of the logits "
            f"{shape_text(shape)} without dimension {d}, or, as probabilities, with it"
        )
    ids = expand_dims(_labels(target, "cross_entropy"), d)
    picked = squeeze(take_along_axis(t, ids, d), d)
    return _reduced(logsumexp(t, d) - picked, reduction)


def nll_loss(log_probabilities: TensorLike, labels: TensorLike, axis: int = -1, reduction: str = "mean") -> Tensor:
    """The negative log-likelihood of integer labels: loss[i] = -log_probabilities[i, labels[i]].

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the labels are not integers.
        DefinitionError: an unknown reduction.
    """
    t = as_tensor(log_probabilities, "log_probabilities")
    d = axis_number(axis, t.ndim, "nll_loss")
    ids = expand_dims(_labels(labels, "nll_loss"), d)
    return _reduced(-squeeze(take_along_axis(t, ids, d), d), reduction)


def binary_cross_entropy(logits: TensorLike, labels: TensorLike, reduction: str = "mean") -> Tensor:
    """The cross entropy between sigmoid(logits) and probabilities, max(x, 0) - x * y + log(1 + exp(-|x|)).

    Raises:
        ShapeError: the shapes do not broadcast.
        DefinitionError: an unknown reduction.
    """
    x, y = as_tensor(logits, "logits"), as_tensor(labels, "labels")
    return _reduced(softplus(x) - x * y, reduction)


def mse_loss(prediction: TensorLike, target: TensorLike, reduction: str = "mean") -> Tensor:
    """The squared error, (prediction - target)**2.

    Raises:
        ShapeError: the shapes differ (a target that only broadcasts is more often a mistake than meant).
        DefinitionError: an unknown reduction.
    """
    difference = _difference(prediction, target, "mse_loss")
    return _reduced(difference * difference, reduction)


def mae_loss(prediction: TensorLike, target: TensorLike, reduction: str = "mean") -> Tensor:
    """The absolute error, |prediction - target|; its derivative is 0 where they agree.

    Raises:
        ShapeError: the shapes differ.
        DefinitionError: an unknown reduction.
    """
    return _reduced(abs(_difference(prediction, target, "mae_loss")), reduction)


def _difference(prediction: TensorLike, target: TensorLike, what: str) -> Tensor:
    x, y = as_tensor(prediction, "prediction"), as_tensor(target, "target")
    if y.ndim and x.shape_affine != y.shape_affine:
        raise ShapeError(
            f"{what}: prediction {shape_text(extents(x))} and target {shape_text(extents(y))} must have one shape"
        )
    difference: Tensor = x - y
    return difference


def _reduced(losses: Tensor, reduction: str) -> Tensor:
    match choice(reduction, ("mean", "sum", "none"), "reduction"):
        case "mean":
            return mean(losses)
        case "sum":
            return sum(losses)
        case _:
            return losses


def _labels(labels: TensorLike, what: str) -> Tensor:
    ids = as_tensor(labels, "labels")
    if not ids.dtype.startswith("int"):
        raise DTypeError(f"{what}: labels must be integers, {ids.name} is {ids.dtype} (astype converts)")
    return ids
