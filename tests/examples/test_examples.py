"""The examples run as their pages say: each one in a process of its own, in an empty folder, with `--quick`."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "rnn_examples"
PNG = b"\x89PNG"

# What they import that polyad itself does not need.
pytest.importorskip("sklearn")
pytest.importorskip("statsmodels")
pytest.importorskip("matplotlib")
pytest.importorskip("tqdm")


def run(folder: Path, *command: str) -> str:
    """The standard output of a command in `folder`; fails with everything it printed when it does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    environment.pop("POLYAD_VERIFY", None)  # as users run them
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def number_after(label: str, text: str) -> float:
    """The number that follows a label: 97.5 in `test accuracy   97.50 %`."""
    found = re.search(rf"{re.escape(label)}\s+([-+.\de]+)", text)
    assert found, f"no {label!r} in\n{text}"
    return float(found[1])


def test_lstm_digits(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "lstm_digits.py"), "--quick", "--save", "weights.npz")
    assert number_after("test accuracy", said) > 85
    assert number_after("train accuracy", said) > 85
    assert (tmp_path / "lstm_digits.png").read_bytes().startswith(PNG)
    assert (tmp_path / "weights.npz").exists()


@pytest.mark.slow
def test_lstm_digits_in_full(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "lstm_digits.py"))
    assert number_after("test accuracy", said) >= 95
    assert number_after("training", said) + number_after("compiling", said) < 60


def test_gru_sunspots(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "gru_sunspots.py"), "--quick")
    naive = min(number_after("last year", said), number_after("11 years ago", said))
    assert number_after("GRU", said) < 0.75 * naive
    assert (tmp_path / "gru_sunspots.png").read_bytes().startswith(PNG)


def test_rnn_tensor_level(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "rnn_tensor_level.py"), "--quick")
    losses = [number_after(f"loss by {way}", said) for way in ("equations", "scan", "NumPy")]
    assert losses == pytest.approx([losses[0]] * 3, rel=1e-9)
    assert number_after("by equations and by scan", said) < 1e-9


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")
def test_export_lstm(tmp_path: Path) -> None:
    # A copy, so that the test neither finds nor leaves a build folder in the repository.
    shutil.copytree(EXAMPLES, tmp_path / "rnn_examples", ignore=shutil.ignore_patterns("build", "__pycache__"))
    folder = tmp_path / "rnn_examples" / "export_lstm"
    said = run(folder, "make", f"PYTHON={sys.executable}", "TRAIN=--quick")
    assert number_after("accuracy:", said) > 85
    same, images = map(int, re.findall(r"same answer as in Python: (\d+) of (\d+)", said)[0])
    assert images == 360
    assert same >= images - 1  # other instructions round otherwise: one image may stand on the border of two classes

    # The program stands alone: it runs where there is neither the library nor Python.
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(folder / "build" / "digits", alone)
    assert run(alone, "./digits") == said[-len(run(alone, "./digits")) :]
