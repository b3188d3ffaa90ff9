"""Programs of public tutorials run after their imports are renamed, with at most three further changed lines each.

Values and gradients are those that JAX gives (with_jax.py writes them): to rounding, random numbers among them.
"""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest

import polyad as pa
from tests.tutorials.renaming import MOST_CHANGES, as_jax, changes
from tests.tutorials.with_jax import EXPECTED

PROGRAMS = sorted(path.stem for path in (Path(__file__).parent / "programs").glob("[!_]*.py"))
NUMBERS = json.loads(EXPECTED.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.slow
def test_numbers_are_those_of_jax(name):
    module = importlib.import_module(f"tests.tutorials.programs.{name}")
    leaves = pa.tree.leaves(module.results())
    assert len(leaves) == len(NUMBERS[name])
    for found, expected in zip(leaves, NUMBERS[name], strict=True):
        wanted = np.asarray(expected)
        assert found.shape == wanted.shape
        np.testing.assert_allclose(found, wanted, rtol=1e-8, atol=1e-9 * max(1.0, np.abs(wanted).max()))


def test_few_lines_differ():
    texts = {name: (Path(__file__).parent / "programs" / f"{name}.py").read_text(encoding="utf-8") for name in PROGRAMS}
    assert len(texts) == 10
    for name, text in texts.items():
        assert changes(text) <= MOST_CHANGES, name
        compile(as_jax(text), name, "exec")
