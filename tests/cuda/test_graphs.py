"""Graphs of what was captured: the bits of a call, in any stream; while a stream is captured, nobody waits."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen import launch_shape
from polyad.errors import CallError
from polyad.machine.device import Limits
from polyad.runtime.cuda.driver import find_driver
from tests.cuda.device import kernel_of, target
from tests.cuda.foreign import Recorder, counted, new_stream, on_device
from tests.cuda.test_device_arrays import SHAPES, flat, same
from tests.cuda.test_programs import arrays
from tests.cuda.test_streams import LSTM, chained, gather


def test_a_gradient_is_captured_and_replayed() -> None:
    driver, stream = find_driver(), new_stream(find_driver())
    given = arrays(*SHAPES, dtype="float32")
    device = on_device(*given)
    wanted = LSTM(*given)
    LSTM(*device, stream=stream)
    with counted() as calls, Recorder(driver, stream) as recorder:
        captured = LSTM(*device, stream=stream)
    assert LSTM.kernel is not None
    assert calls["cuLaunchKernel"] == len(LSTM.kernel.code.launches)
    assert not {"cuStreamSynchronize", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2"} & calls.keys()
    with counted() as calls:
        for place in (stream, new_stream(driver)):
            recorder.graph.replay(place)
            same(captured, wanted)
    assert not calls["cuLaunchKernel"], "the graph has them"
    others = arrays(*SHAPES, dtype="float32", seed=1)
    for into, array in zip(device, others, strict=True):
        overwrite(into, array)
    recorder.graph.replay(stream)
    same(captured, LSTM(*others))


def overwrite(into: pa.DeviceArray, array: np.ndarray) -> None:
    driver = find_driver()
    with driver.current():
        data = driver.ffi.from_buffer(np.ascontiguousarray(array))
        driver.do("cuMemcpyHtoDAsync_v2", into._pointer, data, array.nbytes, driver.streams.copies)
        driver.streams.wait(driver.streams.copies)


def test_a_graph_has_a_workspace_of_its_own() -> None:
    """A later call in the stream, which grows its workspace, and calls beside, do it no harm."""
    driver, stream = find_driver(), new_stream(find_driver())
    f = pa.grad(chained, target=target())
    small, large = arrays((8, 8), (8, 8)), arrays((64, 64), (64, 64))
    there = on_device(*small)
    with Recorder(driver, stream) as recorder:
        captured = f(*there, stream=stream)
    wanted = f(*small)
    same(f(*on_device(*large), stream=stream), f(*large))
    driver.memory.free_idle()
    for _ in range(2):
        recorder.graph.replay(stream)
        same(captured, wanted)


def test_the_first_call_may_be_captured() -> None:
    """Modules are loaded, captured arrays copied and outputs allocated beside the capture."""
    driver, stream = find_driver(), new_stream(find_driver(), blocking=True)
    table = np.random.default_rng(0).normal(size=(64, 3))
    f = pa.jit(lambda x, a: (x @ pa.numpy.asarray(table) - 4.25) * a, target())
    x = np.ones((2, 64))
    (device,) = on_device(x)
    with Recorder(driver, stream) as recorder:
        captured = f(device, 0.5, stream=stream)
    wanted = f(x, 0.5)
    for _ in range(2):
        recorder.graph.replay(stream)
        same(captured, wanted)


def test_outputs_to_fill_while_capturing() -> None:
    driver, stream = find_driver(), new_stream(find_driver())
    x = np.arange(300.0)
    p = pa.placeholder((300,), "x", "float64")
    kernel = pa.compile(pa.compute((300,), lambda i: p[299 - i] + p[i]), [p], target=target())
    (device,) = on_device(x)
    with Recorder(driver, stream) as recorder:
        kernel(device, out=device, stream=stream)
    for _ in range(2):
        recorder.graph.replay(stream)
        x = x[::-1] + x
    found = np.empty_like(x)
    with driver.current():
        driver.do("cuMemcpyDtoHAsync_v2", driver.ffi.from_buffer(found), device._pointer, x.nbytes, stream)
        driver.streams.wait(stream)
    np.testing.assert_array_equal(found, x)


@pytest.mark.parametrize("blocking", [False, True])
def test_what_would_wait_is_refused_while_capturing(blocking: bool) -> None:
    driver, stream = find_driver(), new_stream(find_driver(), blocking)
    kernel, double = gather(), kernel_of(lambda x: x * 2.0, np.ones(5))
    table, ids = on_device(np.arange(5.0), np.array([0, 4, 2]))
    with Recorder(driver, stream) as recorder:
        with pytest.raises(CallError, match=r"being captured.*index ids.*outside of the capture"):
            kernel(table, ids, stream=stream)
        with pytest.raises(CallError, match=r"being captured.*NumPy waits.*pa\.to_device"):
            double(np.arange(5.0), stream=stream)
        if blocking:
            with pytest.raises(CallError, match="being captured"):
                double(np.arange(5.0))
        result = double(table, stream=stream)
        with pytest.raises(CallError, match="replayed"):
            result.numpy()
    recorder.graph.replay(stream)
    np.testing.assert_array_equal(flat(double(np.arange(5.0)))[0], [0, 2, 4, 6, 8])


def test_teams_that_count_in_memory_are_captured(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words in which they count lie in the workspace, and are 0 again before each launch."""
    driver, streams = find_driver(), [new_stream(find_driver()) for _ in range(2)]
    monkeypatch.setattr(launch_shape, "DEVICE", replace(launch_shape.DEVICE, member_work=16))
    room = launch_shape.DEVICE.own_shared + 9500  # for half of the weights, where clusters are none
    monkeypatch.setattr(driver, "limits", Limits(driver.limits.multiprocessors, room, 1))

    def states(x: Any, w: Any) -> Any:
        def step(h: Any, a: Any) -> Any:
            h = pa.tanh(h @ w + a)
            return h, h

        return pa.scan(step, init=pa.numpy.zeros((2, 64), "float32"), xs=x)[1]

    f = pa.jit(states, target())
    given = arrays((3, 2, 64), (64, 64), dtype="float32")
    wanted, device = f(*given), on_device(*given)
    assert f.kernel is not None
    geometries = [launch.geometry({}, driver.limits) for launch in f.kernel.code.launches]
    assert any(g.counts and g.members == 2 for g in geometries)
    for stream in (*streams, *streams):
        same(f(*device, stream=stream), wanted)
    with Recorder(driver, streams[0]) as recorder:
        captured = f(*device, stream=streams[0])
    for stream in streams:
        recorder.graph.replay(stream)
        same(captured, wanted)
