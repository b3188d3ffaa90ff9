"""Arrays on the device that a call does not take: each is named before anything runs, and the kernel goes on."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.runtime.cuda.driver import find_driver
from tests.cuda.device import kernel_of, target
from tests.cuda.foreign import Interfaced, Lent, counted, on_device

X, Y = np.arange(6.0).reshape(2, 3), np.arange(3.0)


class Unknown:
    """An array of which nobody knows how to read it."""


class OtherDevice:
    """An array on a device that is no GPU of NVIDIA's."""

    shape = (3,)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 10, 0

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("nothing to lend")


class Broken(Lent):
    def __dlpack__(self, *, stream: int) -> Any:
        raise BufferError("it is sharded")


def product() -> Kernel:
    return kernel_of(lambda x, y: x @ y, X, Y)


@pytest.mark.parametrize(
    ("y", "words", "argument"),
    [
        (lambda: Y, r"x is on device 0 and y is a numpy\.ndarray in the memory of the host.*pa\.to_device\(y\)", "y"),
        (lambda: [0.0, 1.0, 2.0], r"x is on device 0 and y is a list in the memory of the host", "y"),
        (Unknown, r"x is on device 0 and y is a .*Unknown that is on no device, or speaks neither", "y"),
        (OtherDevice, r"y is a .*OtherDevice that is on no device", "y"),
        (lambda: Lent(Y, device=1), r"x is on device 0 and y on device 1: a kernel runs on one device", "y"),
        (lambda: Broken(Y), r"y: this .*Broken gives no.*it is sharded", "y"),
        (lambda: pa.to_device(Y.astype("float32")), r"y: expected float64, got float32.*not converted", "y"),
        (lambda: Interfaced(Y, typestr=">f8"), r"y: expected float64, got >f8", "y"),
        (lambda: Interfaced(Y, typestr="<f2"), r"y: expected float64, got float16", "y"),
        (lambda: pa.to_device(np.ones(4)), r"4|shape", "y"),
        (lambda: pa.to_device(np.ones((3, 1))), r"dimension|shape", "y"),
        (
            lambda: Interfaced(np.ones(6), shape=(3,), strides=(16,)),
            r"y: expected rows .* strides \(16,\).*ascontiguousarray\(y\)",
            "y",
        ),
        (lambda: Interfaced(Y, mask=Y), r"y is masked.*fill it", "y"),
        (lambda: Interfaced(Y, data=(4096, False)), r"y is in memory of no device", "y"),
    ],
)
def test_a_wrong_input_is_named(y: Any, words: str, argument: str) -> None:
    kernel = product()
    (x,) = on_device(X)
    with counted() as calls, pytest.raises(CallError, match=words) as caught:
        kernel(x, y())
    assert caught.value.argument == argument
    assert not calls["cuLaunchKernel"]
    np.testing.assert_array_equal(kernel(x, pa.to_device(Y)).numpy(), X @ Y)


def test_the_first_of_both_is_named() -> None:
    (y,) = on_device(Y)
    with pytest.raises(CallError, match=r"y is on device 0 and x is a numpy\.ndarray"):
        product()(X, y)
    with pytest.raises(CallError, match=r"missing 'y'"):
        product()(pa.to_device(X))
    with pytest.raises(CallError, match=r"takes 2 arrays, got 3"):
        product()(pa.to_device(X), y, y)


@pytest.mark.parametrize(
    ("out", "words"),
    [
        (lambda: np.zeros(2), r"out: the inputs are on device 0 and \w+ is a numpy\.ndarray in the memory of the host"),
        (Unknown, r"out= takes 1 arrays|\w+ is a .*Unknown that is on no device"),
        (lambda: [Unknown()], r"\w+ is a .*Unknown that is on no device"),
        (lambda: pa.to_device(np.zeros(2, np.float32)), r"out: \w+: expected float64, got float32"),
        (lambda: pa.to_device(np.zeros(3)), r"out: \w+: expected shape \(2,\), got \(3,\)"),
        (
            lambda: Interfaced(np.zeros(4), shape=(2,), strides=(16,)),
            r"out: \w+: expected rows .* strides \(16,\).*pass a cont",
        ),
        (lambda: Interfaced(np.zeros(2), data=(pa.to_device(Y)._pointer, True)), r"out: \w+ is read-only; pass"),
        (lambda: [Lent(np.zeros(2), device=1)], r"out: the inputs are on device 0 and \w+ on device 1"),
        (lambda: [pa.to_device(np.zeros(2))] * 2, r"out= takes 1 arrays"),
    ],
)
def test_a_wrong_output_is_named(out: Any, words: str) -> None:
    kernel = product()
    given = on_device(X, Y)
    with counted() as calls, pytest.raises(CallError, match=words):
        kernel(*given, out=out())
    assert not calls["cuLaunchKernel"]
    np.testing.assert_array_equal(kernel(*given).numpy(), X @ Y)


def test_outputs_on_the_device_want_inputs_there() -> None:
    with pytest.raises(CallError, match=r"out is on device 0 and x is a numpy\.ndarray in the memory of the host"):
        product()(X, Y, out=pa.to_device(np.zeros(2)))


def test_outputs_that_share_memory() -> None:
    kernel = kernel_of(lambda x: (x + 1.0, x * 2.0), Y)
    x, out = on_device(Y, np.zeros(3))
    with pytest.raises(CallError, match=r"share memory.*their own"):
        kernel(x, out=[out, out])


def test_inputs_may_be_read_only() -> None:
    x = Interfaced(X, data=(pa.to_device(X)._pointer, True))
    x.said = {"data": (x.held._pointer, True)}
    np.testing.assert_array_equal(product()(x, pa.to_device(Y)).numpy(), X @ Y)


def test_rows_of_one_element_may_have_any_stride() -> None:
    """Strides of dimensions with one element, and of arrays without any, say nothing."""
    x = Interfaced(X[:1], strides=(999, 8))
    np.testing.assert_array_equal(kernel_of(lambda x, y: x @ y, X[:1], Y)(x, pa.to_device(Y)).numpy(), X[:1] @ Y)


def test_sizes_that_the_program_excludes() -> None:
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x", "float64")
    kernel = pa.compile(pa.compute((N - 3,), lambda i: x[i + 3] - x[i]), [x], target=target())
    np.testing.assert_array_equal(kernel(pa.to_device(np.arange(5.0))).numpy(), [3, 3])
    for given in (np.arange(2.0), np.arange(1.0)):
        with pytest.raises(CallError) as on_host:
            kernel(given)
        with pytest.raises(CallError) as there:
            kernel(pa.to_device(given))
        assert str(there.value) == str(on_host.value)


def test_memory_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel, given, found = product(), on_device(X, Y), find_driver()
    kernel(*given)
    library = found.lib

    class Full:
        def __getattr__(self, name: str) -> Any:
            return (lambda *_: 2) if name in ("cuMemAlloc_v2", "cuMemAllocAsync") else getattr(library, name)

    found.memory.free_idle()
    monkeypatch.setattr(found, "lib", Full())
    with pytest.raises(CallError, match=r"memory left.*16 bytes were asked for"):
        kernel(*given)
    monkeypatch.setattr(found, "lib", library)
    np.testing.assert_array_equal(kernel(*given).numpy(), X @ Y)
