"""What is extracted of the corpus, run an instance at a time, does what the compiled C does."""

import importlib.util
import os

import numpy as np
import pytest

from polyad.pet.extract import extract
from tests.pet.corpus import CASES, Case, reference
from tests.pet.replay import replay

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("tadashi") is None and "POLYAD_PET" not in os.environ, reason="no libpet: see polyad[pet]"
)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
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
