"""Programs that `compile_time` compiles are valid and run; how long it takes is the benchmark's business."""

from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
from benchmarks.workload import Case
from benchmarks.workloads.compile_time import DEFINITIONS, WORKLOAD, definition

CASES = {
    case.kind: replace(case, sizes={n: WORKLOAD.tiny[n] for n in case.sizes}, dtype="float32")
    for case in WORKLOAD.cases
}


def test_every_definition_has_a_case() -> None:
    assert set(CASES) == set(DEFINITIONS)


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=k, marks=[pytest.mark.slow] if "T" in c.sizes else []) for k, c in CASES.items()]
)
def test_definitions_run(case: Case) -> None:
    outputs, inputs = definition(case)
    kernel = pa.compile(outputs, inputs, name="gradient", target=pa.Target(optimize=0))
    sizes = {"T": 3, "B": 2, "H": 2, "N": 4}
    rng = np.random.default_rng(0)
    shapes = [tuple(e.evaluate(sizes) for e in t.shape_affine) for t in inputs]
    arrays = [0.3 * rng.normal(size=shape).astype("float32") for shape in shapes]
    assert all(np.all(np.isfinite(a)) for a in kernel(*arrays))


@pytest.mark.parametrize("kind", ["elementwise", pytest.param("products", marks=pytest.mark.slow)])
def test_the_text_grows_as_the_definition_does(kind: str) -> None:
    """Twice as many equations are at most twice as many lines of C: what compilers read, whatever they take for it."""
    lengths = []
    for steps in (3, 6, 12):
        outputs, inputs = definition(replace(CASES[kind], sizes={"S": steps}))
        lengths.append(len(pa.compile(outputs, inputs, name="gradient").source.splitlines()))
    assert lengths[2] - lengths[1] <= 2.2 * (lengths[1] - lengths[0]), lengths


@pytest.mark.slow
@pytest.mark.parametrize("case", [pytest.param(c, id=k) for k, c in CASES.items()])
def test_jax_compiles_the_same(case: Case) -> None:
    pytest.importorskip("jax")
    WORKLOAD.contenders["jax cold"](case).call()
