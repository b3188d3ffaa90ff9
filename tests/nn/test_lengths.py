"""Recurrent layers of examples of unlike lengths: PyTorch's packed sequences, values and gradients."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn

GATES = {"rnn": 1, "gru": 3, "lstm": 4}
T, B, I, H = 5, 4, 2, 3
LENGTHS = np.array([3, 5, 1, 4])
RNG = np.random.default_rng(0)
X = RNG.normal(size=(T, B, I))


def weights(kind: str, seed: int) -> list[np.ndarray]:
    rng, g = np.random.default_rng(seed), GATES[kind]
    return [rng.normal(size=s) for s in ((g * H, I), (g * H, H), (g * H,), (g * H,))]


def states(kind: str, final: Any) -> list[Any]:
    return list(final) if kind == "lstm" else [final]


def outputs_of(kind: str, x: Any, n: Any, *w: Any) -> list[Any]:
    """[outputs, states of both directions]."""
    outputs, finals = nn.bidirectional(getattr(nn, kind), x, w[:4], w[4:], lengths=n)
    return [outputs, *(s for f in finals for s in states(kind, f))]


@pytest.mark.torch
@pytest.mark.parametrize("kind", GATES)
def test_packed_sequences_of_pytorch(kind: str) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    w = [*weights(kind, 0), *weights(kind, 1)]
    module = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}[kind](I, H, bidirectional=True).double()
    names = [f"{n}_l0{s}" for s in ("", "_reverse") for n in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]
    module.load_state_dict({n: torch.from_numpy(v) for n, v in zip(names, w, strict=True)})
    inputs = torch.from_numpy(X).requires_grad_()
    packed = torch.nn.utils.rnn.pack_padded_sequence(inputs, torch.from_numpy(LENGTHS), enforce_sorted=False)
    packed_out, last = module(packed)
    out, _ = torch.nn.utils.rnn.pad_packed_sequence(packed_out)
    expected = [out, *(s[d] for d in (0, 1) for s in states(kind, last))]
    sum((e**2).sum() for e in expected).backward()

    x = np.where((np.arange(T)[:, None] < LENGTHS)[..., None], X, np.nan)
    found = pa.jit(lambda *a: outputs_of(kind, *a))(x, LENGTHS, *w)
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f, e.detach().numpy(), rtol=1e-12, atol=1e-14)

    def loss(x: Any, n: Any, *w: Any) -> Any:
        return sum((o**2).sum() for o in outputs_of(kind, x, n, *w))

    x_bar, *w_bars = pa.grad(loss, argnums=(0, *range(2, 10)))(x, LENGTHS, *w)
    np.testing.assert_allclose(x_bar, inputs.grad.numpy(), rtol=1e-11, atol=1e-13)
    for name, bar in zip(names, w_bars, strict=True):
        np.testing.assert_allclose(bar, getattr(module, name).grad.numpy(), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("kind", GATES)
def test_one_sequence_and_lengths_that_are_none(kind: str) -> None:
    w = weights(kind, 0)
    f = pa.jit(lambda x, n, *w: getattr(nn, kind)(x, *w, lengths=n)[0])
    shorter = pa.jit(lambda x, *w: getattr(nn, kind)(x, *w)[0])(X[:3, 0], *w)
    np.testing.assert_allclose(f(X[:, 0], np.array(3), *w), np.concatenate([shorter, np.zeros((2, H))]), rtol=1e-13)
    with pytest.raises(pa.CallError, match=r"n\[1\] = 6, .* must lie in 0 \.\. 5"):
        f(X, np.array([5, 6, 0, 0]), *w)
