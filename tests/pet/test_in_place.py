"""Arrays that C overwrites are one argument, and time steps lie in its place: memory, results, and the certificate.

Property: an array given as input and as `out=` is left with what an array of its own would hold.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.ad.names import adjoint_of
from polyad.codegen.certify.certify import certify
from polyad.codegen.plan import Plan, plan_kernel
from polyad.codegen.storage.room import ROOM
from polyad.kernel import Kernel
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.pet.c_program import CProgram
from polyad.pet.extract import extract
from polyad.runtime.codegen_options import codegen_options
from polyad.schedule.scheduler import default_schedule
from polyad.semantics.evaluate import evaluate
from polyad.semantics.points import points
from tests.export.conftest import needs
from tests.pet.case import DTYPES, Case
from tests.pet.corpus import CASES
from tests.pet.extracted import NEEDS_PET
from tests.pet.host import SANITIZE, build_host
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
    out = {a.over: own[a.over] for a in kernel.code.arguments if a.over}
    found = kernel(**{**given, **own}, out=out)
    for array, name in ((a, a.over) for a in kernel.code.arguments if a.over):
        assert any(value is own[name] for value in found.values()), array
    return dict(found)


def expected(program: CProgram, given: dict[str, Any]) -> dict[str, Any]:
    """Return what the equations say."""
    arrays = {n: given[n] for n in program.inputs}
    return evaluate(program.program, arrays, {n: given[n] for n in program.sizes})


def compare(program: CProgram, kernel: Kernel, given: dict[str, Any], exact: dict[str, Any], where: str) -> None:
    """A call in place, a call apart and the equations agree."""
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
    for n, steps in sizes[seed % 2 :: 2] if not gradient else sizes[seed % 5 :: 5]:
        if n < 3:  # C would leave its arrays
            continue
        rng = np.random.default_rng(seed)
        given: dict[str, Any] = {**drawn(rng, n), "p": rng.integers(0, n, n).astype(np.int32)}
        given |= {adjoint_of(x): rng.normal(size=given[x].shape) for x in "abmr"}
        given |= {"n": n, "steps": steps}
        exact = expected(program, given)
        for kernel in kernels:
            for count in (1, 2) if kernel.target.openmp else (1,):
                with threads(count):
                    compare(program, kernel, given, exact, f"n = {n}, steps = {steps}, {count} threads\n{text}")
    return sum(a.over != "" for kernel in kernels for a in kernel.code.arguments)


QUICK = (24, 0)  # in the first one, arrays that may not share places would, if nothing were proved


@pytest.mark.parametrize("seed", QUICK)
@pytest.mark.quick_cases(1)
def test_random_nests_in_place(seed: int, tmp_path: Path) -> None:
    assert check(seed, tmp_path, gradient=False) > 0


@pytest.mark.slow
# In 3000, isl's loops have another order than C's; of 4005, GCC 12 vectorises a loop that may not be.
@pytest.mark.parametrize("seed", [3, 5, 6, 10, 15, 29, *range(33, 37), 3000, 4005])
def test_more_random_nests_in_place(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path, gradient=False)


@pytest.mark.parametrize("seed", [2, pytest.param(0, marks=pytest.mark.slow), pytest.param(4, marks=pytest.mark.slow)])
@pytest.mark.slow
def test_gradients_of_random_nests_in_place(seed: int, tmp_path: Path) -> None:
    check(seed, tmp_path, gradient=True)


# Beside the arrays of C; the room of the macro-kernel is the same at all sizes, and is left out.
ALLOWED = 1.2

SIZES = {"B": 24, "D": 24, "H": 40, "K": 8, "R": 12, "Q": 16, "S": 20, "P": 20, "T": 12, "steps": 12}

_ROWS = "a scalar of C is an array: one element for each row or number that runs in parallel or in vectors"

LARGER = {
    "adbench_gmm": _ROWS,
    "adbench_lstm": "a wavefront over layers and steps has its inputs and leaves its outputs for all steps",
    "adi": "prefix scans run many steps at once: one step of v, two of q and u",
    "american_option": "an array for each of the sides of a choice that data make, over several steps",
    "attention": _ROWS,
    "burgers": "two steps: new elements are computed from old ones in their neighbourhood without an array between",
    "correlation": "the triangle of a product beside zeros, which other triangles of it are read from",
    "conv_2d": "a frame of zeros around the image",
    "doitgen": "one contraction makes new rows while it reads the old ones, which are copied",
    "durbin": "z for two steps; alpha for all",
    "floyd_warshall": "two steps: threads do not keep the order in which C overwrites a row that it reads",
    "gru": "the input's part of the gates is one large product for all steps, and so are the outputs",
    "image_pipeline": _ROWS,
    "kalman": "panels of H; a version of P for each statement that changes it",
    "lstm": "panels of the weights",
    "n_body": "velocities of two steps, of which the first two are those that C is given",
    "neural_ode": "panels of the weights",
    "newton": _ROWS,
    "newton_if": _ROWS,
    "robust_fit": _ROWS,
    "spectral_filter": _ROWS,
    "symm": _ROWS,
    "syrk": "the triangle of a product is computed in an array of its own, with zeros beside it",
    "tridiagonal": "a prefix scan runs many steps at once, and its arrays are copied",
    "trmm": "a contraction reads the rows that it overwrites",
}
"""Case -> why the program needs more memory than the C function, in the order that is ours."""

LARGER_IN_THE_ORDER_OF_C = {
    "adbench_lstm": "two steps of states that C overwrites: the next step of a layer is read before it is",
    "american_option": "an array for each of the sides of a choice that data make",
    "burgers": "two steps: new elements are computed from old ones in their neighbourhood without an array between",
    "kalman": "two steps of a covariance that C overwrites by way of a product",
}
"""The same in the order of the C text."""


def sizes_of(case: Case) -> dict[str, int]:
    return {name: SIZES.get(name, 60) for name in case.sizes}


def bytes_of_c(case: Case, arguments: dict[str, Any]) -> int:
    """Of the arrays that a C function is given, and of those that it declares."""
    scop, function = extract(case.path, case.function)
    sizes = {n: int(v) for n, v in arguments.items() if np.ndim(v) == 0}
    own = [a for a in scop.arrays.values() if a.name in function.locals]
    count = sum(len(points(a.extent, sizes)) * DTYPES[a.type].itemsize for a in own)
    return count + sum(np.asarray(arguments[p.name]).nbytes for p in case.parameters if p.is_array)


def planned(program: CProgram, target: pa.Target) -> Plan:
    """The plan of a kernel, which needs no compiler."""
    prepared = prepare(program.program, target.strategies, target.machine)
    order = default_schedule(prepared, target.strategies, target.machine)
    return plan_kernel(prepared, order, codegen_options(target))


def bytes_of_program(program: CProgram, kernel: Kernel, case: Case, arguments: dict[str, Any]) -> int:
    """Of the arrays that the exported function is given, and of its workspace."""
    memory, sizes = kernel.code.memory, {n: int(arguments[n]) for n in program.sizes}
    homes = memory.homes.values()
    copied = sum(np.asarray(arguments[n]).nbytes for n in program.inputs if n in program.outputs and n not in homes)
    given = sum(np.asarray(arguments[p.name]).nbytes for p in case.parameters if p.is_array)
    return given + sum(slot.bytes(sizes) for slot in memory.slots if slot.arrays != (ROOM,)) + copied


FAST = ("gemm", "mvt", "jacobi_1d", "lu", "cholesky", "floyd_warshall", "spectral_filter")


@pytest.mark.parametrize("name", [n if n in FAST else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
@pytest.mark.quick_cases(1)
def test_a_program_needs_no_more_memory_than_the_c_function(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of kernels that are made, and certified, and not called: they need no C compiler."""
    case = CASES[name]
    arguments = case.arguments(0, sizes_of(case))
    program, theirs = pa.from_c(case.path, case.function), bytes_of_c(case, arguments)
    monkeypatch.setenv("CC", str(Path("no") / "compiler"))
    for order, larger in ((None, LARGER), (program.schedule, LARGER_IN_THE_ORDER_OF_C)):
        kernel = pa.compile(program, schedule=order, target="c")
        ours = bytes_of_program(program, kernel, case, arguments)
        assert (ours > ALLOWED * theirs) == (name in larger), f"{ours} bytes, C has {theirs}: {ours / theirs:.2f}"


@pytest.mark.parametrize(
    "name",
    [
        "lu",
        *(
            pytest.param(n, marks=pytest.mark.slow)
            for n in ("cholesky", "jacobi_2d", "seidel_2d", "heat_3d", "fdtd_2d")
        ),
    ],
)
def test_all_that_c_overwrites_is_overwritten(name: str) -> None:
    program = pa.from_c(CASES[name].path)
    for target in TARGETS:
        plan = planned(program, target)
        updated = [n for n in program.outputs if n in program.inputs]
        assert {plan.storage.memory.homes.get(program.results[n]) for n in updated} == {*updated}
        assert not [slot for slot in plan.storage.memory.slots if slot.arrays != (ROOM,)]
        certify(plan)


@pytest.mark.slow
def test_few_steps_are_kept_of_what_prefix_scans_read_in_each() -> None:
    """Along a row a scan runs many elements at once, but it never leaves its time step."""
    for target in TARGETS:
        plan = planned(pa.from_c(CASES["adi"].path), target)
        assert {name: plan.storage.slots[name][0] for name in ("q_2", "v_3", "q_4")} == {"q_2": 1, "v_3": 1, "q_4": 2}
        certify(plan)


@pytest.mark.slow
def test_what_pairs_of_bodies_need_is_not_kept() -> None:
    """The force of a pair is computed where it is added, in the step that adds it, and is a C variable."""
    program = pa.from_c(CASES["n_body"].path)
    for target in (pa.Target("c"), pa.Target("openmp")):  # on `TINY`, three terms are a long sum
        plan = planned(program, target)
        assert {"pull_1", "square_1"} <= {*plan.storage.memory.variables}
        few, many = (plan.storage.memory.at({"steps": 5, "n": n}).arrays for n in (1000, 2000))
        assert sum(many.values()) <= 2 * sum(few.values())
        certify(plan)


@pytest.mark.parametrize("name", ["jacobi_1d", pytest.param("fdtd_2d", marks=pytest.mark.slow)])
def test_the_gradient_of_a_linear_stencil_keeps_no_steps(name: str) -> None:
    case = CASES[name]
    memory = planned(pa.from_c(case.path).grad(case.of, case.wrt), TARGETS[0]).storage.memory
    few, many = (memory.at({**sizes_of(case), "steps": steps}).arrays for steps in (4, 40))
    growth = sum(many.values()) - sum(few.values())
    assert growth <= 8 * 36, "no more than a number for each step"


@pytest.mark.slow
@pytest.mark.parametrize("name", [*FAST, "jacobi_2d", "durbin", "doitgen", "trmm", "sgd"])
def test_kernels_in_place_are_certified(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The verifier has tests of its own.
    monkeypatch.delenv("POLYAD_VERIFY", raising=False)
    case = CASES[name]
    program = pa.from_c(case.path, case.function)
    for each in (program, program.grad(case.of, case.wrt)):
        for target in TARGETS:
            certify(planned(each, target))


@pytest.mark.slow
@needs("gcc")
@pytest.mark.parametrize("name", ["lu", "trmm", "seidel_2d", "heat_3d", "gramschmidt", "covariance", "sgd"])
def test_exported_functions_overwrite_what_c_overwrites(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    host = build_host(pa.from_c(case.path), case.path, tmp_path, SANITIZE, ["gcc"])
    for seed, sizes in enumerate((None, *case.edges)):
        ours, theirs = host(case.arguments(seed, None if sizes is None else dict(sizes)))
        for array, values in theirs.items():
            np.testing.assert_allclose(ours[array], values, rtol=1e-9, atol=1e-11, err_msg=f"{array} at {sizes}")
