"""Arrays on the device in and out: the bits of a call with arrays of NumPy, whichever library they are of."""

import os
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.runtime.cuda import dlpack, libraries
from polyad.runtime.cuda.driver import find_driver
from tests.cuda.device import kernel_of, target
from tests.cuda.foreign import Interfaced, Lent, counted, new_stream, on_device
from tests.cuda.test_programs import arrays, lstm
from tests.pet.extracted import NEEDS_PET

KINDS: list[Callable[[Any], Any]] = [pa.to_device, Interfaced, Lent]
SHAPES = (4, 3, 5), (5, 24), (6, 24), (24,), (3, 6), (3, 6)


def flat(results: Any) -> list[np.ndarray]:
    leaves, _ = pa.frontend.pytrees.flatten(results)
    return [leaf if isinstance(leaf, np.ndarray) else leaf.numpy() for leaf in leaves]


def same(found: Any, wanted: Any) -> None:
    for one, other in zip(flat(found), flat(wanted), strict=True):
        np.testing.assert_array_equal(one, other, strict=True)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (2, 3, 4)])
def test_there_and_back(shape: tuple[int, ...], dtype: str) -> None:
    given = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    array = pa.to_device(given)
    assert (array.shape, array.dtype, array.device, array.ndim, array.size) == (shape, dtype, 0, len(shape), given.size)
    for back in (array.numpy(), np.asarray(array), np.array(array)):
        np.testing.assert_array_equal(back, given, strict=True)
    assert repr(array) == f"<DeviceArray {dtype}{list(shape)} on device 0>"


def test_arrays_of_one_number_and_lengths() -> None:
    assert float(pa.to_device(2.5)) == 2.5
    assert len(pa.to_device(np.ones((3, 2)))) == 3
    with pytest.raises(TypeError):
        len(pa.to_device(1.0))
    assert np.asarray(pa.to_device(np.ones(2)), "float32").dtype == np.float32
    np.testing.assert_array_equal(pa.to_device(np.arange(6.0).reshape(2, 3).T).numpy(), np.arange(6.0).reshape(2, 3).T)
    with pytest.raises(ValueError, match="copied"):
        np.asarray(pa.to_device(np.ones(2)), copy=False)


def test_what_cannot_go_there() -> None:
    with pytest.raises(pa.CallError, match=r"uint64.*astype"):
        pa.to_device(np.ones(3, np.uint64))
    with pytest.raises(pa.CallError, match=r"no device 99.*numbered from 0"):
        pa.to_device(np.ones(3), device=99)


@pytest.mark.parametrize("kind", KINDS)
def test_gradient_of_an_lstm(kind: Callable[[Any], Any]) -> None:
    given = arrays(*SHAPES, dtype="float32")
    function = pa.value_and_grad(lstm, argnums=tuple(range(6)), target=target())
    wanted = function(*given)
    for _ in range(2):
        found = function(*map(kind, given))
        assert all(isinstance(leaf, pa.DeviceArray) for leaf in (found[0], *found[1]))
        same(found, wanted)


def test_kinds_of_arrays_mix() -> None:
    given = arrays((4, 5), (5, 6), (6,))
    kernel = kernel_of(lambda x, y, z: pa.tanh(x @ y) + z, *given)
    x, y, z = given
    same(kernel(Interfaced(x), Lent(y), pa.to_device(z)), kernel(*given))
    same(kernel(z=Lent(z), x=pa.to_device(x), y=Interfaced(y)), kernel(*given))


def test_numbers_stand_beside_arrays() -> None:
    f = pa.jit(lambda x, a, n: (x * a) ** n, target())
    x = np.arange(4.0)
    (device,) = on_device(x)
    for numbers in ((0.5, 2), (np.float64(0.25), np.int64(3)), (np.array(1.5), 1)):
        same(f(device, *numbers), f(x, *numbers))
    a, b = pa.placeholder((), "a", "float64"), pa.placeholder((3,), "b", "float32")
    kernel = pa.compile([a + 1.0, b * 2.0], [a, b], target=target())
    ones = np.ones(3, np.float32)
    same(kernel(0.5, pa.to_device(ones)), kernel(0.5, ones))
    with pytest.raises(pa.CallError, match="a"):
        kernel(1j, pa.to_device(ones))


def test_functions_close_over_arrays() -> None:
    table = np.random.default_rng(0).normal(size=(64, 3))
    f = pa.jit(lambda x: x @ pa.numpy.asarray(table), target())
    x = np.ones((2, 64))
    (device,) = on_device(x)
    same(f(device), f(x))
    same(f(device), f(x))


def test_truth_values_are_numbers_where_the_library_has_none() -> None:
    f = pa.jit(lambda x: x > 0.0, target())
    x = np.array([1.0, -1.0])
    assert f(x).dtype == bool
    np.testing.assert_array_equal(f(pa.to_device(x)).numpy(), [1, 0])


def test_types_are_not_converted_on_the_device() -> None:
    f = pa.jit(lambda x: x * 2, target())
    with pytest.raises(pa.CallError, match=r"uint64.*int64"):
        f(Interfaced(np.ones(3, np.int64), shape=(3,), typestr="<u8"))
    capsule = dlpack.read_capsule
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(libraries, "read_capsule", lambda c: replace(capsule(c), dtype="bfloat16"))
        with pytest.raises(pa.CallError, match=r"argument args\[0\]\[0\]: an array of bfloat16.*float32"):
            f(Lent(np.ones(3)))


def test_sizes_given_by_name_and_extents_of_zero() -> None:
    N, M = pa.sizes("N M")
    x = pa.placeholder((N,), "x", "float64")
    kernel = pa.compile(pa.compute((N, M), lambda i, j: x[i] * (j + 1)), [x], target=target())
    given = np.arange(3.0)
    for m in (2, 5):
        same(kernel(pa.to_device(given), M=m), kernel(given, M=m))
    for wrong, m in ((given[:0], 2), (given, 0)):
        with pytest.raises(pa.CallError, match=r">= 1, which is assumed"):
            kernel(pa.to_device(wrong), M=m)
    f = pa.jit(lambda x: (x.sum(axis=0), x * 2.0), target())
    for kind in KINDS:
        same(f(kind(np.ones((0, 3)))), f(np.ones((0, 3))))


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_to_fill(kind: Callable[[Any], Any]) -> None:
    x = np.arange(6.0).reshape(2, 3)
    p = pa.placeholder((2, 3), "x", "float64")
    kernel = pa.compile({"double": p * 2.0, "sums": pa.sum(p, axis=1)}, [p], target=target())
    wanted, (device,) = kernel(x), on_device(x)
    double, sums = kind(np.zeros((2, 3))), kind(np.zeros(2))
    for out in ([double, sums], {"double": double, "sums": sums}, [double, None], {"sums": sums}):
        found = kernel(device, out=out)
        np.testing.assert_array_equal(found["double"].numpy(), wanted["double"])
        np.testing.assert_array_equal(found["sums"].numpy(), wanted["sums"])
        for given in out.values() if isinstance(out, dict) else out:
            assert given is None or any(given is f for f in found.values())


def test_an_output_may_lie_over_an_input() -> None:
    """It is computed elsewhere: each element needs its neighbours."""
    x = np.arange(300.0)
    p = pa.placeholder((300,), "x", "float64")
    kernel = pa.compile(pa.compute((300,), lambda i: p[299 - i] + p[i]), [p], target=target())
    (device,) = on_device(x)
    assert kernel(device, out=device) is device
    np.testing.assert_array_equal(device.numpy(), x[::-1] + x)


def test_numbers_into_arrays_on_the_device() -> None:
    a = pa.placeholder((), "a", "float64")
    kernel = pa.compile(pa.compute((4,), lambda i: a[()] * i), [a], target=target())
    (out,) = on_device(np.zeros(4))
    assert kernel(2.0, out=out) is out
    np.testing.assert_array_equal(out.numpy(), [0, 2, 4, 6])
    assert isinstance(kernel(2.0), np.ndarray)


@NEEDS_PET
def test_what_c_overwrites(tmp_path: Any) -> None:
    file = tmp_path / "sweep.c"
    file.write_text(
        "void sweep(int n, double x[n], double y[n]) {\n#pragma scop\n"
        "for (int i = 1; i < n; ++i) x[i] = x[i] + 0.5 * x[i - 1] + y[i];\n#pragma endscop\n}\n"
    )
    program = pa.from_c(str(file), function="sweep")
    kernel = pa.compile(program, target=target(), schedule=program.schedule)
    x, y = arrays((20,), (20,))
    wanted = kernel(x, y)["x"]
    dx, dy = on_device(x, y)
    same(kernel(dx, dy)["x"], wanted)
    np.testing.assert_array_equal(dx.numpy(), x)
    assert kernel(dx, dy, out={"x": dx})["x"] is dx
    np.testing.assert_array_equal(dx.numpy(), wanted)


def test_results_are_of_the_first_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """As those of PyTorch, CuPy and JAX are, by its own constructor."""

    class Theirs(Interfaced):
        pass

    def empty(wanted: Any, driver: Any, stream: int) -> list[tuple[Any, int]]:
        made = [Theirs(np.zeros(shape, dtype)) for shape, dtype in wanted]
        return [(array, array.held._pointer) for array in made]

    row = libraries.Library("theirs", libraries._read_interface("theirs"), empty)
    monkeypatch.setitem(libraries._KNOWN, Theirs, row)
    x = np.arange(3.0)
    kernel = kernel_of(lambda x, y: (x + y, x * y), x, x)
    for given, kind in (((Theirs(x), pa.to_device(x)), Theirs), ((pa.to_device(x), Theirs(x)), pa.DeviceArray)):
        results = kernel(*given)
        assert [type(r) for r in results] == [kind, kind]
        same([r.numpy() for r in results], [x + x, x * x])
    finished = []

    def finish(array: Any) -> Any:
        finished.append(array)
        return array

    monkeypatch.setitem(libraries._KNOWN, Theirs, replace(row, finish=finish))
    kernel = kernel_of(lambda x, y: (x - y, x * y), x, x)
    out = Theirs(np.zeros(3))
    results = kernel(Theirs(x), Theirs(x), out=[out, None])
    assert results[0] is out
    assert finished == [results[1]], "those of the caller are finished"
    same([r.numpy() for r in results], [x - x, x * x])


def test_memory_goes_back_to_its_stream() -> None:
    kernel = kernel_of(lambda x: x + 1.0, np.ones(1000))
    (x,) = on_device(np.ones(1000))
    first = kernel(x)
    at = first._pointer
    del first
    again = kernel(x)
    assert again._pointer == at
    capsule = again.__dlpack__()  # somebody else has it now: it is freed when they are done
    del again
    other = kernel(x)
    assert other._pointer != at
    del capsule
    memory = find_driver().memory
    assert not any(at in blocks for blocks in memory._idle.values()), "nobody has it before the next call"
    shared = kernel(x)
    kernel(shared, stream=new_stream(find_driver()))  # which may still read it when our stream is elsewhere
    place = shared._pointer
    del shared
    assert not any(place in blocks for blocks in memory._idle.values())


def test_the_interface() -> None:
    (array,) = on_device(np.ones((2, 3), np.float32))
    said = array.__cuda_array_interface__
    assert said["shape"] == (2, 3)
    assert (said["typestr"], said["version"], said["strides"], said["stream"]) == ("<f4", 3, None, None)
    made = kernel_of(lambda x: x + 1.0, np.ones((2, 3), np.float32))(array)
    assert made.__cuda_array_interface__["stream"] == 1, "0 is no stream of the interface"


def test_the_first_call_is_checked_where_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_CHECK", "1")
    N = pa.sizes("N")
    x, a = pa.placeholder((3,), "x", "float64"), pa.placeholder((), "a", "float64")
    kernel = pa.compile(pa.compute((N,), lambda i: pa.sum(x[:]) * a[()] + i), [x, a], target=target())
    seen = []
    check = kernel._check
    monkeypatch.setattr(kernel._on_device, "_check", lambda *given: (seen.append(given), check(*given)))
    (device,) = on_device(np.arange(3.0))
    for _ in range(2):
        np.testing.assert_array_equal(kernel(device, 2.0, N=4).numpy(), [6, 7, 8, 9])
    ((arrays_, named),) = seen
    np.testing.assert_array_equal(arrays_[0], np.arange(3.0))
    assert (float(arrays_[1]), dict(named)) == (2.0, {"N": 4})


def test_a_kernel_of_the_cpu_copies_what_is_on_the_device() -> None:
    (array,) = on_device(np.ones(3))
    np.testing.assert_array_equal(kernel_of(lambda x: x + 1.0, array)(np.ones(3)), 2.0)
    f = pa.jit(lambda x: x + 1.0, "c")
    np.testing.assert_array_equal(f(array), 2.0)


def test_a_second_device(monkeypatch: pytest.MonkeyPatch) -> None:
    if os.environ.get("CUDA_CPU_HOME"):
        monkeypatch.setenv("CUDA_CPU_DEVICES", "2")
    elif find_driver().integer("cuDeviceGetCount") < 2:
        pytest.skip("there is one device")
    x = np.arange(4.0)
    f = pa.jit(lambda x: (x * pa.numpy.asarray(np.arange(40.0)[::10])).sum() + x, target())
    first, second = pa.to_device(x), pa.to_device(x, device=1)
    assert second.device == 1
    found = f(second)
    assert found.device == 1
    same([found, f(first)], [f(x), f(x)])
    a = pa.placeholder((), "a", "float64")
    ramp = pa.compile(pa.compute((4,), lambda i: a[()] * i), [a], target=target())
    for out in (pa.to_device(np.zeros(4)), pa.to_device(np.zeros(4), device=1)):
        with counted(1) as calls:
            np.testing.assert_array_equal(ramp(2.0, out=out).numpy(), [0, 2, 4, 6])
        assert calls["cuLaunchKernel"] == out.device, "on the device of the array"
    kernel = kernel_of(lambda x, y: x + y, x, x)
    with pytest.raises(pa.CallError, match=r"x is on device 0 and y on device 1"):
        kernel(first, Interfaced(x, data=second.__cuda_array_interface__["data"]))


def test_arrays_that_begin_anywhere() -> None:
    """Tiles read sixteen bytes at once; those of a caller may begin at any element."""
    rng = np.random.default_rng(0)
    a, b = (rng.normal(size=(64, 64)).astype(np.float32) for _ in range(2))
    product = pa.jit(lambda a, b: a @ b, target())
    wanted = product(a, b)
    (entry,) = product.entries.values()
    assert [launch.over for launch in entry.kernel.code.launches] == ["tiles"]
    moved = [Interfaced(np.concatenate([np.zeros(1, np.float32), x.ravel()])) for x in (a, b)]
    for x in moved:
        data, read_only = x.held.__cuda_array_interface__["data"]
        x.said.update(data=(data + 4, read_only), shape=(64, 64))
    np.testing.assert_array_equal(product(*moved).numpy(), wanted)
