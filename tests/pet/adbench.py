"""The data of the ADBench suite as arguments of the C functions, and its objectives once more, for PyTorch."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from tests.pet.case import Arguments
from tests.pet.cases_adbench import places

__all__ = ["EXPECTED", "gmm_arguments", "lstm_arguments", "torch_losses"]

FOLDER = Path(__file__).parent / "data"

EXPECTED = {"adbench_lstm": 0.66666518, "adbench_gmm": 8.07380408004975791}
"""Function -> the loss that the suite states, of the LSTM to eight digits."""


def lstm_arguments() -> Arguments:
    L, C, B, *numbers = (float(word) for word in (FOLDER / "lstm_l2_c1024.txt").read_text().split())
    L, C, B = int(L), int(C), int(B)
    W, V, state, text = _cut(numbers, (2 * L, 4 * B), (3, B), (2 * L, B), (C, B))
    return {"L": L, "C": C, "B": B, "W": W, "V": V, "state": state, "text": text, "loss": np.full(1, np.nan)}


def gmm_arguments() -> Arguments:
    D, K, N, *numbers = (float(word) for word in (FOLDER / "gmm_test.txt").read_text().split())
    D, K, N = int(D), int(K), int(N)
    P = D * (D - 1) // 2
    alpha, mu, icf, x, (gamma, m) = _cut(numbers, (K,), (K, D), (K, D + P), (N, D), (2,))
    sizes = {"K": K, "D": D, "N": N, "P": P}
    given = {"gamma": float(gamma), "m": float(m), "constant": _constant(K, D, N, float(gamma), float(m))}
    place = places(np.random.default_rng(), (D, D), sizes).astype(np.int32)
    return {**sizes, **given, "place": place, "alpha": alpha, "mu": mu, "icf": icf, "x": x, "loss": np.full(1, np.nan)}


def _cut(numbers: list[float], *shapes: tuple[int, ...]) -> list[Any]:
    """One array after the other, and nothing left over."""
    assert len(numbers) == sum(math.prod(shape) for shape in shapes)
    ends = np.cumsum([math.prod(shape) for shape in shapes])
    return [part.reshape(shape) for part, shape in zip(np.split(np.array(numbers), ends), shapes, strict=False)]


def _constant(K: int, D: int, N: int, gamma: float, m: float) -> float:
    """Return the constant part of the loss, with n = D + m + 1: it depends on sizes and on the prior alone.

    -N D/2 log(2 pi) - K (n D (log gamma - 1/2 log 2) - loggamma_D(n/2))
    """
    n = D + m + 1
    log_gamma = D * (D - 1) / 4 * math.log(math.pi) + sum(math.lgamma((n + 1 - j) / 2) for j in range(1, D + 1))
    return -N * D / 2 * math.log(2 * math.pi) - K * (n * D * (math.log(gamma) - math.log(2) / 2) - log_gamma)


def torch_losses(torch: Any) -> dict[str, Any]:
    """Function -> its loss from tensors by the names in C, written from the formulas of the suite."""

    def lstm(L: int, C: int, B: int, W: Any, V: Any, state: Any, text: Any) -> Any:
        h, c = ([state[2 * k + n] for k in range(L)] for n in range(2))
        gates, total = W.reshape(L, 2, 4, B), torch.zeros((), dtype=W.dtype)
        for t in range(C - 1):
            x = text[t] * V[0]
            for k in range(L):
                forget, outgate = (torch.sigmoid(x * gates[k, 0, g] + gates[k, 1, g]) for g in (0, 2))
                ingate, change = (h[k] * gates[k, 0, g] + gates[k, 1, g] for g in (1, 3))
                c[k] = c[k] * forget + torch.sigmoid(ingate) * torch.tanh(change)
                h[k] = x = outgate * torch.tanh(c[k])
            y = x * V[1] + V[2]
            total = total + (text[t + 1] * (y - torch.log(2 + torch.exp(y).sum()))).sum()
        return -total / ((C - 1) * B)

    def gmm(
        K: int, D: int, N: int, gamma: float, m: float, constant: float, alpha: Any, mu: Any, icf: Any, x: Any
    ) -> Any:
        terms, prior = [], torch.zeros((), dtype=icf.dtype)
        columns, rows = np.triu_indices(D, 1)
        for k in range(K):
            q, below = icf[k, :D], icf[k, D:]
            Q = torch.diag(torch.exp(q)).index_put((torch.tensor(rows), torch.tensor(columns)), below)
            terms.append(alpha[k] + q.sum() - 0.5 * (((x - mu[k]) @ Q.T) ** 2).sum(dim=1))
            prior = prior + gamma**2 / 2 * ((torch.exp(q) ** 2).sum() + (below**2).sum()) - m * q.sum()
        fit = torch.logsumexp(torch.stack(terms), dim=0).sum() - N * torch.logsumexp(alpha, dim=0)
        return fit + prior + constant

    return {"adbench_lstm": lstm, "adbench_gmm": gmm}
