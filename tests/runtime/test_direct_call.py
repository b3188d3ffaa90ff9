"""The function that calls are made through: what it takes, and what it leaves to others untouched."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.runtime import direct_call as module
from polyad.runtime.direct_call import OTHERWISE, CallPlan, direct_call
from polyad.runtime.workspace import FFI
from tests.runtime.handmade import ENERGY, SCALE, TAKE, TAKE_PROGRAM, kernel_of

FLOAT, DOUBLE = np.dtype(np.float32), np.dtype(np.float64)
SHAPES = ((3, 2), (2,))


class Calls:
    """A direct call for two inputs and two outputs, and what became of it."""

    def __init__(self, status: int = 0, **form: Any) -> None:
        self.made: list[tuple[Any, ...]] = []
        self.failed: list[int] = []
        self.status = status
        self.plan = CallPlan(SHAPES, FFI.new("int64_t[]", [3]), ((3,), ()), 100, ())
        self.plans: dict[Any, CallPlan] = {SHAPES: self.plan}
        settings: dict[str, Any] = {"fills": True, "guarded": False} | form
        self.direct = direct_call([FLOAT, FLOAT], [DOUBLE, DOUBLE], self.run, self.plans, self.fail, **settings)

    def run(self, *arguments: Any) -> int:
        self.made.append(arguments)
        return self.status

    def fail(self, status: int, arrays: list[Any], plan: CallPlan) -> None:
        self.failed.append(status)


def inputs() -> tuple[Any, ...]:
    return np.ones((3, 2), FLOAT), np.ones(2, FLOAT)


def outputs() -> list[Any]:
    return [np.ones(3), np.ones(())]


def test_what_c_is_given() -> None:
    calls, given, out = Calls(), inputs(), outputs()
    assert all(a is b for a, b in zip(calls.direct(given, out), out, strict=True))
    new = calls.direct(given, None)
    assert [(a.shape, a.dtype) for a in new] == [((3,), DOUBLE), ((), DOUBLE)]
    for (sizes, *pointers, scratch, count), results in zip(calls.made, (out, new), strict=True):
        assert sizes is calls.plan.sizes and count == 100
        addresses = [int(FFI.cast("uintptr_t", p)) for p in pointers]
        assert addresses == [a.ctypes.data for a in (*given, *results)]
        assert int(FFI.cast("uintptr_t", scratch)) % 64 == 0


def subclass(x: Any) -> Any:
    return x.view(np.ma.MaskedArray)


def turned(x: Any) -> Any:
    return np.ones(x.shape[::-1], x.dtype).T


def misaligned(x: Any) -> Any:
    return np.ones(x.nbytes + 1, np.uint8)[1:].view(x.dtype).reshape(x.shape)


def read_only(x: Any) -> Any:
    x.flags.writeable = False
    return x


OTHER: dict[str, Callable[[Any], Any]] = {
    "a list": lambda x: x.tolist(),
    "a subclass": subclass,
    "another type": lambda x: x.astype(np.float16),
    "another byte order": lambda x: x.astype(x.dtype.newbyteorder()),
    "another shape": lambda x: np.ones((*x.shape, 1), x.dtype),
    "misaligned": misaligned,
}


@pytest.mark.parametrize("position", range(4))
@pytest.mark.parametrize("other", OTHER)
def test_other_arrays_are_left_alone(other: str, position: int) -> None:
    calls = Calls()
    arrays = [*inputs(), *outputs()]
    arrays[position] = OTHER[other](arrays[position])
    assert calls.direct(tuple(arrays[:2]), arrays[2:]) is OTHERWISE
    if position < 2:
        assert calls.direct(tuple(arrays[:2]), None) is OTHERWISE
    assert not calls.made


def test_arrays_that_may_meet_others_are_left_alone() -> None:
    """Views may be read where nothing given is filled."""
    calls, (A, x), (y, s) = Calls(), inputs(), outputs()
    view = np.ones((4, 2), FLOAT)[1:]
    for args, out in (
        ((view, x), [y, s]),
        ((A, x), [np.ones(4)[1:], s]),
        ((turned(A), x), [y, s]),
        ((turned(A), x), None),
        ((A, x), [np.ones(6)[::2], s]),
        ((A, x), [read_only(np.ones(3)), s]),
    ):
        assert calls.direct(args, out) is OTHERWISE
    assert not calls.made
    assert calls.direct((view, read_only(x)), None) is not OTHERWISE
    assert calls.direct((A, x), (y, s)) is not OTHERWISE


def test_the_same_array_twice() -> None:
    made: list[Any] = []
    key = ((2,), (2,))
    plans = {key: CallPlan(key, FFI.NULL, ((2,), (2,)), 0, ())}

    def run(*arguments: Any) -> int:
        made.append(arguments)
        return 0

    direct = direct_call([FLOAT] * 2, [FLOAT] * 2, run, plans, lambda *_: None, fills=True, guarded=False)
    a, b, c, d = (np.ones(2, FLOAT) for _ in range(4))
    for out in ([a, c], [c, a], [b, c], [c, b], [c, c]):
        assert direct((a, b), out) is OTHERWISE
    assert not made
    assert direct((a, a), [c, d]) is not OTHERWISE, "what is only read may be there twice"


@pytest.mark.parametrize("args", [(), inputs()[:1], (*inputs(), np.ones(1))])
def test_other_numbers_of_arrays(args: tuple[Any, ...]) -> None:
    calls = Calls()
    assert calls.direct(args, None) is OTHERWISE
    for out in ([], outputs()[:1], [*outputs(), np.ones(1)], {"y": np.ones(3)}, np.ones(3), [None, None]):
        assert calls.direct(inputs(), out) is OTHERWISE
    assert not calls.made


def test_plans() -> None:
    """Those of other shapes are looked up; unknown shapes, and arrays without elements, are left to the caller."""
    calls, empty = Calls(), ((3, 0), (0,))
    calls.plans[empty] = CallPlan(empty, FFI.NULL, ((3,), ()), 0, (0, 1))
    assert calls.direct((np.ones((3, 0), FLOAT), np.ones(0, FLOAT)), None) is OTHERWISE
    for n in (4, 3, 5):
        args = np.ones((n, 2), FLOAT), np.ones(2, FLOAT)
        assert (calls.direct(args, None) is OTHERWISE) == (n != 3)
        key = ((n, 2), (2,))
        calls.plans[key] = CallPlan(key, FFI.NULL, ((n,), ()), 0, ())
        assert calls.direct(args, None)[0].shape == (n,)
    threads = [1]
    counted = Calls(threads=lambda: threads[0])
    counted.plans[SHAPES, 1] = CallPlan((SHAPES, 1), FFI.NULL, ((3,), ()), 0, ())
    assert counted.direct(inputs(), None) is not OTHERWISE
    threads[0] = 2
    assert counted.direct(inputs(), None) is OTHERWISE


def test_results_and_errors() -> None:
    assert Calls(unflatten=len).direct(inputs(), None) == 2
    failing = Calls(-4)
    failing.direct(inputs(), None)
    assert failing.failed == [-4]
    careful = Calls(fills=False)
    assert careful.direct(inputs(), outputs()) is OTHERWISE
    assert careful.direct(inputs(), None) is not OTHERWISE


@pytest.mark.parametrize("guarded", [False, True])
def test_each_attribute_is_asked_for_once(guarded: bool) -> None:
    form = module._Form(3, 2, fills=True, by_threads=False, guarded=guarded, unflattens=False)
    lines = module._lines(form)
    text = "\n".join(lines)
    assert not any(word in text for word in ("for ", "zip", "map", "lambda"))
    filling = text[text.index("elif") : text.index("    else:")]
    for array in ("a0", "a1", "a2"):
        assert text.count(f"{array}.shape") == text.count(f"{array}.dtype") == filling.count(f"{array}.flags") == 1
    for array in ("b0", "b1"):
        assert (
            filling.count(f"{array}.shape") == filling.count(f"{array}.dtype") == filling.count(f"{array}.flags") == 1
        )


def test_kernels_call_directly() -> None:
    """From the second call with the same shapes on, and by name, too."""
    scale = kernel_of(SCALE, "c")
    x, factor = np.ones(3, np.float32), np.ones((), np.float32)
    assert scale._direct((x, factor), None) is OTHERWISE
    expected = scale(x, factor).tolist()
    assert scale._direct((x, factor), None).tolist() == expected
    out = [np.empty(3, np.float32)]
    assert scale._direct((x, factor), out) is out[0] and out[0].tolist() == expected
    out[0].fill(0)
    assert scale._direct((x, factor), out[0]) is out[0] and out[0].tolist() == expected, "without a list, too"
    direct: list[Any] = []
    original = scale._direct

    def seen(args: tuple[Any, ...], out: Any) -> Any:
        direct.append(original(args, out))
        return direct[-1]

    scale._direct = seen
    names = [a.name for a in scale.code.arguments if not a.is_output]
    assert scale(**dict(zip(names, (x, factor), strict=True))).tolist() == expected
    assert direct[-1] is not OTHERWISE


def test_errors_of_direct_calls_are_those_of_others() -> None:
    take: Kernel = kernel_of(TAKE, "c", program=TAKE_PROGRAM)
    energy = kernel_of(ENERGY)
    A, x = np.ones((5, 3)), np.ones(3)
    y = energy(A, x)[0]
    for _ in range(2):
        with pytest.raises(CallError, match="x has shape"):
            energy(A, np.ones(4))
        np.testing.assert_array_equal(energy(A, x)[0], y)
    table = np.ones((5, 2), np.float32)
    good, bad = np.array([0, 1], np.int32), np.array([0, 7], np.int32)
    take(table, good)
    messages = set()
    for index in (bad, bad[::-1][::-1], bad.tolist()):
        with pytest.raises(CallError) as caught:
            take(table, index)
        messages.add(str(caught.value))
    assert len(messages) == 1
