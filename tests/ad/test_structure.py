"""Structure of derivatives: no instance for nothing, no zeros, no divisions, time turned around."""

import islpy as isl
import pytest

from polyad.ad.forward import tangent
from polyad.ad.reverse import reverse
from polyad.analysis.counting import instances
from polyad.ir.expr import Read, render, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops.program_text import parse_program
from polyad.semantics.verify import verify
from tests import programs
from tests.ad import samples
from tests.counted_calls import calls_made


def written(program: Program, array: str) -> list[Statement]:
    return [s for s in program.statements if s.array == array]


def divisions(statement: Statement) -> int:
    """How many integer divisions stand in the accesses of a statement."""
    affs = []
    for access in [statement.write, *(r.access for r in statement.reads())]:
        assert isinstance(access, isl.MultiAff)
        affs += [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    return sum(a.dim(isl.dim_type.div) + (not a.get_denominator_val().is_one()) for a in affs)


def test_the_gradient_of_a_convolution_has_the_instances_of_the_convolution() -> None:
    program = programs.program(programs.CONV)
    derivative = reverse(program, {"y": None}, ["x", "w"])
    for sizes in ({"N": 7, "K": 3}, {"N": 30, "K": 5}):
        counts = instances(derivative.program, sizes)
        (x_bar,), (w_bar,) = written(derivative.program, "x_bar"), written(derivative.program, "w_bar")
        assert counts[x_bar.name] == counts[w_bar.name] == counts["S"]
        assert x_bar.reduction == w_bar.reduction == "sum"


@pytest.mark.parametrize(
    "name", ["strided convolution", "sliding window", "flatten", "upsample", "triangular", "reversal"]
)
def test_no_divisions_where_they_can_be_avoided(name: str) -> None:
    program = parse_program(samples.ACCESSES[name])
    derivative = reverse(program, {"y": None}, ["x"])
    for s in written(derivative.program, "x_bar"):
        assert divisions(s) == 0, render(s.body, s.dims)
        assert not s.domain.involves_locals(), s.domain


@pytest.mark.parametrize(
    ("name", "definitions"),
    [("reversal", 1), ("flatten", 1), ("diagonal", 3), ("downsample", 2), ("upsample", 0), ("broadcast", 0)],
)
def test_injective_reads_are_definitions(name: str, definitions: int) -> None:
    """An injective read gives a definition, and zeros only where no read goes; a fibre gives a sum and no zeros."""
    program = parse_program(samples.ACCESSES[name])
    derivative = reverse(program, {"y": None}, ["x"])
    found = written(derivative.program, "x_bar")
    assert sum(s.reduction is None for s in found) == definitions
    assert len(found) == max(definitions, 1)


def test_the_adjoint_of_a_state_reads_the_next_step() -> None:
    program = programs.program(programs.LSTM)
    derivative = reverse(program, {"loss": None}, ["W", "U"])
    verify(derivative.program)
    carried = [s for s in written(derivative.program, "c_bar") if "c_bar[t + 1, b, k]" in render(s.body, s.dims)]
    assert carried and {s.dims for s in carried} == {("t", "b", "k")}
    scan = derivative.program.scans[-1]
    assert (scan.name, scan.direction, set(scan.states)) == ("lstm_bar", -1, {"h_bar", "c_bar"})
    assert tangent(program, {"W": None}, ["loss"]).program.scans[-1].direction == 1


def test_weight_gradients_are_contractions_over_all_steps() -> None:
    derivative = reverse(programs.program(programs.LSTM), {"loss": None}, ["W"])
    (w_bar,) = written(derivative.program, "W_bar")
    assert w_bar.dims == ("n", "i", "t", "b") and w_bar.reduction == "sum"
    assert render(w_bar.body, w_bar.dims) == "mul(x[t, b, i], xw_bar[t, b, n])"


def test_results_are_read_back_instead_of_computed_again() -> None:
    program = programs.program(programs.LSTM)
    derivative = reverse(program, {"loss": None}, list(program.inputs))
    added = derivative.program.statements[len(program.statements) :]
    assert not {getattr(e, "op", "") for s in added for e in walk(s.body)} & {"tanh", "sigmoid", "exp"}


def test_only_what_is_needed_is_differentiated() -> None:
    program = programs.program(programs.LSTM)
    derivative = reverse(program, {"xw": None}, ["W"])
    assert set(derivative.adjoints) == {"xw", "W"}
    zero = reverse(program, {"xw": None}, ["U"])
    assert [render(s.body, s.dims) for s in written(zero.program, zero.adjoints["U"])] == ["0.0"]


def test_a_slice_restricts_what_is_computed_before_it() -> None:
    text = samples.vector(
        samples.stmt("A", "i", samples.I, "a[i] = sin(x[i])")
        + samples.stmt("Y", "i", "0 <= i < N and i < 3", "y[i] = a[i]")
    ).replace("  output", "  temporary a: float64[N]\n  output")
    derivative = reverse(parse_program(text), {"y": None}, ["x"])
    counts = instances(derivative.program, {"N": 100, "M": 1})
    assert counts["x_bar"] == 3


def test_stop_gradient_and_integers_cut() -> None:
    text = samples.vector(
        samples.stmt("S", "i", samples.I, "y[i] = stop_gradient(x[i]) * w[i] + floor(x[i])"),
        "x: float64[N]; w: float64[N]",
    )
    derivative = reverse(parse_program(text), {"y": None}, ["x", "w"])
    (x_bar,), (w_bar,) = written(derivative.program, "x_bar"), written(derivative.program, "w_bar")
    assert render(x_bar.body, x_bar.dims) == "0.0"
    assert "stop_gradient(x[i])" in render(w_bar.body, w_bar.dims)


def test_exactly_one_winner_at_a_tie() -> None:
    derivative = reverse(parse_program(samples.reduction("max=")["rows"]), {"y": None}, ["x"])
    reads = {e.array for s in written(derivative.program, "x_bar") for e in walk(s.body) if isinstance(e, Read)}
    assert reads == {"y_arg"}


def test_the_primal_is_untouched() -> None:
    for text in (samples.reduction("*=")["two statements"], samples.reduction("max=")["rows"], programs.LSTM):
        program = parse_program(text)
        derivative = reverse(program, {program.outputs[0]: None}, [program.inputs[0]])
        assert derivative.program.statements[: len(program.statements)] == program.statements


def test_differentiating_the_lstm_does_not_blow_up() -> None:
    program = programs.program(programs.LSTM)
    assert calls_made(lambda: reverse(program, {"loss": None}, list(program.inputs))) < 40_000
