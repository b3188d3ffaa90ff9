"""Scops of the corpus, run an instance at a time, do what the compiled C does."""

from dataclasses import replace

import islpy as isl
import numpy as np
import pytest

from polyad.pet.extract import extract
from tests.pet.corpus import CASES, Case, reference
from tests.pet.extracted import NEEDS_PET
from tests.pet.replay import replay

pytestmark = NEEDS_PET


# An instance at a time takes long for networks.
HEAVY = {
    "adbench_gmm",
    "adbench_lstm",
    "deriche",
    "gru",
    "image_pipeline",
    "kalman",
    "lstm",
    "mlp",
    "neural_ode",
    "sgd",
}


@pytest.mark.parametrize(
    "case", [pytest.param(c, id=n, marks=[pytest.mark.slow] * (n in HEAVY)) for n, c in CASES.items()]
)
@pytest.mark.quick_cases(4)
def test_extracted_loops_do_what_c_does(case: Case) -> None:
    scop, function = extract(case.path, case.function)
    for seed, sizes in enumerate((case.sizes, *case.edges)):
        arguments = case.arguments(seed, sizes)
        after = replay(scop, function, arguments)
        for name, expected in reference(case, arguments).items():
            tolerance = 1e-4 if case.single else 1e-12
            np.testing.assert_allclose(
                after[name].reshape(expected.shape),
                expected,
                rtol=tolerance,
                atol=tolerance,
                err_msg=f"{name}: {sizes}",
            )


def test_a_wrong_guard_is_noticed() -> None:
    case = CASES["burgers"]
    scop, function = extract(case.path, case.function)
    wrong = replace(
        scop,
        statements=tuple(
            replace(s, guards=tuple((node, 1 - value) for node, value in s.guards)) for s in scop.statements
        ),
    )
    arguments = case.arguments()
    assert not np.allclose(replay(wrong, function, arguments)["u"], reference(case, arguments)["u"])


def test_a_read_before_the_write_is_noticed() -> None:
    case = CASES["double_buffer"]
    scop, function = extract(case.path, case.function)
    first = scop.schedule.get_domain().subtract(isl.UnionSet.from_set(scop.statements[0].domain))
    with pytest.raises(AssertionError, match="is read, but holds nothing"):
        replay(replace(scop, schedule=scop.schedule.intersect_domain(first)), function, case.arguments())
