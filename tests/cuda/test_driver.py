"""The driver that runs PTX on the CPU (driver/): what it computes, what it finds wrong, and what it forgets.

A process loads it once, and what it finds goes to the error output. So a few small programs run in processes of their
own, one for all kernels of a kind, and tests look at what these have found.
"""

import math
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

DRIVER = Path(__file__).parent / "driver"

pytestmark = pytest.mark.skipif(
    not (shutil.which("nvcc") and shutil.which("g++")), reason="nvcc makes the PTX, and g++ builds the driver"
)

# What a thread i of two blocks of 64 does with x and y, arrays of 128, and words of what the driver says of it.
FAULTS = {
    "none": ("y[i] = x[i];", ""),
    "one element too far": ("y[i] = x[i + 1];", "outside of all allocations"),
    "misaligned vector": ("((float2 *)(y + 1))[0] = ((const float2 *)x)[0];", "misaligned"),
    "shared memory without a barrier": (
        "__shared__ float s[64]; s[threadIdx.x] = x[i]; y[i] = s[63 - threadIdx.x];",
        "race: shared",
    ),
    "with it": ("__shared__ float s[64]; s[threadIdx.x] = x[i]; __syncthreads(); y[i] = s[63 - threadIdx.x];", ""),
    "two blocks write one word": ("y[threadIdx.x] = x[i];", "race: global"),
    "plain += across blocks": ("y[0] += x[i];", "race: global"),
    "atomicAdd across blocks": ("if (i == 0) y[0] = 0; atomicAdd(&y[i % 2 + 2], x[i]);", ""),
    "a shuffle that half of the warp misses": (
        "float v = x[i]; if (threadIdx.x % 32 < 16) v = __shfl_sync(0xffffffffu, v, 20); y[i] = v;",
        "exchange|wait|lane",
    ),
    "waiting for what nobody writes": (
        "if (threadIdx.x == 0) while (((volatile float *)y)[i] != 3.0f) { } y[i] = 0;",
        "nobody writes",
    ),
    "shared memory never written": (
        "__shared__ float s[64]; y[i] = s[threadIdx.x]; if (y[i] != y[i]) y[1000000] = 0;",
        "outside of all allocations",
    ),
}

# Each in the context that a reset gives back after the one before; a line with the status ends what is said of it.
RUN_FAULTS = """
import sys
import numpy as np
from calls import Device, DriverError

device, image, x = Device(), open("faults.ptx", "rb").read(), np.arange(128, dtype=np.float32)
for number in range(int(sys.argv[1])):
    try:
        device.launch(device.function(image, f"k{number}"), 2, 64, device.put(x), device.put(x))
        status = "CUDA_SUCCESS"
    except DriverError as problem:
        status = str(problem)
    print(status, file=sys.stderr, flush=True)
    device.do("cuDevicePrimaryCtxReset_v2", 0)
"""

# Of x, and what NumPy has for them.
FUNCTIONS: dict[str, tuple[str, Callable[[np.ndarray], np.ndarray]]] = {
    "exp": ("x", np.exp),
    "log": ("fabs{f}(x)", lambda x: np.log(np.abs(x))),
    "sqrt": ("fabs{f}(x)", lambda x: np.sqrt(np.abs(x))),
    "tanh": ("x", np.tanh),
    "sin": ("x", np.sin),
    "cos": ("x", np.cos),
    "tan": ("x", np.tan),
    "log1p": ("fabs{f}(x)", lambda x: np.log1p(np.abs(x))),
    "expm1": ("x", np.expm1),
    "floor": ("x", np.floor),
    "ceil": ("x", np.ceil),
    "trunc": ("x", np.trunc),
    "rint": ("x", np.rint),
    "sinh": ("x", np.sinh),
    "cosh": ("x", np.cosh),
    "atan": ("x", np.arctan),
    "asin": ("x / 20", lambda x: np.arcsin(x / 20)),
    "cbrt": ("x", np.cbrt),
    "asinh": ("x", np.arcsinh),
    "acosh": ("fabs{f}(x) + 1", lambda x: np.arccosh(np.abs(x) + 1)),
    "atanh": ("x / 20", lambda x: np.arctanh(x / 20)),
    "erf": ("x", np.vectorize(math.erf)),
    "fabs": ("x", np.abs),
    "rsqrt": ("fabs{f}(x)", lambda x: 1 / np.sqrt(np.abs(x))),
    "pow": ("fabs{f}(x), c", lambda x: np.abs(x) ** 1.75),
    "fmod": ("x, c", lambda x: np.fmod(x, 1.75)),
    "atan2": ("x, c", lambda x: np.arctan2(x, 1.75)),
    "fmax": ("x, c", lambda x: np.maximum(x, 1.75)),
    "copysign": ("x, c", lambda x: np.copysign(x, 1.75)),
}


def quotient(a: np.ndarray, b: np.ndarray | int) -> np.ndarray:
    """Truncated, as in C."""
    return (np.abs(a) // np.abs(b)) * np.sign(a) * np.sign(b)


# Of a and b of 64 bits, and of p and q, the same in 32.
INTEGERS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray | list[int]]] = {
    "a / b": quotient,
    "a % b": lambda a, b: a - quotient(a, b) * b,
    "p / q": quotient,
    "p % q": lambda a, b: a - quotient(a, b) * b,
    "a * b": lambda a, b: a * b,
    "(unsigned)p / 7u": lambda a, b: (a & 0xFFFFFFFF) // 7,
    "p >> 3": lambda a, b: a >> 3,
    "a << 5": lambda a, b: a << 5,
    "min(p, q)": np.minimum,
    "(long long)(float)a": lambda a, b: a.astype(np.float32).astype(np.int64),
    "__clz(p)": lambda a, b: [32 - (int(v) & 0xFFFFFFFF).bit_length() for v in a],
    "__popcll(a)": lambda a, b: [(int(v) & (2**64 - 1)).bit_count() for v in a],
    "p / 7": lambda a, b: quotient(a, 7),
    "a / 1000003": lambda a, b: quotient(a, 1000003),
}
WARP = {
    "__reduce_add_sync(~0u, i - 5)": np.add,
    "__reduce_min_sync(~0u, i - 5)": np.minimum,
    "__reduce_max_sync(~0u, i - 5)": np.maximum,
    "(int)__reduce_and_sync(~0u, (unsigned)(i - 5))": np.bitwise_and,
    "(int)__reduce_or_sync(~0u, (unsigned)(i - 5))": np.bitwise_or,
    "(int)__reduce_xor_sync(~0u, (unsigned)(i - 5))": np.bitwise_xor,
}
DTYPES = {"float32": ("float", "f", 5e-6), "float64": ("double", "", 1e-13)}

RUN_OPERATORS = """
import sys
import numpy as np
from calls import Device

device, given = Device(), np.load("given.npz")
found = {}
for name, x in given.items():
    image, out = open(f"{name}.ptx", "rb").read(), np.zeros((int(sys.argv[1]), x.size), x.dtype)
    at = device.put(out)
    device.launch(device.function(image, "k"), 1, x.size, device.put(x), at)
    found[name] = device.get(at, out)
np.savez("found.npz", **found)
"""

RUN_RESET = """
import ctypes
import sys
import numpy as np
from calls import Device

device, image, y = Device(), open("count.ptx", "rb").read(), np.zeros(1, np.int32)


def counted():
    at = device.put(y)
    device.launch(count, 1, 1, at)
    return int(device.get(at, y)[0])


for reset in ("cuDevicePrimaryCtxReset", "cuDevicePrimaryCtxReset_v2"):
    count, lost = device.function(image, "count"), device.put(y)
    assert [counted(), counted()] == [6, 7]
    nowhere = ctypes.c_uint64(8)
    none = (ctypes.c_void_p * 1)(ctypes.addressof(nowhere))
    call = ("cuLaunchKernel", count, 1, 1, 1, 1, 1, 1, 0, None, none, None)
    copy = ("cuMemcpyDtoH_v2", ctypes.c_void_p(y.ctypes.data), lost, ctypes.c_size_t(4))
    for again in (call, copy, ("cuCtxSynchronize",), call):
        assert device.error(*again) == "CUDA_ERROR_ILLEGAL_ADDRESS"
    device.do(reset, 0)
    assert device.error("cuCtxSynchronize") == ""
    assert device.error(*copy) == "CUDA_ERROR_INVALID_VALUE"
    assert device.error(*call) == "CUDA_ERROR_INVALID_HANDLE"
found, status = ctypes.c_void_p(), ctypes.c_int()
name = b"cuDevicePrimaryCtxReset"
device.do("cuGetProcAddress_v2", name, ctypes.byref(found), 13000, ctypes.c_uint64(0), ctypes.byref(status))
assert found.value == ctypes.cast(device.lib.cuDevicePrimaryCtxReset_v2, ctypes.c_void_p).value
"""
COUNT = '__device__ int calls = 5; extern "C" __global__ void count(int *y) { calls += 1; y[0] = calls; }'

RUN_LIMIT = """
import ctypes
from calls import Device

device = Device()
first, at = device.allocate(3000), ctypes.c_uint64()


def error(size):
    return device.error("cuMemAlloc_v2", ctypes.byref(at), ctypes.c_size_t(size))


assert error(1097) == "CUDA_ERROR_OUT_OF_MEMORY"
assert error(2**64 - 1) == "CUDA_ERROR_OUT_OF_MEMORY"
assert error(1096) == ""
assert error(1) == "CUDA_ERROR_OUT_OF_MEMORY"
device.do("cuMemFree_v2", first)
assert error(3001) == "CUDA_ERROR_OUT_OF_MEMORY"
assert error(3000) == ""
device.do("cuDevicePrimaryCtxReset_v2", 0)
assert error(4096) == ""
"""

RUN_REFUSED = """
import ctypes
from calls import Device

device, module = Device(), ctypes.c_void_p()
head = b".version 7.0\\n.target sm_80\\n.address_size 64\\n.visible .entry k()\\n{\\n"
for image in (head + b"ret;\\n}\\n", head + b"ret;\\nnothing.b32 %r1, 3;\\n}\\n", b"\\x7fELF"):
    print(device.error("cuModuleLoadData", ctypes.byref(module), image + b"\\0"))
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    built = tmp_path_factory.mktemp("driver") / "libcuda.so.1"
    flags = ["-std=c++17", "-O1", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"]
    script = f"-Wl,--version-script={DRIVER / 'exports.map'}"
    subprocess.run(["g++", *flags, script, str(DRIVER / "libcuda_cpu.cpp"), "-o", str(built), "-ldl"], check=True)
    return built


def compiled(folder: Path, name: str, text: str) -> None:
    """Make PTX of CUDA C."""
    (folder / f"{name}.cu").write_text(text)
    subprocess.run(
        ["nvcc", "-arch=compute_80", "-ptx", "-w", f"{name}.cu", "-o", f"{name}.ptx"], cwd=folder, check=True
    )


def run(library: Path, program: str, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a program of Python's with the driver, in its folder."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("CUDA_CPU_")}
    own |= {"CUDA_CPU_HOME": str(DRIVER), "CUDA_CPU_CACHE": str(library.parent / "cache"), "CUDA_CPU_ARCH": "80"}
    own |= {"CUDA_CPU_LIBRARY": str(library), "CUDA_CPU_RACECHECK": "1", "PYTHONPATH": str(DRIVER), **variables}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, cwd=library.parent, env=own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def found_faults(library: Path) -> dict[str, tuple[str, str]]:
    """The words for each fault, and its status."""
    head = "(const float *x, float *y) { int i = blockIdx.x * blockDim.x + threadIdx.x; "
    kernels = [f'extern "C" __global__ void k{j}{head}{body} }}\n' for j, (body, _) in enumerate(FAULTS.values())]
    compiled(library.parent, "faults", "".join(kernels))
    said = run(library, RUN_FAULTS, str(len(FAULTS))).stderr
    found = re.findall(r"((?:libcuda_cpu: .*\n)*)(CUDA_\w+)\n", said)
    assert "".join(f"{text}{status}\n" for text, status in found) == said
    return dict(zip(FAULTS, found, strict=True))


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_named(found_faults: dict[str, tuple[str, str]], fault: str) -> None:
    said, status = found_faults[fault]
    words = FAULTS[fault][1]
    assert (status == "CUDA_SUCCESS") == (said == "") == (words == "")
    assert re.search(words, said)
    assert (status == "CUDA_ERROR_ILLEGAL_ADDRESS") == ("address" in said)
    assert len(said.splitlines()) <= 1


@pytest.fixture(scope="module")
def operators(library: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Arguments and values of all functions, a row each, by the names of their types."""
    texts, rng = {}, np.random.default_rng(1)
    given = {name: rng.normal(0, 5, 96).astype(name) for name in DTYPES}
    for name, (c, f, _) in DTYPES.items():
        lines = [f"{n}{f}({arguments.format(f=f)})" for n, (arguments, _) in FUNCTIONS.items()]
        texts[name] = (c, f"const {c} x = in[i], c = ({c})1.75;", lines)
    given["int64"] = rng.integers(-(2**30), 2**30, 96)
    head = "const long long a = in[i], b = in[(i + 1) % 96]; const int p = (int)a, q = (int)b;"
    texts["int64"] = ("long long", head, list(INTEGERS))
    given["int32"] = np.arange(32, dtype=np.int32)
    texts["int32"] = ("int", "", list(WARP))
    for name, (c, head, lines) in texts.items():
        body = "".join(f"out[{j * given[name].size} + i] = {line};\n" for j, line in enumerate(lines))
        kernel = f"void k(const {c} *in, {c} *out) {{ const int i = threadIdx.x; {head}\n{body}}}\n"
        compiled(library.parent, name, f'extern "C" __global__ {kernel}')
    np.savez(library.parent / "given.npz", **given)
    run(library, RUN_OPERATORS, str(max(len(lines) for _, _, lines in texts.values())))
    with np.load(library.parent / "found.npz") as found:
        return {name: (given[name], found[name]) for name in given}


@pytest.mark.slow
@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_functions(operators: dict[str, tuple[np.ndarray, np.ndarray]], dtype: str, function: str) -> None:
    x, found = operators[dtype]
    wanted = FUNCTIONS[function][1](x.astype(np.float64))
    difference = np.abs(found[list(FUNCTIONS).index(function)] - wanted)
    assert np.all(difference < DTYPES[dtype][2] * np.maximum(np.abs(wanted), 1e-3))


@pytest.mark.slow
@pytest.mark.parametrize("expression", INTEGERS)
def test_integers(operators: dict[str, tuple[np.ndarray, np.ndarray]], expression: str) -> None:
    a, found = operators["int64"]
    wanted = INTEGERS[expression](a, np.roll(a, -1))
    np.testing.assert_array_equal(found[list(INTEGERS).index(expression)], wanted)


@pytest.mark.slow
@pytest.mark.parametrize("expression", WARP)
def test_reductions_of_a_warp(operators: dict[str, tuple[np.ndarray, np.ndarray]], expression: str) -> None:
    i, found = operators["int32"]
    np.testing.assert_array_equal(found[list(WARP).index(expression)], WARP[expression].reduce(i - 5))


def test_a_reset_forgets(library: Path) -> None:
    """A context that was lost is as new: no error, no memory, no modules, and their variables as they were."""
    compiled(library.parent, "count", COUNT)
    assert run(library, RUN_RESET).stderr.count("outside of all allocations") == 2


def test_memory_has_an_end(library: Path) -> None:
    run(library, RUN_LIMIT, CUDA_CPU_MEMORY="4096")


def test_what_it_cannot_run_is_refused(library: Path) -> None:
    done = run(library, RUN_REFUSED)
    assert done.stdout.splitlines() == ["", "CUDA_ERROR_INVALID_PTX", "CUDA_ERROR_NO_BINARY_FOR_GPU"]
    assert "line 7: cannot translate 'nothing.b32 %r1, 3'" in done.stderr
    assert "machine code" in done.stderr
