"""Wrong kernels are found by the user's own check: each kind of wrong is planted in C that was right."""

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError, CheckError
from polyad.ir.element_types import numpy_type
from polyad.kernel import Kernel
from polyad.machine import MACHINE
from polyad.pipeline import compile_program
from polyad.runtime import check as check_module
from polyad.runtime.check import TOLERANCES, Result, compare
from polyad.runtime.direct_call import OTHERWISE
from tests.runtime.handmade import COUNT, ENERGY, TAKE, TAKE_PROGRAM, kernel_of

PLAIN = pa.Target("c", optimize=0)


def arguments() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(5, 3)), rng.normal(size=3)


@pytest.fixture(autouse=True)
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave it to the check to find what is wrong here."""
    monkeypatch.delenv("POLYAD_GUARD", raising=False)


@pytest.fixture(scope="module")
def right() -> Kernel:
    return kernel_of(ENERGY, PLAIN)


def planted(old: str, new: str, right: Kernel) -> Kernel:
    """A wrong kernel beside a right one."""
    assert old in ENERGY.c
    return kernel_of(replace(ENERGY, c=ENERGY.c.replace(old, new)), PLAIN, compile=lambda *_: right)


WRONG = {
    "a wrong value": ("y[i] = tanh(z[i]);", "y[i] = tanh(z[i]) + (i == 3);", r"energy: y\[3\] is not the same", "y"),
    "a value a little wrong": (
        "y[i] * y[i];",
        "y[i] * y[i] * (1 + 1e-6);",
        r"energy: loss\[\] is not the same",
        "loss",
    ),
    "an element left out": ("y[i] = tanh(z[i]);", "if (i < N - 1) y[i] = tanh(z[i]);", r"y\[4\] is not the same", "y"),
    "a sum that begins with what is there": ("loss[0] = 0.0;", "", r"loss\[\] is not the same", "loss"),
    "a workspace that is not written": ("z[i] = 0.0;", "", r"y\[\d\] is not the same", "y"),
    "a write behind an output": ("loss[0] = 0.0;", "loss[0] = y[N] = 0.0;", "wrote behind y", "y"),
    "a write in front of an output": ("loss[0] = 0.0;", "loss[0] = y[-1] = 0.0;", "wrote in front of y", "y"),
    "a write behind the workspace": (
        "loss[0] = 0.0;",
        "loss[0] = z[24] = 0.0;",
        "wrote behind the workspace",
        "the workspace",
    ),
    "a write to an input": ("loss[0] = 0.0;", "loss[0] = ((double *)x)[0] = 0.0;", "changed its input x", "x"),
    "a read behind an input": ("x[k];", "x[k + 1];", r"y\[\d\] is not the same", "y"),
}


@pytest.mark.parametrize("what", WRONG)
def test_planted_errors_are_found(what: str, right: Kernel) -> None:
    old, new, message, output = WRONG[what]
    with pytest.raises(CheckError, match=message) as caught:
        planted(old, new, right).check(*arguments())
    assert caught.value.output == output


def test_the_report(right: Kernel) -> None:
    A, x = arguments()
    with pytest.raises(CheckError) as caught:
        planted(*WRONG["a wrong value"][:2], right).check(A=A, x=x)
    error = caught.value
    wanted = float(np.tanh(A @ x)[3])
    assert error.position == (3,)
    assert list(error.values) == [
        "the kernel in memory full of NaN",
        "the kernel in memory full of huge numbers",
        "optimize=0 in memory full of NaN",
        "optimize=0 in memory full of huge numbers",
        "the evaluator",
    ]
    assert list(error.values.values()) == pytest.approx([wanted + 1, wanted + 1, wanted, wanted, wanted])
    for way in error.values:
        assert way in str(error)


def test_a_right_kernel_passes_and_returns_its_results(right: Kernel) -> None:
    A, x = arguments()
    y, loss = right.check(A, x)
    np.testing.assert_allclose(y, np.tanh(A @ x))
    assert loss == pytest.approx(np.sum(np.tanh(A @ x) ** 2))
    assert kernel_of(COUNT, PLAIN, program=counting()).check(N=4).tolist() == [0, 1, 2, 3]


def counting() -> pa.Program:
    N = pa.sizes("N")
    y = pa.compute((N,), lambda i: pa.cast(i, "int64"), name="y")
    return pa.compile(y, [], target=PLAIN).definition


def test_wrong_at_every_level_is_found_by_the_evaluator() -> None:
    wrong = replace(ENERGY, c=ENERGY.c.replace("y[i] = tanh(z[i]);", "y[i] = tanh(z[i] + 1);"))
    with pytest.raises(CheckError, match="by the kernel in memory full of NaN and by the evaluator"):
        kernel_of(wrong, PLAIN).check(*arguments())


def test_where_the_evaluator_takes_too_long_optimize_0_is_left(right: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "evaluate", lambda *_: pytest.fail("evaluated"))
    for limit in (10, 20):  # fewer than elements, fewer than instances
        monkeypatch.setattr(check_module, "EVALUATED", limit)
        right.check(*arguments())
        with pytest.raises(CheckError, match=r"by the kernel .* and by optimize=0") as caught:
            planted(*WRONG["a wrong value"][:2], right).check(*arguments())
        assert "the evaluator" not in caught.value.values


def test_wrong_calls_are_errors_of_the_caller(right: Kernel) -> None:
    with pytest.raises(CallError, match="x has shape"):
        right.check(arguments()[0], np.zeros(4))
    take = kernel_of(TAKE, PLAIN, program=TAKE_PROGRAM)
    with pytest.raises(CallError, match=r"ids\[1\] = 7"):
        take.check(np.zeros((3, 2), np.float32), np.array([0, 7], np.int32))
    refusing = replace(TAKE, c=TAKE.c.replace("ids[t] >= V)", "ids[t] >= V - 1)"))
    wrong = kernel_of(refusing, PLAIN, program=TAKE_PROGRAM, compile=lambda *_: take)
    with pytest.raises(CheckError, match="this is refused, but not by optimize=0"):
        wrong.check(np.zeros((3, 2), np.float32), np.array([0, 2], np.int32))


def test_every_first_call_is_checked_where_that_is_asked_for(right: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CHECK", "1")
    A, x = arguments()
    wrong = planted(*WRONG["a wrong value"][:2], right)
    for _ in range(2):
        with pytest.raises(CheckError):
            wrong(A, x)
    with pytest.raises(CheckError):
        wrong(A=A, x=x, N=5)
    checked = kernel_of(ENERGY, PLAIN)
    with pytest.raises(CallError):
        checked(A, A)
    count: list[int] = []
    original = checked._check
    checked._check = lambda *a: (count.append(1), original(*a))  # type: ignore[assignment]
    for _ in range(3):
        np.testing.assert_allclose(checked(A, x)[0], np.tanh(A @ x))
    assert count == [1]
    assert checked._direct((A, x), None) is not OTHERWISE, "later calls take the direct way"


def test_definitions_are_checked_not_what_passes_made_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong pass is seen, though all levels share it."""
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    kernel = pa.compile(pa.compute((N,), lambda i: x[i] * 2 + 1, name="y"), [x], target=PLAIN, sizes={"N": 3})
    assert kernel.check(np.ones(3)).tolist() == [3.0] * 3
    assert "N" in kernel.definition.params and kernel.fixed == {"N": 3}
    wrong = Kernel(
        replace(kernel.code, c=kernel.code.c.replace("1.0", "1.5")),
        PLAIN,
        program=kernel.program,
        schedule=kernel.schedule,
        compile=lambda *_: wrong,
        definition=kernel.definition,
        fixed=kernel.fixed,
    )
    assert wrong.code.c != kernel.code.c
    with pytest.raises(CheckError, match="by the evaluator"):
        wrong.check(np.ones(3))
    monkeypatch.setenv("POLYAD_CHECK", "1")
    assert pa.grad(lambda v: pa.numpy.sum(v**2))(np.ones(3)).tolist() == [2.0] * 3


@pytest.mark.parametrize("dtype", TOLERANCES)
def test_tolerances(dtype: str) -> None:
    """Relative to the largest value of an output, or a thousandth of the largest input."""
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    kind = numpy_type(dtype)
    wanted = np.array([0.0, 1.0, 100.0], kind)
    t = TOLERANCES[dtype]

    def differ(change: Any, inputs: float = 1.0, wanted: np.ndarray = wanted) -> bool:
        results = [Result("one", {"y": (wanted + np.array(change)).astype(kind)}), Result("other", {"y": wanted})]
        try:
            compare("f", results, {"x": np.array([inputs, np.inf])})
        except CheckError:
            return True
        return False

    more = 107 * t  # 99 in float16
    assert not differ([99 * t, 0, 0]) and differ([more, 0, 0]) and differ([0, 0, -more])
    assert not differ([990 * t, 0, 0], inputs=1e6)
    zeros = np.zeros(3, kind)
    assert differ([2e-3 * t, 0, 0], 1.0, zeros) and not differ([0.9e-3 * t, 0, 0], 1.0, zeros)
    special = np.array([np.nan, np.inf, -np.inf], kind)
    assert not differ([0, 0, 0], 1.0, special)
    assert differ([np.nan, 0, 0]) and differ([np.inf, 0, 0])
    for other in ([1, np.inf, -np.inf], [np.nan, 1, -np.inf], [np.nan, np.inf, np.inf]):
        with pytest.raises(CheckError):
            compare("f", [Result("one", {"y": np.array(other, kind)}), Result("other", {"y": special})], {})


def test_integers_are_equal_or_not() -> None:
    results = [Result("one", {"y": np.array([2**60, 1])}), Result("other", {"y": np.array([2**60 + 1, 1])})]
    with pytest.raises(CheckError, match=r"y\[0\]") as caught:
        compare("f", results, {})
    assert caught.value.values == {"one": 2**60, "other": 2**60 + 1}
    compare("f", [results[0], results[0]], {})


BLOCK = MACHINE.scan_steps


@pytest.fixture(scope="module")
def scan_gradient() -> Kernel:
    """The derivative of a scan of any length, whose steps are prefix scans in blocks."""
    d = pa.placeholder((pa.sizes("n"),), "d", "float64")
    states = pa.scan(lambda c, x: (1 / (1 + pa.exp(c - x)),) * 2, 0.0 * d[0], d)[1]
    kernel = pa.compile(pa.grad(pa.numpy.sum(pa.sin(states)), [d]), [d], target="c")
    assert "prefix" in str(kernel.schedule)
    return kernel


@pytest.mark.parametrize("length", [1, 7, BLOCK + 1, 2 * BLOCK + 9])
@pytest.mark.quick_cases(2)
def test_a_sign_in_the_derivative_of_a_scan_is_found(scan_gradient: Kernel, length: int) -> None:
    """Past every block the same program is computed with and without optimisation, and by the evaluator."""
    values = np.random.default_rng(0).random(length)
    found = scan_gradient.check(values)
    assert found.shape == (length,)
    wrong = signs_lost(scan_gradient)
    if length == 1:
        return  # there is no step before the first one to differ from
    with pytest.raises(CheckError, match=r"d_bar\[\d+\] is not the same by the kernel .* and by the evaluator"):
        wrong.check(values)


def signs_lost(right: Kernel) -> Kernel:
    """A wrong kernel: the factors of its prefix scans have lost their signs."""
    c = re.sub(r"(_mul\[t - t_0\] = )-", r"\1", right.code.c)
    assert c != right.code.c
    own = {"program": right.program, "schedule": right.schedule, "definition": right.definition}
    return Kernel(replace(right.code, c=c), right.target, compile=compile_program, **own)
