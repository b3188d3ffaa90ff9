"""Examples in docstrings print what they show, in the modules whose examples are whole programs."""

import doctest
import importlib
from pathlib import Path

import numpy as np
import pytest

import polyad as pa

PACKAGE = Path(pa.__file__).parent
FILES = [
    *(PACKAGE / "frontend" / "control").glob("*.py"),
    *(PACKAGE / "frontend" / "traced").glob("*.py"),
    PACKAGE / "frontend" / "transforms.py",
    PACKAGE / "numpy" / "dynamic_slices.py",
]
MODULES = [
    ".".join(("polyad", *path.relative_to(PACKAGE).with_suffix("").parts))
    for path in sorted(FILES)
    if ">>>" in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = doctest.testmod(importlib.import_module(name), extraglobs={"pa": pa, "np": np})
    assert found.attempted and not found.failed, capsys.readouterr().out
