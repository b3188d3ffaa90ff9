"""Programs that `python -m benchmarks compile --peer jax` compares; first calls are timed by the benchmark."""

import importlib
import importlib.util
from typing import Any

import numpy as np
import pytest

import polyad as pa
from benchmarks import __main__ as command
from benchmarks import first_calls
from benchmarks.first_call_programs import PROGRAMS
from benchmarks.shared_words import WORDS

QUICK = ("biquad", "GARCH", "word2vec", "attention")


def numbers(tree: Any) -> list[Any]:
    """The arrays of a result, in order."""
    return [n for part in tree for n in numbers(part)] if isinstance(tree, list | tuple) else [np.asarray(tree)]


def test_there_are_twenty_programs_and_each_is_called_with_arrays() -> None:
    assert len(PROGRAMS) == 20
    for program in PROGRAMS.values():
        assert program.variables <= len(program.arrays)
        assert all(isinstance(a, np.ndarray | np.generic) for a in program.arrays)


@pytest.mark.skipif(importlib.util.find_spec("jax") is None, reason="jax is not installed")
@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in PROGRAMS])
def test_both_libraries_compute_the_same(name: str) -> None:
    jax = importlib.import_module("jax")
    double = jax.config.jax_enable_x64  # other tests of this process may have asked for it
    jax.config.update("jax_enable_x64", False)
    try:
        compare(name)
    finally:
        jax.config.update("jax_enable_x64", double)


def compare(name: str) -> None:
    program = PROGRAMS[name]
    results = []
    for library in ("polyad", "jax"):
        words = WORDS[library]()
        result = words.call(lambda *a, w=words: program.function(w, *a), program.variables, program.arrays)
        results.append(numbers(result))
    ours, theirs = results
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-5 * max(1.0, float(np.abs(other).max())))


@pytest.mark.slow
def test_imports_and_first_calls_are_told_apart() -> None:
    imported, called = first_calls.first_call("polyad", "biquad")
    assert imported[0] > 0 and imported[1] == 0, "nothing is compiled by an import"
    assert called[0] > 0 and called[1] > 0, "the C compiler is counted"


def test_a_program_that_is_none_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["benchmarks", "compile", "--peer", "jax", "nothing"])
    with pytest.raises(SystemExit):
        command.main()
    assert "no program 'nothing'" in capsys.readouterr().err


def test_the_words_are_those_of_polyad() -> None:
    assert WORDS["polyad"]().scan is pa.scan
