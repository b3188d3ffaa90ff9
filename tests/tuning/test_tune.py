"""`pa.tune` from the call to the kernel that it returns, with times of our own where a choice has to be made."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.kernel import Kernel
from polyad.runtime import progress
from polyad.tuning import bench, tune
from polyad.tuning.bench import Built, Moves, Setup
from polyad.tuning.laboratory import Laboratory
from polyad.tuning.search import EndedError, RefusedError, search
from tests.pet.extracted import NEEDS_PET
from tests.tuning import misbehaving

ROOT = Path(__file__).resolve().parents[2]
X = np.random.default_rng(0).standard_normal((9, 8))
Y = np.random.default_rng(1).standard_normal((8, 7))
WANT = np.tanh(X[:, :, None] * Y[None]).sum(axis=1)
Seconds = Callable[[Moves], float]


def product(target: str = "openmp", dtype: str = "float64", **options: Any) -> Kernel:
    n = pa.sizes("N")
    left, right = pa.placeholder((9, n), "left", dtype), pa.placeholder((n, 7), "right", dtype)
    k = pa.reduce_axis(n, name="k")
    c = pa.compute((9, 7), lambda i, j: pa.sum(pa.tanh(left[i, k] * right[k, j]), axis=k), name="c")
    return pa.compile(c, [left, right], name="product", target=target, **options)


class Forced:
    """A laboratory without a child: candidates are made here, and their times are a function of their moves."""

    seconds: Seconds = staticmethod(lambda moves: 1.0)
    most = 6
    interrupted = 10**6
    once_more = 1.0

    def __init__(self, setup: Setup, seconds: float):
        bench.begin(Setup(setup.definition, setup.target, setup.fixed, setup.schedule, setup.arrays, setup.sizes))
        self.setup, self.built, self.extended = setup, 0, False

    def build(self, moves: Moves) -> Built:
        self.built += 1
        if self.built > self.most:
            raise EndedError
        try:
            return bench.build(moves)
        except pa.ScheduleError as problem:
            raise RefusedError(str(problem)) from None

    def compare(self, old: Moves, new: Moves) -> tuple[list[float], list[float]]:
        if self.built > self.interrupted:
            raise KeyboardInterrupt
        times = tuple([type(self).seconds(m) * t for t in (1.0, 1.01, 0.99, 1.0, 1.0)] for m in (old, new))
        return times[0], [self.once_more * t if self.extended else t for t in times[1]]

    def left(self) -> float:
        return 1.0

    def extend(self, seconds: float) -> None:
        self.extended = True

    def close(self) -> None:
        pass


@pytest.fixture
def forced(monkeypatch: pytest.MonkeyPatch) -> type[Forced]:
    """Times that are smaller with each move."""

    class Own(Forced):
        seconds = staticmethod(lambda moves: 0.5 ** len(moves))

    monkeypatch.delenv("POLYAD_SCHEDULES", raising=False)
    monkeypatch.setattr(tune, "Laboratory", Own)
    return Own


def test_a_kernel_is_measured_for_real(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYAD_SCHEDULES", raising=False)
    plain = product()
    for seconds in (2.0, 8.0, 32.0):  # others may use the machine
        tuned = pa.tune(plain, X, Y, seconds=seconds)
        assert isinstance(tuned, Kernel) and plain.tuning is None
        record = tuned.tuning
        assert record is not None
        if record.timed + record.alike + record.refused:
            break
    else:
        raise AssertionError("nothing was tried")
    assert str(record).splitlines()[0] in tuned.describe()
    assert 0 < record.after <= record.before < 10.0
    assert "proved" in record.certificate or not record.moves
    assert "measured" in str(record)
    np.testing.assert_allclose(tuned(X, Y), WANT, rtol=1e-12)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("target", ["c", "openmp"])
def test_results_are_those_of_the_kernel(
    target: str, threads: int, forced: type[Forced], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", str(threads))
    plain = product(target)
    tuned = pa.tune(plain, X, Y)
    assert tuned.tuning is not None and tuned.tuning.moves and tuned.source != plain.source
    assert tuned.tuning.before == pytest.approx(1.0) and tuned.tuning.after <= 0.5
    assert not tuned.code.in_order
    np.testing.assert_allclose(tuned(X, Y), plain(X, Y), rtol=1e-12)
    assert tuned.certify().text is not None
    for line in str(tuned.tuning).splitlines()[2:]:
        assert line.startswith("s = s.")


def test_the_same_times_make_the_same_choice(forced: type[Forced]) -> None:
    first, second = (pa.tune(product(), X, Y) for _ in range(2))
    assert first.tuning == second.tuning and first.source == second.source


def test_where_nothing_is_faster_the_schedule_stays(forced: type[Forced]) -> None:
    forced.seconds = staticmethod(lambda moves: 1.0 + len(moves))
    plain = product()
    tuned = pa.tune(plain, X, Y)
    assert tuned.source == plain.source and tuned.tuning is not None and tuned.tuning.moves == ()
    assert "nothing was faster" in str(tuned.tuning)


def test_what_was_faster_by_chance_is_given_back(forced: type[Forced]) -> None:
    forced.once_more = 1e6
    plain = product()
    tuned = pa.tune(plain, X, Y)
    assert tuned.source == plain.source and tuned.tuning is not None and tuned.tuning.moves == ()
    assert "once more" in tuned.tuning.log[-1]


def test_ctrl_c_returns_the_best_so_far(forced: type[Forced]) -> None:
    forced.most, forced.interrupted = 100, 4
    tuned = pa.tune(product(), X, Y)
    assert tuned.tuning is not None and tuned.tuning.moves and "interrupted" in tuned.tuning.log
    np.testing.assert_allclose(tuned(X, Y), WANT, rtol=1e-12)


def test_tuning_goes_on_from_what_was_found(forced: type[Forced]) -> None:
    once = pa.tune(product(), X, Y)
    twice = pa.tune(once, X, Y)
    assert once.tuning is not None and twice.tuning is not None
    assert twice.tuning.moves[: len(once.tuning.moves)] == once.tuning.moves
    np.testing.assert_allclose(twice(X, Y), WANT, rtol=1e-12)


def test_functions_call_what_was_found(forced: type[Forced]) -> None:
    def loss(parts: dict[str, Any], y: Any) -> Any:
        return (parts["x"] * y[:, 0]).sum() ** 2

    forced.most = 4
    for make in (pa.jit, pa.value_and_grad):
        function = make(loss)
        want = function({"x": X}, Y)
        other = function({"x": X[:4]}, Y)
        plain = function.kernel
        assert pa.tune(function, {"x": X}, Y) is function
        assert function.kernel is not plain
        got = function({"x": X}, Y)
        assert function.kernel.tuning is not None and function.kernel.tuning.moves
        for a, b in zip(pa.tree.leaves(want), pa.tree.leaves(got), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-12)
        for a, b in zip(pa.tree.leaves(other), pa.tree.leaves(function({"x": X[:4]}, Y)), strict=True):
            np.testing.assert_array_equal(a, b)  # other shapes have their own kernel
        assert function.kernel.tuning is None


@NEEDS_PET
def test_loop_nests_of_c(forced: type[Forced], tmp_path: Path) -> None:
    text = """
void mv(int n, double a[n][n], double x[n], double y[n]) {
  for (int i = 0; i < n; i++) {
    y[i] = 0.0;
    for (int j = 0; j < n; j++)
      y[i] += a[i][j] * x[j];
  }
}
"""
    (tmp_path / "mv.c").write_text(text)
    program = pa.from_c(tmp_path / "mv.c")
    a, x = np.random.default_rng(2).standard_normal((6, 6)), np.arange(6.0)
    for schedule in (None, program.schedule):  # in an order of our own, and in that of the text
        kernel = pa.compile(program, schedule=schedule)
        arguments = {"a": a, "x": x, "y": np.zeros(6)}
        names = [argument.name for argument in kernel.code.arguments if not argument.is_output]
        given = {n: arguments[n] for n in names}
        tuned = pa.tune(kernel, **given)
        assert tuned.tuning is not None and tuned.tuning.moves
        assert tuned.code.in_order == (schedule is not None)
        np.testing.assert_allclose(pa.tree.leaves(tuned(**given))[0], a @ x, rtol=1e-12)


def test_a_schedule_of_ones_own_is_begun_at(forced: type[Forced], tmp_path: Path) -> None:
    own = product().schedule.unmark().reverse(("c", "i"))
    kernel = product(schedule=own)
    tuned = pa.tune(kernel, X, Y)
    assert tuned.code.in_order and tuned.tuning is not None and tuned.tuning.moves and tuned.tuning.file == ""
    np.testing.assert_allclose(tuned(X, Y), WANT, rtol=1e-12)
    with pytest.raises(pa.CallError, match=r"kernel\.schedule\.save"):
        pa.tune(kernel, X, Y, save=tmp_path)
    assert pa.tune(tuned, X, Y).tuning is not None


def test_the_file_is_found_again(forced: type[Forced], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tuned = pa.tune(product(), X, Y, save=tmp_path / "new" / "folder")
    monkeypatch.setenv("POLYAD_SCHEDULES", str(tmp_path / "new" / "folder"))
    again = product()
    assert again.tuning is not None and tuned.tuning is not None
    assert again.tuning.moves == tuned.tuning.moves and again.source == tuned.source
    assert again.tuning.file == tuned.tuning.file and Path(tuned.tuning.file).exists()
    monkeypatch.setenv("POLYAD_SCHEDULES", str(tmp_path / "other"))
    assert product().tuning is None
    other = pa.tune(product(), X, Y)
    assert other.tuning is not None and Path(other.tuning.file).parent == tmp_path / "other"
    assert product().source == other.source


def test_kernels_keep_their_record_in_a_pickle(forced: type[Forced]) -> None:
    import pickle  # only here

    tuned = pa.tune(product(), X, Y)
    again = pickle.loads(pickle.dumps(tuned))
    assert again.tuning == tuned.tuning
    np.testing.assert_array_equal(again(X, Y), tuned(X, Y))


def test_who_waits_at_a_terminal_is_told(forced: type[Forced], monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.StringIO()
    monkeypatch.setattr(progress, "sys", SimpleNamespace(stderr=shown))
    monkeypatch.setattr(tune, "is_terminal", lambda _: True)
    pa.tune(product(), X, Y)
    lines = shown.getvalue().split("\r")
    assert any("polyad: tuning product: " in line and "times as fast ..." in line for line in lines)
    assert lines[-1] == ""  # gone when it is over


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), True, "30", None])
def test_no_time_is_refused(seconds: Any) -> None:
    with pytest.raises(pa.CallError, match="seconds") as caught:
        pa.tune(product(), X, Y, seconds=seconds)
    assert caught.value.argument == "seconds"


def test_wrong_arguments_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("POLYAD_SCHEDULES", raising=False)
    kernel = product()
    for wrong in (3, kernel.program, lambda x: x, None):
        with pytest.raises(pa.CallError, match="expected a kernel"):
            pa.tune(wrong, X, Y)  # type: ignore[type-var]
    with pytest.raises(pa.CallError, match="right"):
        pa.tune(kernel, X)
    with pytest.raises(pa.CallError, match="N"):
        pa.tune(kernel, X, Y[:3])
    with pytest.raises(pa.CallError, match="float64"):
        pa.tune(kernel, X + 0j, Y)
    with pytest.raises(pa.CallError, match="expected a folder"):
        pa.tune(kernel, X, Y, save=3)  # type: ignore[arg-type]
    with pytest.raises(pa.CallError, match="tensors"):
        pa.tune(pa.jit(lambda x: x + 1), pa.placeholder((3,), name="x"))
    with pytest.raises(pa.CallError, match="'cuda'"):
        pa.tune(product("cuda"), X, Y)
    file = tmp_path / "file"
    file.write_text("")
    for where in (file, file / "below"):
        with pytest.raises(pa.ScheduleError, match="save="):
            pa.tune(kernel, X, Y, save=where)
    monkeypatch.setenv("POLYAD_SCHEDULES", str(file))
    with pytest.raises(pa.ScheduleError, match="POLYAD_SCHEDULES"):
        pa.tune(kernel, X, Y)


def laboratory(**functions: Any) -> tuple[Laboratory, Kernel]:
    from polyad.ir.json_text import to_json  # only here

    kernel = product("c")
    setup = Setup(to_json(kernel.definition), kernel.target, {}, None, (X, Y), {}, 2 << 30)
    return Laboratory(setup, 6.0, **functions), kernel


@pytest.mark.quick_cases(1)
@pytest.mark.parametrize(
    ("functions", "why"),
    [
        ({"build": misbehaving.build_that_crashes}, "SIGSEGV"),
        ({"build": misbehaving.build_that_hangs}, "took longer"),
        ({"compare": misbehaving.compare_that_eats}, "memory"),
    ],
)
def test_bad_candidates_are_dropped(functions: Any, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from polyad.tuning import laboratory as module  # only here

    monkeypatch.setattr(module, "FIRST", 0.5)
    monkeypatch.setattr(module, "AS_LONG", 1.0)
    trials, kernel = laboratory(**functions)
    try:
        found = search(kernel.schedule, (), trials, {"c": 1}, lambda _: None)
    finally:
        trials.close()
    dropped = [line for line in found.log if "dropped" in line]
    assert dropped and found.counts["dropped"] == len(dropped)
    assert any("jam" in line and why in line for line in dropped)
    assert found.counts["timed"] + found.counts["alike"] + found.counts["refused"] > 0  # it went on
    assert not any(move.name == "jam" for move in found.moves)


INTERRUPTED = """
import os, signal, threading, numpy as np, polyad as pa
signal.signal(signal.SIGINT, signal.default_int_handler)
x = pa.placeholder((64, 64), "x", "float64")
y = pa.compute((64, 64), lambda i, j: x[j, i] * 2.0, name="y")
kernel = pa.compile(y, [x], target="c")
a = np.ones((64, 64))
kernel(a)
threading.Timer(6.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
tuned = pa.tune(kernel, a, seconds=500.0)
assert (tuned(a) == 2.0).all()
print("interrupted" in tuned.tuning.log)
"""


@pytest.mark.slow
def test_ctrl_c_for_real() -> None:
    start = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, env=environment, timeout=200.0
    )
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - start < 150.0
    assert done.stdout.strip() in ("True", "False")  # False: there was nothing left to try
    assert signal.getsignal(signal.SIGINT) is not None
