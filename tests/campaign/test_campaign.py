"""The campaign in small: fixed programs of every class pass, and what goes wrong is seen, named and made short."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from polyad.codegen.source import Source
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.initialise import initialise
from tests.campaign import lower, pool, refusals, trial
from tests.campaign.classes import CLASSES
from tests.campaign.command import names
from tests.campaign.conditioning import sensitive
from tests.campaign.dual import Dual
from tests.campaign.pool import judge_all
from tests.campaign.program import Input, Options, Program, generator
from tests.campaign.refusals import Refusal
from tests.campaign.schedules import users_own
from tests.campaign.shrink import keep, shrink
from tests.campaign.words_reference import Words

ROOT = Path(__file__).resolve().parents[2]
SEED = 20
CHUNK = 20


def drawn(count: int, seed: int) -> list[Program]:
    return [CLASSES[name.split("/")[0]](name) for name in names(count, seed, list(CLASSES))]


def judged(wanted: list[str]) -> None:
    """The command, in a process that has run no kernel yet: OpenMP's threads do not survive a fork."""
    command = [sys.executable, "-m", "tests.campaign", *(f"--only={name}" for name in wanted)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}{done.stderr}\nrun them with: python -m tests.campaign --only NAME"


@pytest.mark.slow
def test_one_program_of_each_class() -> None:
    judged(list(names(len(CLASSES), SEED, list(CLASSES))))


@pytest.mark.slow
@pytest.mark.parametrize("chunk", range(10))
def test_two_hundred_programs(chunk: int) -> None:
    judged(list(names(10 * CHUNK, SEED, list(CLASSES)))[chunk * CHUNK : (chunk + 1) * CHUNK])


def test_programs_are_the_same_everywhere() -> None:
    """Neither the hash seed nor what was drawn before decides."""
    first, again = drawn(60, 3), list(reversed(drawn(60, 3)))
    assert first == again[::-1]
    assert [Program.from_json(p.to_json()) for p in first] == first
    assert drawn(1, 3)[0].text != drawn(1, 4)[0].text


def test_refusals_count_as_failures_unless_the_list_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """However clear they are; what is allowed symbolically runs at numbers, and that is told."""
    program = sample("a/0/0", "return m.sum(m.reshape(x, (5,)))")
    symbolic, outside = program.with_options(symbolic=True), sample("b/0/0", "return m.sum(x[9])")
    assert [judge_all([p])[p.name].kind for p in (program, symbolic, outside)] == ["right", "error", "error"]
    entries = (Refusal("a", "ShapeError.*reshape", "N is any number"), Refusal("b", "BoundsError: index 9", "it is"))
    monkeypatch.setattr(refusals, "ALLOWED", entries)
    found = [judge_all([p])[p.name] for p in (program, symbolic, outside)]
    assert [v.kind for v in found] == ["right", "right", "refused"]
    assert [bool(v.fallback) for v in found] == [False, True, False]


def test_numbers_that_are_not_finite_are_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = {"x": Input("float64", ("N",), "odd")}
    program = replace(sample("odd/0/0", "return (m.sin(x) + 1.0 / x,)", mode="value"), extents={"N": 9}, inputs=odd)
    assert not np.isfinite(program.values(program.extents)["x"]).all()
    assert judge_all([program])[program.name].kind == "right"
    mutated((" / ", " * "), monkeypatch)
    assert judge_all([program])[program.name].kind == "wrong"


def test_the_reference_keeps_second_derivatives_beside_large_tangents() -> None:
    """Of log(e^a + e^b) with a far above b: e^-(a - b) of the product of tangents, not the rounding of p - p^2."""
    a = Dual(Dual(3.0, 1e20), Dual(1e20, 1.0))
    found = Words().logaddexp(a, -40.0)
    np.testing.assert_allclose(found.dot.dot, np.exp(-43.0) * 1e40, rtol=1e-12)
    again = Words().logaddexp(-40.0, a)
    assert again.dot.dot == found.dot.dot


def test_what_becomes_zero_in_its_own_type_decides_nothing() -> None:
    narrow = {"x": Input("float32", ("N",), "normal")}
    program = sample("tiny/0/0", "y = 1e-30 * x", "return m.sum(m.where(y * y > 0.0, x, 7.0))", mode="value")
    assert judge_all([program])[program.name].kind == "right"
    assert judge_all([replace(program, inputs=narrow)])[program.name].kind == "void"


def test_rounding_on_the_way_decides_nothing() -> None:
    """The last digits of x are lost in x + 1e6, and those of the sum are a million times larger in the sine."""
    growing = sample("grows/0/0", "y = 1e6 + 1e-9 * x", "return m.sum(m.sin(y * y * 1e3))", mode="value")
    assert judge_all([growing])[growing.name].kind in ("right", "void")
    assert np.any(sensitive(growing, growing.extents, growing.values(growing.extents), {})[0])


def test_the_order_of_a_long_sum_decides_nothing() -> None:
    """The digits of x do not count: a sum of 90,000 equal numbers, one after the other, loses five digits."""
    text = ("total = m.sum(0.1 + 0.0 * x)", "return m.sin(total + 0.0 * x)")
    long = replace(sample("order/0/0", *text, mode="value"), extents={"N": 90_000})
    assert np.any(sensitive(long, long.extents, long.values(long.extents), {})[0])


def test_schedules_are_transformed() -> None:
    program = sample("own/0/0", "return m.sum(m.sin(x) * x)").with_options(transforms=3)
    equations = initialise(trial.trace(program, program.extents).equations)
    order = default_schedule(equations)
    own = users_own(order, equations, generator("own"), 3)
    assert str(own) != str(order) and own.is_legal(equations)


LINES = ("y = m.sin(x) * x", "z = y + 0.5", "return m.sum(z * z)")


def sample(name: str, *lines: str, mode: str = "grad") -> Program:
    return Program(
        name, {"N": 5}, {"x": Input("float64", ("N",))}, lines or LINES, (), Options(mode, openmp=False, threads=1)
    )


def mutated(change: tuple[str, str], patch: pytest.MonkeyPatch, read_back: bool = False) -> None:
    """Every kernel is generated with a mistake, and its text is not read back unless that is asked for."""
    right = lower.source_of

    def wrong(*arguments: object) -> Source:
        source: Source = right(*arguments)  # type: ignore[arg-type]
        assert change[0] in source.c
        return replace(source, c=source.c.replace(*change))

    patch.setattr(lower, "source_of", wrong)
    if not read_back:
        patch.setattr(lower, "read_back", lambda plan, c: None)


@pytest.mark.parametrize("change", [("pa_sin_f64(", "pa_cos_f64("), ("0.5", "0.25"), (" * ", " + ")])
def test_wrong_kernels_are_seen(change: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge_all([sample("right/0/0")])["right/0/0"].kind == "right"
    mutated(change, monkeypatch)
    assert judge_all([sample("wrong/0/0")])["wrong/0/0"].kind == "wrong"
    monkeypatch.undo()
    mutated(change, monkeypatch, read_back=True)
    refused = judge_all([sample("wrong/0/0")])["wrong/0/0"]
    assert (refused.kind, "CertificationError" in refused.detail) == ("error", True)


@pytest.mark.slow
def test_a_crash_and_a_hang_cost_one_program_each(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "CPU_SECONDS", 0.8)
    crash = sample("crash/0/0", "import os", f"os.kill(os.getpid(), {int(signal.SIGSEGV)})", "return m.sum(x)")
    hang = sample("hang/0/0", "while True: x.shape", "return m.sum(x)")
    unclear = sample("unclear/0/0", "return m.sum(None)")
    verdicts = judge_all([sample("a/0/0"), crash, sample("b/0/0"), hang, unclear])
    assert {v.name.split("/")[0]: v.kind for v in verdicts.values()} == {
        "a": "right",
        "b": "right",
        "crash": "crash",
        "hang": "hang",
        "unclear": "error",
    }


def test_failures_are_made_short_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mutated(("pa_sin_f64(", "pa_cos_f64("), monkeypatch)
    long = sample("long/0/0", "a = 0.5 * x", "b = m.tanh(a)", "y = m.sin(x)", "return m.sum(y) + m.mean(b)")
    verdict = judge_all([long])[long.name]
    short = shrink(long, verdict)
    assert short.lines == ("y = m.sin(x)", "return m.sum(y)")
    assert short.extents == {"N": 1}
    path = keep(short, verdict, tmp_path)
    assert "y = m.sin(x)" in path.read_text()


def test_a_process_that_says_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "SILENT_SECONDS", 0.5)
    still = sample("still/0/0", "import time", "time.sleep(60)", "return m.sum(x)")
    assert judge_all([still])["still/0/0"].kind == "hang"
    assert os.getpid()


def test_text_that_is_no_c_costs_one_program(monkeypatch: pytest.MonkeyPatch) -> None:
    right = lower.source_of

    def broken(*arguments: object) -> Source:
        source: Source = right(*arguments)  # type: ignore[arg-type]
        return replace(source, c=source.c.replace("0.25", ")"))

    monkeypatch.setattr(lower, "source_of", broken)
    monkeypatch.setattr(lower, "read_back", lambda plan, c: None)
    refused = sample("refused/0/0", "return m.sum(0.25 * x)")
    verdicts = judge_all([sample("a/0/0"), refused, sample("b/0/0")])
    assert {n: v.kind for n, v in verdicts.items()} == {"a/0/0": "right", "refused/0/0": "error", "b/0/0": "right"}
    assert "expected" in verdicts["refused/0/0"].detail
