"""Generated C computes what programs mean."""

import numpy as np
import pytest
from hypothesis import given, settings

from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Source
from polyad.ops.program_text import parse_program
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests import programs
from tests.codegen.compiled import Library, generated, source_of
from tests.codegen.samples import CASES, INFERENCE
from tests.machines import THREADS
from tests.programs_gradient import LSTM_GRADIENT
from tests.random_programs import random_inputs, random_program

SAMPLES = {
    "matvec": (programs.MATVEC, {"N": 5, "K": 7}),
    "conv": (programs.CONV, {"N": 6, "K": 3}),
    "cumsum": (programs.CUMSUM, {"N": 9}),
    "lstm": (programs.LSTM, {"T": 4, "B": 3, "I": 5, "H": 2}),
    "lstm_one_step": (programs.LSTM, {"T": 1, "B": 1, "I": 1, "H": 1}),
    "inference": (INFERENCE, {"T": 5, "B": 2, "H": 3}),
    "dtw": (programs.DTW, {"N": 4, "M": 6}),
    "gather": (programs.GATHER, {"V": 6, "D": 3, "L": 8}),
    "gradient": (LSTM_GRADIENT, {"T": 4, "B": 3, "I": 5, "H": 2}),
    **CASES,
}


# Threads also where they do not pay.
OPTIONS = {
    "threads": CodegenOptions(machine=THREADS),
    "one_thread": CodegenOptions(openmp=False),
}


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.quick_cases(2)
def test_samples(name: str, options: str) -> None:
    text, sizes = SAMPLES[name]
    program, source = source_of(text, OPTIONS[options])
    inputs = random_inputs(program, sizes)
    found = Library(source).run(sizes, inputs)
    expected = evaluate(program, inputs, sizes)
    for output in program.outputs:
        single = program.arrays[output].dtype == "float32"
        tolerance = 1e-4 if single else 1e-11
        np.testing.assert_allclose(found[output], np.asarray(expected[output], float), rtol=tolerance, atol=1e-6)


@given(random_program())
@settings(max_examples=15)
@pytest.mark.slow
def test_random_programs(program: object) -> None:
    _check_random(program)


@pytest.mark.slow
@given(random_program(most=6))
@settings(max_examples=200)
def test_many_random_programs(program: object) -> None:
    _check_random(program)


def _check_random(program: object) -> None:
    prepared = initialise(program)  # type: ignore[arg-type]  # hypothesis strategies carry no types here
    library = Library(generated(prepared, OPTIONS["threads"]))
    for sizes in ({"N": 1, "M": 1}, {"N": 4, "M": 3}):
        inputs = random_inputs(prepared, sizes)
        expected = evaluate(prepared, inputs, sizes)
        found = library.run(sizes, inputs)
        for output in prepared.outputs:
            wanted = np.asarray(expected[output], float)
            np.testing.assert_allclose(found[output], wanted, rtol=1e-8, atol=1e-9, err_msg=str(prepared))
        assert library.workspace_bytes(sizes) == library.source.workspace_bytes(sizes, library.threads)


@pytest.mark.parametrize("name", ["lstm", "gather", "dtw"])
def test_the_same_bytes_each_time(name: str) -> None:
    text, _ = SAMPLES[name]
    assert source_of(text)[1] == source_of(text)[1]


def test_source_survives_json() -> None:
    for text, _ in SAMPLES.values():
        source = source_of(text)[1]
        assert Source.from_dict(source.to_dict()) == source


@pytest.mark.slow
def test_many_statements_make_one_function() -> None:
    """200 statements: no recursion limit, no explosion."""
    lines = ["program long: [N] -> { : N >= 1 }", "  input a0: float64[N]"]
    lines += [f"  {'output' if i == 200 else 'temporary'} a{i}: float64[N]" for i in range(1, 201)]
    for i in range(200):
        lines += [f"  S{i}: [N] -> {{ S{i}[i] : 0 <= i < N }}", f"      a{i + 1}[i] = sin(a{i}[N - 1 - i] + a{i}[0])"]
    program = initialise(parse_program("\n".join(lines)))
    source = generated(program)
    x = np.linspace(0, 1, 4)
    expected = x
    for _ in range(200):
        expected = np.sin(expected[::-1] + expected[0])
    np.testing.assert_allclose(Library(source).run({"N": 4}, {"a0": x})["a200"], expected, rtol=1e-12)
    # A chain needs two buffers: what is read and what is written (and room to start on a cache line).
    assert source.workspace_bytes({"N": 4}) == 2 * 64 + 64
