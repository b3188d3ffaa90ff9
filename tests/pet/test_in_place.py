"""What C overwrites is one argument, and time steps lie in its place: memory, results, and the certificate.

Property: an array given as input and as `out=` is left with what an array of its own would hold.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import polyad as pa
from polyad.ad.names import adjoint_of
from polyad.kernel import Kernel
from polyad.machine import TINY
from polyad.pet.c_program import CProgram
from polyad.semantics.evaluate import evaluate
from tests.pet.extracted import NEEDS_PET
from tests.pet.test_random_nests import Draft, drawn

pytestmark = NEEDS_PET

OPENMP = ctypes.CDLL("libgomp.so.1", mode=ctypes.RTLD_GLOBAL)

TARGETS = (pa.Target("c"), pa.Target("openmp", machine=TINY))


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Kernels start so many threads meanwhile."""
    before = OPENMP.omp_get_max_threads()
    OPENMP.omp_set_num_threads(number)
    try:
        yield
    finally:
        OPENMP.omp_set_num_threads(before)


def call(kernel: Kernel, given: dict[str, Any], apart: bool) -> dict[str, Any]:
    """The results of a call; overwritten arrays are those given, or new ones."""
    own = {n: a.copy() for n, a in given.items() if isinstance(a, np.ndarray)}
    if apart:
        found = kernel(**{**given, **own})
        for name, array in own.items():
            np.testing.assert_array_equal(array, given[name], err_msg=f"{name} was changed")
        return dict(found)
    out = {a.name: own[a.over] for a in kernel.code.arguments if a.over}
    found = kernel(**{**given, **own}, out=out)
    for array, name in ((a, a.over) for a in kernel.code.arguments if a.over):
        assert any(value is own[name] for value in found.values()), array
    return dict(found)


def compare(program: CProgram, kernel: Kernel, given: dict[str, Any], where: str) -> None:
    """A call in place, a call apart and the equations agree."""
    arrays = {n: given[n] for n in program.inputs}
    exact = evaluate(program.program, arrays, {n: given[n] for n in program.sizes})
    for apart in (True, False):
        found = call(kernel, {n: given[n] for n in (*program.inputs, *program.sizes)}, apart)
        for name, array in program.results.items():
            np.testing.assert_allclose(
                found[name], exact[array], rtol=1e-9, atol=1e-9, err_msg=f"{name}, apart {apart}, {where}"
            )


def check(seed: int, folder: Path, gradient: bool) -> int:
    """How many arguments of a random nest are in place, for all targets together."""
    text = Draft(seed).text()
    path = folder / "nest.c"
    path.write_text(text)
    program = pa.from_c(path)
    if gradient:
        wrt = [x for x in program.inputs if x != "p"]
        if not wrt:
            return 0
        program = program.grad([*program.outputs], wrt)
    kernels = [pa.compile(program, target=target) for target in TARGETS]
    if program.schedule is not None:
        kernels.append(pa.compile(program, schedule=program.schedule, target=TARGETS[1]))
    for kernel in kernels[: len(TARGETS)]:
        kernel.certify()
    sizes = [(n, steps) for n in range(10) for steps in (0, 1, 2 + seed % 3)]
    for kernel in kernels:
        for count in (1, 2) if kernel.target.openmp else (1,):
            with threads(count):
                for n, steps in sizes[seed % 2 :: 2] if not gradient else sizes[seed % 5 :: 5]:
                    if n < 3:  # C would leave its arrays
                        continue
                    rng = np.random.default_rng(seed)
                    given: dict[str, Any] = {**drawn(rng, n), "p": rng.integers(0, n, n).astype(np.int32)}
                    given |= {adjoint_of(x): rng.normal(size=given[x].shape) for x in "abmr"}
                    given |= {"n": n, "steps": steps}
                    compare(program, kernel, given, f"n = {n}, steps = {steps}, {count} threads\n{text}")
    return sum(a.over != "" for kernel in kernels for a in kernel.code.arguments)
