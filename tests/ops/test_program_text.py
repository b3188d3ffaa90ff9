"""A program's text reads back, whatever its arrays, sizes and dimensions are called."""

import keyword
from dataclasses import replace

import islpy as isl
import pytest
from hypothesis import given, settings

import polyad as pa
from polyad.errors import DefinitionError
from polyad.frontend.compiled import program_of
from polyad.frontend.tensor import elementwise
from polyad.ir.array import SEGMENTS, Segment
from polyad.ir.json_text import from_json, to_json
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.ops.registry import OPS
from tests.campaign import trial
from tests.campaign.classes import CLASSES
from tests.random_programs import random_program

N = pa.sizes("N")
x, y, n0 = pa.placeholder((N,), "x"), pa.placeholder((N,), "y"), pa.placeholder((), "not0")
WORDS = ("and", "lambda", "max", "MOD", "nan", "exists")


def reads_back(program: Program) -> None:
    """isl may print a set that it has read in other words: sets are compared as sets, all else as text."""
    again = parse_program(str(program))
    for words in (str, lambda p: (p.inputs, p.outputs, p.params, p.scans), lambda p: [s.dims for s in p.statements]):
        assert words(without_sets(again)) == words(without_sets(program))
    assert again.context.is_equal(program.context)
    assert all(a.domain.is_equal(b.domain) for a, b in zip(again.statements, program.statements, strict=True))


def without_sets(program: Program) -> Program:
    """All points take the place of the context and the domains; places in the user's files are no part of the text."""
    statements = (replace(s, domain=isl.Set.universe(s.domain.get_space()), where="") for s in program.statements)
    everywhere = isl.Set.universe(program.context.get_space())
    scans = (replace(s, where="") for s in program.scans)
    return replace(program, context=everywhere, statements=tuple(statements), scans=tuple(scans))


@settings(max_examples=50)
@given(random_program())
def test_random_programs(program: Program) -> None:
    reads_back(program)


@pytest.mark.parametrize("name", [f"{label}/20/1" for label in CLASSES])
def test_programs_of_the_campaign(name: str) -> None:
    program = CLASSES[name.split("/")[0]](name)
    reads_back(trial.trace(program, program.extents).equations)


@pytest.mark.parametrize("op", [op for op in OPS if op != "cast"])
def test_arrays_that_are_called_after_an_operator(op: str) -> None:
    reads_back(program_of([elementwise(op, *[x > 0, y > 0, x > 1][: OPS[op].arity]).sum()], None, "p")[0])


def test_inputs_and_outputs_keep_their_order() -> None:
    a = pa.exp(x)
    program, _ = program_of([a + y, a], [y, x], "p")
    assert program.inputs == ("y", "x") and program.outputs == ("add", "exp")
    reads_back(program)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.quick_cases(2)
def test_words_of_python_and_isl_as_names(word: str) -> None:
    """Of a size, an axis, an input, a function, a state and an output: refused as what they are, or read back."""

    def spelled(i: object) -> object:
        return x[i] * 2

    def size() -> object:
        T = pa.sizes(word)
        return pa.compute((T,), lambda i: pa.select(i < T - 1, i, 0))

    def axis() -> object:
        k = pa.reduce_axis(N, word)
        return pa.compute((2,), lambda i: pa.sum(pa.select(k < N - 1, x[k], 0), axis=k))

    def index() -> object:
        word_ = "i" if keyword.iskeyword(word) else word
        return pa.compute((N,), eval(f"lambda {word_}: pa.select({word_} < N - 1, x[{word_}], 0)", {**globals()}))

    def state() -> object:
        return pa.scan(lambda h, v: ({word: h[word] + v}, h[word]), {word: n0}, x)[1]

    spelled.__name__ = f"{word}_"
    definitions = {
        "size": size,
        "axis": axis,
        "placeholder": lambda: pa.exp(pa.placeholder((N,), word)),
        "compute": lambda: pa.compute((N,), spelled, word),
        "index": index,
        "function": lambda: pa.compute((N,), spelled),
        "state": state,
    }
    for what, define in definitions.items():
        if what in ("size", "axis") or (keyword.iskeyword(word) and what in ("placeholder", "compute")):
            with pytest.raises(DefinitionError, match=f"{what} name '{word}' is a word of"):
                define()
            continue
        kernel = pa.compile([define()], target="c")
        reads_back(kernel.program)
        assert str(pa.Schedule.from_yaml(str(kernel.schedule))) == str(kernel.schedule)


def test_a_state_called_after_its_initial_value() -> None:
    reads_back(program_of([pa.scan(lambda h, v: (h + v, h), n0, x)[1]], None, "p")[0])


@pytest.mark.parametrize(
    "line",
    ["y[i] = lambda[i]", "y[i] = x[i", "y[i] = x[k]", "f()[i] = x[i]", "y[i] = f()[i]", "y[i] = cast_word(x[i])", "y"],
)
def test_what_is_no_program_is_refused(line: str) -> None:
    text = (
        "program p: [N] -> { : N > 0 }\n input x: float32[N]\n output y: float32[N]\n S: [N] -> { S[i] : 0 <= i < N }"
    )
    with pytest.raises(DefinitionError):
        parse_program(f"{text}\n{line}")


ORDERS = {"recomputed_bb": Segment((-1, -1)), "recomputed_bfb": Segment((-1, 1, -1)), "recomputed_fb": Segment((1, -1))}


@pytest.mark.parametrize("word", [*SEGMENTS, *ORDERS])
def test_segments_have_a_word(word: str) -> None:
    text = f"""program p: [N] -> {{ : N > 0 }}
        input x: float32[N, N]
        {word} y: float32[N, N]
        output z: float32[N, N]
        S: [N] -> {{ S[i, j] : 0 <= i < N and 0 <= j < N }}
        y[i, j] = x[i, j]
        R: [N] -> {{ R[i, j] : 0 <= i < N and 0 <= j < N }}
        z[i, j] = y[i, j]"""
    for program in (parse_program(text), from_json(to_json(parse_program(text)))):
        assert program.arrays["y"].segment == (SEGMENTS | ORDERS)[word] and not program.arrays["y"].is_movable
        reads_back(program)
