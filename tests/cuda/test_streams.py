"""Streams: which one a call takes, that it does not wait, what waits for what, and graphs of what was captured."""

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.launch_shape import Geometry
from polyad.errors import CallError
from polyad.kernel import Kernel
from polyad.runtime.cuda import dlpack
from polyad.runtime.cuda.driver import find_driver
from polyad.runtime.cuda.streams import stream_number
from tests.cuda.device import kernel_of, target
from tests.cuda.foreign import (
    WAITING,
    Interfaced,
    Lent,
    counted,
    declare,
    foreign_stream,
    new_stream,
    on_device,
)
from tests.cuda.test_device_arrays import SHAPES, same
from tests.cuda.test_programs import arrays, lstm

LSTM = pa.value_and_grad(lstm, argnums=tuple(range(6)), target=target())


class Stream:
    """A stream as a library has it: one attribute says its number."""

    def __init__(self, name: str, value: Any):
        setattr(self, name, value)


class Protocol:
    def __init__(self, number: int):
        self.number = number

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.number


def gather() -> Kernel:
    """A kernel that checks an index: table[ids]."""
    return kernel_of(lambda table, ids: table[ids] * 2.0, np.ones(5), np.zeros(3, np.int64))


def chained(x: Any, w: Any) -> Any:
    return (pa.tanh(x @ w) @ w).sum()


def chain() -> Kernel:
    """Several launches, with arrays in the workspace between."""
    kernel = kernel_of(pa.grad(chained), *arrays((40, 40), (40, 40)))
    assert len(kernel.code.launches) > 1
    assert kernel.code.memory.slots
    return kernel


def test_streams_are_numbers_and_objects() -> None:
    driver, x = find_driver(), np.ones(4)
    kernel, number = kernel_of(lambda x: x + 1.0, x), new_stream(find_driver())
    (device,) = on_device(x)
    for stream in (number, Stream("cuda_stream", number), Stream("ptr", number), Protocol(number)):
        assert stream_number(stream) == number
        found = kernel(device, stream=stream)
        assert found.stream == number
        np.testing.assert_array_equal(found.numpy(), 2.0)
        np.testing.assert_array_equal(kernel(x, stream=stream), 2.0)
    assert kernel(device).stream == 0
    f = pa.jit(lambda x: x + 1.0, target())
    assert f(device, stream=number).stream == number
    np.testing.assert_array_equal(f(x, stream=number), 2.0)
    driver.streams.wait(number)


@pytest.mark.parametrize("wrong", ["stream", 1.5, True, -1, object()])
def test_what_is_no_stream(wrong: Any) -> None:
    kernel = kernel_of(lambda x: x + 1.0, np.ones(4))
    with pytest.raises(CallError, match=r"stream=.*cuda_stream \(PyTorch\), ptr \(CuPy\) or __cuda_stream__"):
        kernel(np.ones(4), stream=wrong)


def test_a_kernel_of_the_cpu_has_no_stream() -> None:
    kernel = pa.compile(pa.placeholder((3,), "x", "float64") + 1.0, target="c")
    with pytest.raises(CallError, match="no argument 'stream'"):
        kernel(np.ones(3), stream=0)


def test_an_input_may_be_called_stream() -> None:
    p = pa.placeholder((3,), "stream", "float64")
    kernel = pa.compile(p + 1.0, [p], target=target())
    np.testing.assert_array_equal(kernel(stream=np.ones(3)), 2.0)
    f = pa.jit(lambda stream: stream * 2.0, target())
    np.testing.assert_array_equal(f(stream=pa.to_device(np.ones(3))).numpy(), 2.0)


def test_a_stream_of_another_device() -> None:
    stream = foreign_stream(find_driver())
    kernel, x = kernel_of(lambda x: x + 1.0, np.ones(4)), np.ones(4)
    for given in (x, *on_device(x)):
        with pytest.raises(CallError, match=r"stream=0x.* another device or context.*device 0.*leave stream= out"):
            kernel(given, stream=stream)
    np.testing.assert_array_equal(kernel(x), 2.0)


def test_the_stream_that_an_array_names() -> None:
    stream = new_stream(find_driver())
    kernel, x = kernel_of(lambda x, y: x + y, *2 * [np.ones(4)]), np.ones(4)
    first = Interfaced(x, stream=stream)
    assert kernel(first, Interfaced(x)).stream == stream
    assert kernel(Interfaced(x), first).stream == stream
    assert kernel(Interfaced(x, stream=1), Interfaced(x, stream=None)).stream == 0
    with counted() as calls:
        assert kernel(first, first).stream == stream
    assert not calls["cuStreamWaitEvent"]
    with counted() as calls:
        assert kernel(first, Interfaced(x), stream=0).stream == 0
    assert calls["cuStreamWaitEvent"] == 1, "the array is there when its own stream comes so far"


def test_who_lends_makes_it_ready_for_our_stream() -> None:
    stream = new_stream(find_driver())
    kernel, lent = kernel_of(lambda x: x + 1.0, np.ones(4)), Lent(np.ones(4))
    kernel(lent)
    kernel(lent, stream=stream)
    assert lent.asked == [1, stream]
    made = kernel(lent, stream=stream)
    with counted() as calls:
        made.__dlpack__(stream=stream)
        made.__dlpack__(stream=-1)
    assert not calls["cuStreamWaitEvent"]
    with counted() as calls:
        made.__dlpack__(stream=None)
    assert calls["cuStreamWaitEvent"] == 1


def test_what_was_lent_is_kept_until_the_device_is_done() -> None:
    kernel, (x,) = kernel_of(lambda x: x + 1.0, np.ones(4)), on_device(np.ones(4))
    kernel(x)
    before = len(dlpack._LENT)
    kernel(Lent(np.ones(4)), out=Lent(np.ones(4)))
    assert len(dlpack._LENT) == before + 2
    kernel(x)
    assert len(dlpack._LENT) == before


def test_the_context_of_the_caller_stays() -> None:
    driver, kernel, x = find_driver(), kernel_of(lambda x: x + 1.0, np.ones(4)), pa.to_device(np.ones(4))
    declare(driver)
    context, found = driver.ffi.new("void **"), driver.ffi.new("void **")
    with driver.current():
        driver.do("cuCtxCreate_v2", context, 0, driver.device)
        for call in (lambda: kernel(x), lambda: kernel(np.ones(4)), x.numpy, lambda: pa.to_device(np.ones(4))):
            call()
            driver.do("cuCtxGetCurrent", found)
            assert found[0] == context[0]
        driver.do("cuCtxSetCurrent", driver.context)


def test_a_result_is_ready_in_another_stream() -> None:
    one, other = new_stream(find_driver()), new_stream(find_driver())
    kernel = kernel_of(lambda x: x + 1.0, np.ones(4))
    (x,) = on_device(np.ones(4))
    with counted() as calls:
        again = kernel(kernel(x, stream=one), stream=other)
    assert calls["cuStreamWaitEvent"] == 1
    np.testing.assert_array_equal(again.numpy(), 3.0)
    with counted() as calls:
        kernel(again)
    assert not calls["cuStreamWaitEvent"], "without stream= it is that of the array"


def test_a_call_launches_and_nothing_else() -> None:
    given = arrays(*SHAPES, dtype="float32")
    device = on_device(*given)
    LSTM(*device)
    kept = LSTM(*device)
    del kept
    assert LSTM.kernel is not None
    with counted() as calls:
        LSTM(*device)
    assert calls["cuLaunchKernel"] == len(LSTM.kernel.code.launches)
    assert not WAITING & calls.keys()
    assert calls.keys() <= {"cuLaunchKernel", "cuCtxGetCurrent", "cuStreamIsCapturing"}


def test_the_driver_says_how_many_launches_there_are(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    if "CUDA_CPU_HOME" not in os.environ:
        pytest.skip("the driver for CPUs writes what it is asked")
    kernel, given = chain(), on_device(*arrays((40, 40), (40, 40)))
    kernel(*given)
    monkeypatch.setenv("CUDA_CPU_TRACE", str(tmp_path / "trace"))
    kernel(*given)
    lines = (tmp_path / "trace").read_text().splitlines()
    assert [line.split()[1] for line in lines if line.startswith("launch")] == [s.kernel for s in kernel.code.launches]
    assert not [line for line in lines if line.startswith(("copy", "synchronize"))]


def test_shared_memory_that_a_launch_asked_for_stays() -> None:
    """Launches are kept, and those of other sizes may ask for less."""
    driver, kernel = find_driver(), chain()
    function = kernel._device_function()._loaded(driver)[0]
    with driver.current(), counted() as calls:
        for room in (4096, 1024, 4096, 8192):
            driver.kernels.make_room(function, Geometry(1, 32, room=room))
    assert calls["cuFuncSetAttribute"] == 2


def test_numpy_in_a_stream_is_copied_there() -> None:
    kernel, given, stream = chain(), arrays((40, 40), (40, 40)), new_stream(find_driver())
    wanted = kernel(*given)
    np.testing.assert_array_equal(kernel(*given, stream=stream), wanted)
    np.testing.assert_array_equal(kernel(*given), wanted)


def test_an_index_out_of_range_is_waited_for() -> None:
    kernel, table = gather(), np.arange(5.0)
    device, ids = on_device(table, np.array([0, 4, 2]))
    np.testing.assert_array_equal(kernel(device, ids).numpy(), [0, 8, 4])
    with counted() as calls:
        kernel(device, ids)
    assert calls["cuStreamSynchronize"] == 1
    wrong = np.array([0, 5, 2])
    with pytest.raises(CallError) as on_host:
        kernel(table, wrong)
    out = pa.to_device(np.full(3, 7.0))
    with pytest.raises(CallError) as there:
        kernel(device, pa.to_device(wrong), out=out)
    assert str(there.value) == str(on_host.value)
    np.testing.assert_array_equal(out.numpy(), 7.0)
    np.testing.assert_array_equal(kernel(device, ids, out=out).numpy(), [0, 8, 4])


def test_an_index_that_is_computed_is_checked_where_it_is_used() -> None:
    """Something is written by then, but not to what the caller gave."""
    table, steps = np.arange(5.0), np.array([1, 1, 1])
    kernel = kernel_of(lambda table, steps: table[pa.numpy.cumsum(steps)] * 2.0, table, steps)
    assert [check.before for check in kernel.code.checks] == [False]
    device, out = on_device(table, np.full(3, 7.0))
    assert kernel(device, pa.to_device(steps), out=out) is out
    np.testing.assert_array_equal(out.numpy(), [2, 4, 6])
    with pytest.raises(CallError, match=r"cumsum.* = 6 in dimension 0 of table"):
        kernel(device, pa.to_device(2 * steps), out=out)
    np.testing.assert_array_equal(out.numpy(), [2, 4, 6])


def test_streams_have_workspaces_of_their_own() -> None:
    driver, kernel = find_driver(), chain()
    given = on_device(*arrays((40, 40), (40, 40)))
    wanted = kernel(*given).numpy()
    streams = [new_stream(driver) for _ in range(2)]
    results = [kernel(*given, stream=s) for s in (*streams, *streams)]
    for result in results:
        np.testing.assert_array_equal(result.numpy(), wanted)
    held = [driver.workspaces._of[s].pointer for s in streams]
    assert held[0] != held[1]
    with counted() as calls:
        kernel(*given, stream=streams[0])
    assert not {"cuMemAllocAsync", "cuMemFreeAsync"} & calls.keys(), "it is kept"


def test_a_workspace_grows() -> None:
    driver, stream = find_driver(), new_stream(find_driver())
    f = pa.grad(chained, target=target())
    for n in (8, 40, 8, 64):
        given = arrays((n, n), (n, n))
        same(f(*on_device(*given), stream=stream), f(*given))
    assert driver.workspaces._of[stream].size >= 64 * 64 * 8


def test_threads_share_a_stream() -> None:
    """The launches of one call are not mixed with those of another, which has the same workspace."""
    kernel = chain()
    inputs = [arrays((40, 40), (40, 40), seed=n) for n in range(6)]
    alone = [kernel(*given) for given in inputs]
    device = [on_device(*given) for given in inputs]
    together: list[tuple[int, int]] = []
    inside = threading.Lock()
    launch = find_driver().lib.cuLaunchKernel

    class Noting:
        """Says which kernels are launched in between, and lets others run there."""

        def __getattr__(self, name: str) -> Any:
            return getattr(lib, name)

        def cuLaunchKernel(self, *args: Any) -> int:
            together.append((threading.get_ident(), int(args[0] == first)))
            return int(launch(*args))

    driver = find_driver()
    lib = driver.lib
    first = kernel._device_function()._loaded(driver)[0]
    with inside:
        driver.lib = Noting()
        try:
            with ThreadPoolExecutor(3) as pool:
                found = list(pool.map(lambda given: kernel(*given), device * 4))
        finally:
            driver.lib = lib
    for number, result in enumerate(found):
        np.testing.assert_array_equal(result.numpy(), alone[number % len(inputs)])
    count = len(kernel.code.launches)
    assert len(together) == count * len(found)
    for start in range(0, len(together), count):
        call = together[start : start + count]
        assert len({thread for thread, _ in call}) == 1
        assert [is_first for _, is_first in call] == [1] + [0] * (count - 1)


def test_arrays_are_lost_with_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    if "CUDA_CPU_HOME" not in os.environ:
        pytest.skip("nothing would run in this process any more")
    driver, kernel = find_driver(), kernel_of(lambda x: x * 2.0, np.ones(5))
    (x,) = on_device(np.ones(5))
    kernel(x)
    other = kernel_of(lambda x: x * 3.0, np.ones(5))
    other(x)
    x._pointer, pointer = 4096, x._pointer  # an address that nobody owns
    with pytest.raises(CallError, match="a kernel failed"):
        kernel(x)
    x._pointer = pointer
    assert driver.memory is not x._memory
    for use in (kernel, pa.DeviceArray.numpy):
        with pytest.raises(CallError, match=r"lost.*make it again"):
            use(x)
    np.testing.assert_array_equal(kernel(pa.to_device(np.ones(5))).numpy(), 2.0)
    np.testing.assert_array_equal(other(pa.to_device(np.ones(5))).numpy(), 3.0)
