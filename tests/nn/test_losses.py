"""Softmax and losses against NumPy formulas and PyTorch."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of
from tests.nn.against_torch import against_torch

RNG = np.random.default_rng(0)
LOGITS = RNG.normal(size=(3, 2, 4)) * 3
LABELS = RNG.integers(0, 4, size=(3, 2))


def inputs() -> tuple[pa.Tensor, pa.Tensor]:
    T, B, C = pa.sizes("T B C")
    return pa.placeholder((T, B, C), "x", "float64"), pa.placeholder((T, B), "y", "int32")


def log_softmax(x: np.ndarray, axis: Any = -1) -> np.ndarray:
    shifted = x - x.max(axis, keepdims=True)
    result: np.ndarray = shifted - np.log(np.exp(shifted).sum(axis, keepdims=True))
    return result


@pytest.mark.parametrize("axis", [-1, 0, (1, 2)])
def test_softmax(axis: Any) -> None:
    x, _ = inputs()
    soft, log = values_of([nn.softmax(x, axis), nn.log_softmax(x, axis)], x=LOGITS)
    np.testing.assert_allclose(log, log_softmax(LOGITS, axis), rtol=1e-12)
    np.testing.assert_allclose(soft, np.exp(log_softmax(LOGITS, axis)), rtol=1e-12)
    np.testing.assert_allclose(soft.sum(axis), 1.0)


def test_logsumexp() -> None:
    x, _ = inputs()
    everything, last, kept = values_of(
        [nn.logsumexp(x), nn.logsumexp(x, -1), nn.logsumexp(x, (0, 2), keepdims=True)], x=LOGITS
    )
    np.testing.assert_allclose(everything, np.log(np.exp(LOGITS).sum()))
    np.testing.assert_allclose(last, np.log(np.exp(LOGITS).sum(-1)))
    np.testing.assert_allclose(kept, np.log(np.exp(LOGITS).sum((0, 2), keepdims=True)))


def test_large_logits_do_not_overflow() -> None:
    x = pa.placeholder((2,), "x", "float64")
    large = [1000.0, 0.0]
    soft, log, total = values_of([nn.softmax(x), nn.log_softmax(x), nn.logsumexp(x)], x=large)
    np.testing.assert_allclose(soft, [1.0, 0.0])
    np.testing.assert_allclose(log, [0.0, -1000.0])
    np.testing.assert_allclose(total, 1000.0)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_softmax_derivatives(name: str) -> None:
    x, _ = inputs()
    check_derivatives(getattr(nn, name)(x, -1), [x], x=LOGITS)


def test_cross_entropy() -> None:
    x, y = inputs()
    p = pa.placeholder(x.shape, "p", "float64")
    each = -np.take_along_axis(log_softmax(LOGITS), LABELS[..., None], -1)[..., 0]
    hot = np.eye(4)[LABELS]
    outputs = [
        (nn.cross_entropy(x, y), each.mean()),
        (nn.cross_entropy(x, y, reduction="sum"), each.sum()),
        (nn.cross_entropy(x, y, reduction="none"), each),
        (nn.cross_entropy(x, p, reduction="none"), each),
        (nn.cross_entropy(x, nn.one_hot(y, x.shape[-1])), each.mean()),
        (nn.cross_entropy(x.transpose(0, 2, 1), y, axis=1), each.mean()),
        (nn.nll_loss(nn.log_softmax(x), y), each.mean()),
    ]
    for result, (_, expected) in zip(
        values_of([o for o, _ in outputs], x=LOGITS, y=LABELS, p=hot), outputs, strict=True
    ):
        np.testing.assert_allclose(result, expected, rtol=1e-12)
    check_derivatives(nn.cross_entropy(x, y), [x], x=LOGITS, y=LABELS)
    check_derivatives(nn.cross_entropy(x, p), [x, p], x=LOGITS, p=hot)


def test_cross_entropy_gradient_is_softmax_minus_one_hot() -> None:
    x, y = inputs()
    gradient = pa.differentiate(nn.cross_entropy(x, y, reduction="sum"), [x])[x]
    expected = np.exp(log_softmax(LOGITS)) - np.eye(4)[LABELS]
    np.testing.assert_allclose(values_of(gradient, x=LOGITS, y=LABELS), expected, atol=1e-14)


def test_one_hot() -> None:
    _, y = inputs()
    last, first = values_of([nn.one_hot(y, 4), nn.one_hot(y, 4, dtype="int32", axis=0)], y=LABELS)
    np.testing.assert_array_equal(last, np.eye(4)[LABELS])
    np.testing.assert_array_equal(first, np.moveaxis(np.eye(4)[LABELS], -1, 0))


def test_regression_losses() -> None:
    N = pa.sizes("N")
    x, y = (pa.placeholder((N, 2), n, "float64") for n in "xy")
    a, b = RNG.normal(size=(3, 2)), RNG.uniform(size=(3, 2))
    stable = np.logaddexp(a, 0) - a * b
    losses = [nn.mse_loss(x, y), nn.mae_loss(x, y, "sum"), nn.mse_loss(x, 0.0, "none"), nn.binary_cross_entropy(x, y)]
    expected = [((a - b) ** 2).mean(), np.abs(a - b).sum(), a**2, stable.mean()]
    for loss, result, e in zip(losses, values_of(losses, x=a, y=b), expected, strict=True):
        np.testing.assert_allclose(result, e)
        check_derivatives(loss, [x], x=a, y=b)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x, y: nn.cross_entropy(x, y[0]), pa.ShapeError, "without dimension 2"),
        (lambda x, y: nn.cross_entropy(x, x[..., 0]), pa.DTypeError, "labels must be integers"),
        (lambda x, y: nn.cross_entropy(x, y, reduction="max"), pa.DefinitionError, "mean, sum, none"),
        (lambda x, y: nn.one_hot(x, 3), pa.DTypeError, "labels must be integers"),
        (lambda x, y: nn.mse_loss(x, x[0]), pa.ShapeError, "one shape"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(*inputs())


def test_label_out_of_range_is_named() -> None:
    x, y = inputs()
    with pytest.raises(pa.CallError, match="7"):
        values_of(nn.cross_entropy(x, y), x=LOGITS, y=np.full((3, 2), 7))


P, Q = RNG.normal(size=(3, 5)), RNG.normal(size=(3, 5))
Q[0, :2] = P[0, :2] + [1.0, -0.5]  # where the two branches meet
SHARES = np.exp(log_softmax(Q))
IDS, SOME = np.array([4, 0, 2]), np.array([4, -100, 2])


@pytest.mark.torch
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_losses_of_two_arrays_against_pytorch(reduction: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional, r = torch.nn.functional, {"reduction": reduction}
    for delta in (0.5, 1.0):
        against_torch(
            lambda x, y, d=delta: nn.huber_loss(x, y, d, **r),
            lambda x, y, d=delta: functional.huber_loss(x, y, delta=d, **r),
            P,
            Q,
        )
        against_torch(
            lambda x, y, b=delta: nn.smooth_l1_loss(x, y, b, **r),
            lambda x, y, b=delta: functional.smooth_l1_loss(x, y, beta=b, **r),
            P,
            Q,
        )
    against_torch(
        lambda x, y: nn.smooth_l1_loss(x, y, 0.0, **r), lambda x, y: functional.l1_loss(x, y, **r), P[:, :1], Q[:, :1]
    )
    against_torch(lambda x, y: nn.kl_div(x, y, **r), lambda x, y: functional.kl_div(x, y, **r), P, SHARES)
    against_torch(
        lambda x, y: nn.kl_div(x, y, log_target=True, **r),
        lambda x, y: functional.kl_div(x, y, log_target=True, **r),
        P,
        Q,
    )


@pytest.mark.torch
def test_divergence_and_cosine_against_pytorch() -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    against_torch(
        lambda x, y: nn.kl_div(x, y, "batchmean"),
        lambda x, y: functional.kl_div(x, y, reduction="batchmean"),
        P,
        SHARES,
    )
    zeros = np.where(SHARES < 0.2, 0.0, SHARES)
    against_torch(lambda x: nn.kl_div(x, zeros), lambda x: functional.kl_div(x, torch.from_numpy(zeros)), P)
    for axis in (-1, 0):
        against_torch(
            lambda x, y, d=axis: nn.cosine_similarity(x, y, d),
            lambda x, y, d=axis: functional.cosine_similarity(x, y, dim=d),
            P,
            Q,
        )
    against_torch(
        lambda x, y: nn.cosine_similarity(x, y, -1), lambda x, y: functional.cosine_similarity(x, y, dim=-1), P, Q[0]
    )


@pytest.mark.torch
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_cross_entropy_with_smoothing_and_ignored_labels(reduction: str, smoothing: float) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    ours: dict[str, Any] = {"reduction": reduction, "label_smoothing": smoothing}
    entropy = torch.nn.functional.cross_entropy
    against_torch(lambda x, y: nn.cross_entropy(x, y, **ours), lambda x, y: entropy(x, y, **ours), P, IDS)
    against_torch(
        lambda x, y: nn.cross_entropy(x, y, ignore_index=-100, **ours), lambda x, y: entropy(x, y, **ours), P, SOME
    )
    against_torch(
        lambda x, y: nn.cross_entropy(x, y, 1, ignore_index=1, **ours),
        lambda x, y: entropy(x, y, ignore_index=1, **ours),
        LOGITS,
        RNG.integers(0, 2, size=(3, 4)),
    )
    against_torch(lambda x, y: nn.cross_entropy(x, y, **ours), lambda x, y: entropy(x, y, **ours), P, SHARES)


WEIGHTS = RNG.uniform(0.2, 2.0, size=P.shape[-1])


@pytest.mark.torch
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_weights_of_classes(reduction: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    for smoothing in (0.0, 0.3):
        ours: dict[str, Any] = {"reduction": reduction, "label_smoothing": smoothing}
        for labels in (IDS, SHARES):
            against_torch(
                lambda x, y, ours=ours: nn.cross_entropy(x, y, weight=WEIGHTS, **ours),
                lambda x, y, ours=ours: functional.cross_entropy(x, y, weight=torch.tensor(WEIGHTS), **ours),
                P,
                labels,
            )
        against_torch(
            lambda x, y, ours=ours: nn.cross_entropy(x, y, weight=WEIGHTS, ignore_index=-100, **ours),
            lambda x, y, ours=ours: functional.cross_entropy(x, y, weight=torch.tensor(WEIGHTS), **ours),
            P,
            SOME,
        )
    for labels, ignored in ((IDS, {}), (SOME, {"ignore_index": -100})):
        against_torch(
            lambda x, y, i=ignored: nn.nll_loss(x, y, reduction=reduction, weight=WEIGHTS, **i),
            lambda x, y: functional.nll_loss(x, y, reduction=reduction, weight=torch.tensor(WEIGHTS)),
            P,
            labels,
        )


@pytest.mark.torch
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_weights_of_answers(reduction: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    logits = torch.nn.functional.binary_cross_entropy_with_logits
    rows = RNG.uniform(0.2, 2.0, size=(P.shape[0], 1))
    for ours in ({"weight": rows}, {"pos_weight": WEIGHTS}, {"weight": rows, "pos_weight": WEIGHTS}):
        theirs = {name: torch.tensor(value) for name, value in ours.items()}
        against_torch(
            lambda x, y, ours=ours: nn.binary_cross_entropy(x, y, reduction, **ours),
            lambda x, y, theirs=theirs: logits(x, y, reduction=reduction, **theirs),
            P,
            SHARES,
        )


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x, y: nn.cross_entropy(x, y, weight=np.ones(9)), pa.ShapeError, r"weight \(9,\) must have one number"),
        (lambda x, y: nn.nll_loss(x, y, weight=x), pa.ShapeError, "one number for each of"),
        (lambda x, y: nn.cross_entropy(x, y, label_smoothing=2), pa.DefinitionError, "not a number from 0 to 1"),
        (lambda x, y: nn.cross_entropy(x, x, ignore_index=0), pa.DefinitionError, "ignore_index is a label"),
        (lambda x, y: nn.kl_div(x, x[0]), pa.ShapeError, "must be one shape"),
        (lambda x, y: nn.kl_div(x, x, "all"), pa.DefinitionError, "batchmean"),
    ],
)
def test_what_new_losses_refuse(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(*inputs())


TARGETS = np.array([[1, 2, 2, 1], [3, 3, 0, 0], [2, 9, 9, 9]])
LENGTHS = np.array([7, 5, 3]), np.array([4, 2, 1])


@pytest.mark.torch
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_ctc_against_pytorch(reduction: str) -> None:
    """Of logits, as PyTorch's gradient by log-probabilities is the one behind a softmax."""
    import torch  # here, as importing it takes a second in every process of tests

    functional = torch.nn.functional
    padded = np.where(TARGETS == 9, 0, TARGETS)

    def theirs(x: torch.Tensor, blank: int, targets: np.ndarray, steps: np.ndarray, **options: Any) -> torch.Tensor:
        lengths = torch.from_numpy(steps), torch.from_numpy(LENGTHS[1])
        return functional.ctc_loss(
            x.log_softmax(-1), torch.from_numpy(targets), *lengths, blank=blank, reduction=reduction, **options
        )

    x = RNG.normal(size=(7, 3, 5)) * 2
    for blank, targets in ((0, TARGETS), (4, TARGETS)):
        against_torch(
            lambda x, b=blank, y=targets: nn.ctc_loss(nn.log_softmax(x), y, *LENGTHS, b, reduction),
            lambda x, b=blank: theirs(x, b, padded, LENGTHS[0]),
            x,
        )
    short = np.array([7, 2, 3])  # "33" needs three steps
    against_torch(
        lambda x: nn.ctc_loss(nn.log_softmax(x), TARGETS, short, LENGTHS[1], 0, reduction, True),
        lambda x: theirs(x, 0, padded, short, zero_infinity=True),
        x,
    )


def test_what_ctc_refuses() -> None:
    x = np.zeros((7, 3, 5))
    with pytest.raises(pa.ShapeError, match=r"must be \(T, N, C\)"):
        nn.ctc_loss(x[:, :2], TARGETS, *LENGTHS)
    with pytest.raises(pa.DTypeError, match="must be integers"):
        nn.ctc_loss(x, TARGETS * 1.0, *LENGTHS)
