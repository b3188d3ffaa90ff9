"""What the gradient of a C function costs: time over that of the function itself, and memory over its arrays.

The functions are those of the tests, at sizes that take some milliseconds. They are compiled with `-O3 -march=native`;
polyad's kernels run on as many threads as are asked for. Turns of the contenders alternate, the least time counts.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["SIZES", "main"]

SIZES: Mapping[str, Mapping[str, int]] = {
    "gemm": {"n": 200, "m": 200, "k": 200},
    "atax": {"m": 600, "n": 600},
    "bicg": {"n": 600, "m": 600},
    "mvt": {"n": 600},
    "gemver": {"n": 600},
    "gesummv": {"n": 600},
    "syrk": {"n": 200, "m": 200},
    "syr2k": {"n": 200, "m": 200},
    "trmm": {"n": 200, "m": 200},
    "doitgen": {"R": 40, "Q": 60, "P": 80},
    "trisolv": {"n": 600},
    "cholesky": {"n": 200},
    "lu": {"n": 200},
    "durbin": {"n": 400},
    "covariance": {"m": 120, "n": 200},
    "jacobi_1d": {"steps": 200, "n": 4000},
    "seidel_2d": {"steps": 20, "n": 200},
    "heat_3d": {"steps": 10, "n": 40},
    "floyd_warshall": {"n": 120},
    "lstm": {"T": 20, "B": 16, "D": 32, "H": 64, "K": 10},
    "gru": {"T": 20, "B": 16, "D": 32, "H": 64, "K": 10},
    "soft_dtw": {"n": 200, "m": 200, "D": 40},
    "neural_ode": {"steps": 60, "D": 40, "H": 80},
}
"""Case of the tests -> sizes."""

_SCALARS: Mapping[str, Any] = {"int": ctypes.c_int, "unsigned": ctypes.c_uint, "size_t": ctypes.c_size_t}


@dataclass(frozen=True, slots=True)
class Row:
    """One function: milliseconds of C, and what polyad takes of that and of the memory of its arrays."""

    name: str
    milliseconds: float
    value: float
    gradient: float
    memory: float

    def __str__(self) -> str:
        return f"{self.name:16} {self.milliseconds:9.3f} {self.value:8.2f} {self.gradient:9.2f} {self.memory:8.2f}"


HEADING = f"{'function':16} {'C in ms':>9} {'value/C':>8} {'gradient/C':>10} {'memory':>7}"


def main(arguments: Sequence[str]) -> int:
    """Print the table; 1 where a function could not be measured."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks c", description="Gradients of C functions.")
    parser.add_argument("names", nargs="*", metavar="FUNCTION", help=f"{', '.join(SIZES)}; all by default")
    parser.add_argument("--threads", type=int, default=1, help="of polyad's kernels, default 1; C has one")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each contender, default 7")
    options = parser.parse_args(arguments)
    unknown = [n for n in options.names if n not in SIZES]
    if unknown:
        parser.error(f"no function {', '.join(unknown)}; there are {', '.join(SIZES)}")
    os.environ["OMP_NUM_THREADS"] = str(options.threads)  # read when the first kernel is loaded
    print(HEADING)
    found: list[Row] = []
    for name in options.names or SIZES:
        try:
            found.append(_row(name, options.threads, options.rounds))
        except Exception as problem:  # whatever goes wrong with one says nothing of the others
            print(f"{name:16} {type(problem).__name__}: {problem}", file=sys.stderr)
        else:
            print(found[-1], flush=True)
    if found:
        ratios = sorted(row.gradient for row in found)
        print(f"gradient over C: median {np.median(ratios):.2f}, least {ratios[0]:.2f}, greatest {ratios[-1]:.2f}")
    return 0 if len(found) == len(options.names or SIZES) else 1


def _row(name: str, threads: int, rounds: int) -> Row:
    # Here, because they need libpet and the tests beside the package.
    import polyad as pa
    from tests.pet.corpus import CASES

    case, sizes = CASES[name], SIZES[name]
    given = case.arguments(0, sizes)
    program = pa.from_c(case.path, case.function)
    derivative = program.grad(case.of, case.wrt)
    target = pa.Target("openmp" if threads > 1 else "c")
    kernels = [pa.compile(p, target=target) for p in (program, derivative)]
    own = {n: given[n] for n in (*program.inputs, *program.sizes)}
    cotangent = f"{case.of}_bar"
    more = {cotangent: np.ones(np.shape(given[case.of]))} if cotangent in derivative.inputs else {}
    with tempfile.TemporaryDirectory(prefix="polyad_benchmark_") as folder:
        contenders: list[Callable[[], object]] = [
            _compiled(case, given, Path(folder)),
            lambda: kernels[0](**own),
            lambda: kernels[1](**own, **more),
        ]
        times = _least(contenders, rounds)
    arrays = sum(np.asarray(v).nbytes for v in given.values())
    memory = kernels[1].memory_plan(**{n: sizes[n] for n in derivative.sizes}).total_bytes
    return Row(name, times[0] * 1e3, times[1] / times[0], times[2] / times[0], memory / arrays)


def _compiled(case: Any, given: Mapping[str, Any], folder: Path) -> Callable[[], object]:
    """A call of the C function; what it overwrites is put back before."""
    library = folder / f"{case.name}.so"
    flags = ("-std=c99", "-O3", "-march=native", "-fPIC", "-shared")
    subprocess.run(["cc", *flags, "-o", str(library), str(case.path), "-lm"], check=True)
    function = getattr(ctypes.CDLL(str(library)), case.function)
    function.restype = None
    arrays = {p.name: np.array(given[p.name], order="C") for p in case.parameters if p.is_array}
    first = {n: arrays[n].copy() for n in case.updates}
    passed = [
        ctypes.c_void_p(arrays[p.name].ctypes.data)
        if p.is_array
        else _SCALARS.get(p.type, ctypes.c_double)(given[p.name])
        for p in case.parameters
    ]

    def call() -> None:
        for name, values in first.items():
            arrays[name][...] = values
        function(*passed)

    return call


def _least(contenders: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The least seconds of each, in turns."""
    best = [float("inf")] * len(contenders)
    for turn in range(rounds + 1):
        for n, call in enumerate(contenders):
            start = time.perf_counter()
            call()
            seconds = time.perf_counter() - start
            if turn:  # the first one compiles, loads and fills caches
                best[n] = min(best[n], seconds)
    return best
