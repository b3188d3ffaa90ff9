"""A device for tests: NVIDIA's where there is one, else a driver that runs PTX on the CPU (driver/).

The driver for CPUs checks each access for place and alignment, fills new memory with NaN, names races, and takes blocks
and threads in an order that a seed decides. It is loaded under the name of NVIDIA's, so that neither polyad nor the
kernels can tell.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import polyad as pa
from polyad.errors import CompileError
from polyad.kernel import Kernel
from polyad.runtime.cuda.compilers import find_cuda_compiler
from polyad.runtime.cuda.driver import find_driver, known_driver
from polyad.semantics.evaluate import evaluate

__all__ = [
    "ARCH",
    "agrees",
    "driver_library",
    "driver_missing",
    "in_order",
    "kernel_of",
    "load_driver",
    "same_values",
    "target",
]

DRIVER = Path(__file__).parent / "driver"
ARCH = "compute_80"


def driver_missing() -> str:
    """Why nothing can run; "" where a device or the driver for CPUs is there."""
    try:
        find_cuda_compiler()
    except CompileError as problem:
        return str(problem)
    if _device() or shutil.which("g++"):
        return ""
    return "no device, and no g++ for the driver that runs on a CPU"


@cache
def _device() -> bool:
    """Whether NVIDIA's driver is here, and sees a device."""
    try:
        library = ctypes.CDLL("libcuda.so.1", mode=ctypes.RTLD_GLOBAL)
    except OSError:
        return False
    count = ctypes.c_int()
    return library.cuInit(0) == 0 and library.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value > 0


def load_driver() -> None:
    """Load the driver for CPUs where there is no device."""
    library = driver_library()
    if library is not None:
        ctypes.CDLL(str(library), mode=ctypes.RTLD_GLOBAL)
        known_driver.cache_clear()


@cache
def driver_library() -> Path | None:
    """The driver for CPUs, built once for all processes of a run; None where there is a device."""
    if _device():
        return None
    text = "".join(path.read_text(encoding="utf-8") for path in sorted(DRIVER.iterdir()) if path.is_file())
    key = hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = Path(os.environ["POLYAD_CACHE_DIR"]) / f"cuda_driver_{key}"
    library = folder / "libcuda.so.1"
    folder.mkdir(parents=True, exist_ok=True)
    if not library.exists():
        flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"]
        script = f"-Wl,--version-script={DRIVER / 'exports.map'}"
        with tempfile.TemporaryDirectory(dir=folder) as own:
            built = Path(own) / library.name
            source = str(DRIVER / "libcuda_cpu.cpp")
            subprocess.run(["g++", *flags, script, source, "-o", str(built), "-ldl"], check=True)
            os.replace(built, library)
    os.environ["CUDA_CPU_HOME"] = str(DRIVER)
    os.environ["CUDA_CPU_CACHE"] = str(folder / "modules")
    os.environ["CUDA_CPU_ARCH"] = "90"
    os.environ["CUDA_CPU_RACECHECK"] = "1"
    return library


def target(**options: Any) -> pa.Target:
    """The target of tests: PTX, which the driver for CPUs takes, too."""
    return pa.Target("cuda", **{"arch": ARCH, **options})


@contextmanager
def in_order(seed: int) -> Iterator[None]:
    """Blocks and threads in another order, in memory that no kernel has written to."""
    find_driver().memory.free_idle()
    os.environ["CUDA_CPU_SEED"] = str(seed)
    try:
        yield
    finally:
        del os.environ["CUDA_CPU_SEED"]


def kernel_of(function: Callable[..., Any], *arrays: Any, **options: Any) -> Kernel:
    """The kernel of a function of arrays."""
    traced = pa.jit(function, target(**options))
    traced(*arrays)
    (entry,) = traced.entries.values()
    return entry.kernel


def agrees(function: Callable[..., Any], *arrays: Any, **options: Any) -> Kernel:
    """Compare what a function is on the device with the evaluator, in two orders, which give the same bits."""
    kernel = kernel_of(function, *arrays, **options)
    same_values(kernel, *map(np.asarray, arrays))
    return kernel


def same_values(kernel: Kernel, *arrays: np.ndarray, **sizes: int) -> None:
    """The same for a kernel."""
    found = []
    for seed in (0, 1):
        with in_order(seed):
            results = Kernel.__call__(kernel, *arrays, **sizes)
        leaves, _ = _flat(results)
        found.append(leaves)
    program = kernel.definition
    given = dict(zip([a.name for a in kernel.code.arguments if not a.is_output], arrays, strict=True))
    shapes = {**kernel.fixed, **dict(kernel._planner.sizes(tuple(a.shape for a in arrays), sizes))}
    wanted = evaluate(program, given, shapes)
    for name, here, again in zip(program.outputs, *found, strict=True):
        np.testing.assert_array_equal(here, again, strict=True)
        rtol, scale = (1e-12, 1e-13) if here.dtype != np.float32 else (1e-5, 1e-6)
        size = np.abs(np.where(np.isfinite(wanted[name]), wanted[name], 0)).max(initial=1.0)
        np.testing.assert_allclose(here, wanted[name], rtol=rtol, atol=scale * size, err_msg=name)


def _flat(results: Any) -> tuple[list[np.ndarray], Any]:
    import optree

    leaves, structure = optree.tree_flatten(results)
    return [np.asarray(leaf) for leaf in leaves], structure
