"""The examples run as their pages say: each one in a process of its own, in an empty folder, with `--quick`."""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.pet.extracted import NEEDS_PET

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "rnn_examples"
PAGES = ROOT / "docs" / "examples"
PNG = b"\x89PNG"

# What they import that polyad itself does not need; looked for only, as importing it takes seconds in every worker.
if missing := [name for name in ("sklearn", "statsmodels", "matplotlib", "tqdm") if find_spec(name) is None]:
    pytest.skip(f"not installed: {', '.join(missing)}", allow_module_level=True)


def run(folder: Path, *command: str) -> str:
    """The standard output of a command in `folder`; fails with everything it printed when it does."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "MPLBACKEND": "Agg"}
    for check in ("POLYAD_VERIFY", "POLYAD_CERTIFY"):  # as users run them
        environment.pop(check, None)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def number_after(label: str, text: str) -> float:
    """The number that follows a label: 97.5 in `test accuracy   97.50 %`."""
    found = re.search(rf"{re.escape(label)}\s+([-+.\de]+)", text)
    assert found, f"no {label!r} in\n{text}"
    return float(found[1])


def without_numbers(text: str) -> list[str]:
    """The words of each line: what is the same for every training, on every machine."""
    return [" ".join(re.sub(r"[\d.]+", " ", line).split()) for line in text.strip().splitlines()]


def shown_on(page: str) -> str:
    """The output that a page of the docs shows."""
    return re.findall(r"^```text\n(.*?)^```$", (PAGES / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[-1]


@pytest.mark.slow
def test_lstm_digits(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "lstm_digits.py"), "--quick", "--save", "weights.npz")
    assert number_after("test accuracy", said) > 85
    assert number_after("train accuracy", said) > 85
    assert (tmp_path / "lstm_digits.png").read_bytes().startswith(PNG)
    assert (tmp_path / "weights.npz").exists()
    assert without_numbers(said) == without_numbers(shown_on("lstm_digits.md"))


@pytest.mark.slow
def test_lstm_digits_in_full(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "lstm_digits.py"))
    assert number_after("test accuracy", said) >= 95
    assert number_after("training", said) + number_after("compiling", said) < 60


@pytest.mark.slow
def test_gru_sunspots(tmp_path: Path) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "gru_sunspots.py"), "--quick")
    naive = min(number_after("last year", said), number_after("11 years ago", said))
    assert number_after("GRU", said) < 0.75 * naive
    assert (tmp_path / "gru_sunspots.png").read_bytes().startswith(PNG)
    assert without_numbers(said) == without_numbers(shown_on("gru_sunspots.md"))


def test_rnn_tensor_level(tmp_path: Path, update_golden: bool) -> None:
    said = run(tmp_path, sys.executable, str(EXAMPLES / "rnn_tensor_level.py"), "--quick")
    losses = [number_after(f"loss by {way}", said) for way in ("equations", "scan", "NumPy")]
    assert losses == pytest.approx([losses[0]] * 3, rel=1e-9)
    assert number_after("by equations and by scan", said) < 1e-9

    # Equations and schedule are the same everywhere; the last line holds a rounding error.
    shown = PAGES / "rnn_tensor_level.txt"
    if update_golden:
        shown.write_text(said, encoding="utf-8")
    assert said.splitlines()[:-1] == shown.read_text(encoding="utf-8").splitlines()[:-1]


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")
def test_export_lstm(tmp_path: Path) -> None:
    # A copy, so that the test neither finds nor leaves a build folder in the repository.
    shutil.copytree(EXAMPLES, tmp_path / "rnn_examples", ignore=shutil.ignore_patterns("build", "__pycache__"))
    folder = tmp_path / "rnn_examples" / "export_lstm"
    run(folder, "make", f"PYTHON={sys.executable}", "TRAIN=--quick")

    # The program stands alone: it runs where there is neither Python nor the library.
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(folder / "build" / "digits", alone)
    said = run(alone, "./digits")
    assert number_after("accuracy:", said) > 85
    same, images = map(int, re.findall(r"same answer as in Python: (\d+) of (\d+)", said)[0])
    assert images == 360
    assert same >= images - 1  # other instructions round otherwise: an image may stand on the border of two classes
    # The two drawings are of the same images, whatever they are taken for.
    shown = shown_on("export_lstm.md")
    assert [line.rstrip() for line in said.splitlines()[:8]] == shown.splitlines()[:8]
    assert without_numbers(said)[-2:] == without_numbers(shown)[-2:]


@pytest.mark.slow
@NEEDS_PET
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler called cc")
def test_lstm_from_c(tmp_path: Path) -> None:
    folder = tmp_path / "lstm_from_c"
    shutil.copytree(EXAMPLES / "lstm_from_c", folder, ignore=shutil.ignore_patterns("build"))
    run(folder, "make", f"PYTHON={sys.executable}")
    said = run(tmp_path, str(folder / "build" / "train"))
    assert number_after("central differences:", said) < 1e-8
    losses = [float(loss) for loss in re.findall(r"^step +\d+: loss (\S+)$", said, re.MULTILINE)]
    assert losses[-1] < losses[0] / 10
    assert number_after("loss on new sequences:", said.replace(",", " ")) < 0.02
    assert without_numbers(said.replace("e-", "")) == without_numbers(shown_on("lstm_from_c.md").replace("e-", ""))


def test_pictures_are_small() -> None:
    pictures = sorted(PAGES.glob("*.png"))
    assert pictures
    for path in pictures:
        assert path.stat().st_size < 120_000, path.name
