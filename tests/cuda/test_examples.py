"""The examples train the same network on a GPU."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "rnn_examples" / "lstm_digits.py"


@pytest.mark.slow
def test_digits_are_learnt_on_both(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    learnt = {}
    for target in ("openmp", "cuda"):
        options = ["--target", target, "--epochs", "1", "--hidden", "8", "--save", f"{target}.npz"]
        monkeypatch.setattr(sys, "argv", [str(SCRIPT), *options])
        runpy.run_path(str(SCRIPT), run_name="__main__")
        learnt[target] = dict(np.load(tmp_path / f"{target}.npz"))
    for name, weights in learnt["openmp"].items():
        np.testing.assert_allclose(learnt["cuda"][name], weights, rtol=1e-4, atol=1e-5)
