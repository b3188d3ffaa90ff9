"""Calls that cannot work: each is named with where, what, one instance and what to do, and the kernel goes on."""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.launch_shape import Geometry, LaunchShape
from polyad.errors import CallError, CompileError
from polyad.kernel import Kernel
from polyad.runtime.cuda import calls, compilers, context, driver
from polyad.runtime.cuda.driver import DriverError, find_driver
from tests.cuda.device import kernel_of, target
from tests.cuda.test_programs import arrays


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("cuda", {"arch": "sm_35"}, "no GPU before sm_75"),
        ("cuda", {"arch": "volta"}, "'sm_90'"),
        ("cuda", {"arch": 90}, "'sm_90'"),
        ("cuda", {"math": "quick"}, "'ieee' only"),
        ("cuda", {"march": "x86-64-v3"}, "option of a CPU"),
        ("cuda", {"machine": pa.machine.TINY}, "option of a CPU"),
        ("cuda", {"blas": "openblas"}, "option of a CPU"),
        ("cuda", {"atomics": True}, "False only"),
        ("openmp", {"arch": "sm_90"}, "option of a GPU"),
        ("c", {"cublas": True}, "option of a GPU"),
    ],
)
def test_options(name: str, options: dict[str, Any], words: str) -> None:
    with pytest.raises(CallError, match=words) as caught:
        pa.Target(name, **options)
    assert caught.value.argument in options


def double() -> Kernel:
    return kernel_of(lambda x: x * 2.0, *arrays((4,)))


def test_wrong_arrays_are_named() -> None:
    kernel = double()
    for wrong, words in (
        (np.ones(4, np.complex128), r"complex"),
        (np.ones((4, 1)), r"shape|dimension"),
        (np.ones(5), "4"),
    ):
        with pytest.raises(CallError, match=words):
            kernel(wrong)
    out = np.ones(8)[::2]
    np.testing.assert_array_equal(kernel(np.ones(4), out=out), 2.0)
    out.flags.writeable = False
    with pytest.raises(CallError, match=r"read-only|writ"):
        kernel(np.ones(4), out=out)
    np.testing.assert_array_equal(kernel(np.ones(4)), 2.0)


def test_no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setattr(compilers, "_wheel_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr(compilers, "_NVRTC", "libnvrtc_that_is_nowhere.so")
    x = pa.placeholder((3,), "x", "float64")
    kernel = pa.compile(pa.exp(x) + 41.0, [x], target=target())
    assert "PA_KERNEL" in kernel.source  # all but calls needs none
    assert kernel.certify()
    with pytest.raises(CompileError, match=r"nvcc.*CUDA_HOME.*NVRTC.*pip install"):
        kernel(np.ones(3))


def test_no_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context, "DRIVER_FILES", ("libcuda_that_is_nowhere.so",))
    with pytest.raises(CallError, match=r"driver was not found.*openmp"):
        driver.Driver()


def test_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    if not os.environ.get("CUDA_CPU_HOME"):
        pytest.skip("a device is here")
    monkeypatch.setenv("CUDA_CPU_DEVICES", "0")
    with pytest.raises(CallError, match=r"NO_DEVICE|no device"):
        driver.Driver()


def test_code_for_another_device() -> None:
    x = pa.placeholder((3,), "x", "float64")
    kernel = pa.compile(x + 1.0, [x], target=pa.Target("cuda", arch="sm_120"))
    with pytest.raises(CallError, match=r"for another device.*arch"):
        kernel(np.ones(3))


def test_without_a_word_it_is_the_device_at_hand() -> None:
    """Machine code, or PTX where the driver takes none."""
    x = pa.placeholder((3,), "x", "float64")
    np.testing.assert_array_equal(pa.compile(x - 1.0, [x], target="cuda")(np.ones(3)), 0.0)


def test_memory_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = double()
    given = np.ones(4)
    np.testing.assert_array_equal(kernel(given), 2.0)
    found = find_driver()

    def none(*_: Any) -> int:
        return 2

    class Full:
        def __getattr__(self, name: str) -> Any:
            return none if name == "cuMemAlloc_v2" else getattr(library, name)

    library = found.lib
    found.memory.free_idle()
    monkeypatch.setattr(found, "lib", Full())
    with pytest.raises(CallError, match=r"memory left.*32 bytes were asked for"):
        kernel(given)
    monkeypatch.setattr(found, "lib", library)
    np.testing.assert_array_equal(kernel(given), 2.0)


def test_a_launch_that_is_refused_loses_nothing_but_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = double()
    given = np.ones(4)
    monkeypatch.setattr(LaunchShape, "geometry", lambda *_: Geometry(1, 5000))
    with pytest.raises(DriverError, match="cuLaunchKernel failed"):
        kernel(given)
    monkeypatch.undo()
    np.testing.assert_array_equal(kernel(given), 2.0)


def test_a_kernel_that_fails_loses_the_context(monkeypatch: pytest.MonkeyPatch) -> None:
    """The next call has a new one, where the driver has any: on a device, a process cannot go on."""
    if "CUDA_CPU_HOME" not in os.environ:
        pytest.skip("nothing would run in this process any more")
    kernel = double()
    given = np.ones(4)
    kernel(given)
    found = find_driver()
    library = found.lib

    class Elsewhere:
        """Gives each kernel an address that nobody owns."""

        def __getattr__(self, name: str) -> Any:
            return self.launch if name == "cuLaunchKernel" else getattr(library, name)

        def launch(self, *args: Any) -> int:
            nowhere = found.ffi.new("uint64_t *", 4096)
            addresses = found.ffi.new("void *[]", [nowhere] * len(args[9]))
            return int(library.cuLaunchKernel(*args[:9], addresses, args[10]))

    monkeypatch.setattr(found, "lib", Elsewhere())
    with pytest.raises(DriverError):
        kernel(given)
    monkeypatch.undo()
    np.testing.assert_array_equal(kernel(given), 2.0)


def test_a_compiler_that_fails() -> None:
    x = pa.placeholder((3,), "x", "float64")
    with pytest.raises(CompileError, match="no_such_option"):
        pa.compile(x * 3.0, [x], target=target(extra_flags=("--no_such_option",)))


def test_kernels_are_pickled_and_checked() -> None:
    import pickle

    kernel = pickle.loads(pickle.dumps(double()))
    given = np.ones(4)
    np.testing.assert_array_equal(kernel(given), 2.0)
    np.testing.assert_array_equal(kernel.check(given), 2.0)


def test_what_a_device_says_it_is() -> None:
    assert calls.arch_of(pa.Target("cuda")) == f"sm_{find_driver().arch}"
    assert calls.arch_of(target()) == "compute_80"


def test_derivatives_take_the_target() -> None:
    given = np.arange(1.0, 5.0)
    for function in (
        pa.grad(lambda x: (x**3).sum(), target=target()),
        pa.grad(pa.jit(lambda x: (x**3).sum(), target())),
    ):
        np.testing.assert_allclose(function(given), 3 * given**2, rtol=1e-14)
        assert function.kernel is not None and function.kernel.code.suffix == ".cu"
    with pytest.raises(CallError, match="compile"):
        pa.grad(pa.placeholder((3,), "x", "float64"), [], target="c")


def test_threads_call_the_same_kernel() -> None:
    """Each call has its own memory, in the context that each thread makes its own."""

    def states(x: Any, w: Any) -> Any:
        def step(h: Any, a: Any) -> Any:
            h = pa.tanh(h @ w + a)
            return h, h

        return pa.scan(step, init=pa.numpy.zeros((4,)), xs=x)[1]

    numbers = np.random.default_rng(0)
    inputs = [(numbers.normal(size=(5, 4)), numbers.normal(size=(4, 4))) for _ in range(12)]
    kernel = kernel_of(states, *inputs[0])
    alone = [kernel(*given) for given in inputs]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda given: kernel(*given), inputs * 4))
    for number, result in enumerate(together):
        np.testing.assert_array_equal(result, alone[number % len(inputs)])
