"""The C of the corpus does what its names say, and its differences are fit to hold derivatives against."""

from types import SimpleNamespace

import numpy as np
import pytest

from tests.pet.case import DTYPES
from tests.pet.corpus import CASES, Case, central_differences, output_weights, reference

EVERY = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def sizes_of(case: Case) -> list[dict[str, int]]:
    return [dict(sizes) for sizes in (case.sizes, *case.edges)]


def namespace(arguments: dict[str, object]) -> SimpleNamespace:
    """Copies, in double: NumPy's part may write into them."""
    return SimpleNamespace(
        **{
            name: value.astype(float if value.dtype.kind == "f" else int) if isinstance(value, np.ndarray) else value
            for name, value in arguments.items()
        }
    )


def test_every_file_has_a_case() -> None:
    files = {path.stem for path in next(iter(CASES.values())).path.parent.glob("*.c")}
    assert files == CASES.keys()


@EVERY
def test_the_table_agrees_with_the_prototype(case: Case) -> None:
    arrays = [parameter for parameter in case.parameters if parameter.is_array]
    assert {*case.updates, *case.results} <= {p.name for p in arrays if not p.const}
    assert {*case.sizes} <= {p.name for p in case.parameters if DTYPES[p.type].kind in "iu" and not p.is_array}
    assert case.of in {*case.updates, *case.results}
    for name in case.wrt:
        (parameter,) = (p for p in case.parameters if p.name == name)
        assert DTYPES[parameter.type].kind == "f"
        assert name not in case.results


@EVERY
def test_c_agrees_with_numpy(case: Case) -> None:
    if case.numpy is None:
        pytest.skip("no formula in NumPy that is not the same loops")
    for seed, sizes in enumerate(sizes_of(case)):
        arguments = case.arguments(seed, sizes)
        after = reference(case, arguments)
        for name, expected in case.numpy(namespace(arguments)).items():
            np.testing.assert_allclose(
                after[name], expected, rtol=case.tolerance, atol=case.tolerance, err_msg=f"{name} for {sizes}"
            )


@EVERY
def test_outputs_are_numbers(case: Case) -> None:
    """Results hold NaN before: what is not written, or comes from what is not written, stays it."""
    for seed, sizes in enumerate(sizes_of(case)):
        for name, array in reference(case, case.arguments(seed, sizes)).items():
            assert np.isfinite(array).all(), f"{name} for {sizes}: {array}"


@EVERY
def test_arguments_stay_as_they_are(case: Case) -> None:
    arguments = case.arguments()
    before = {name: np.copy(value) for name, value in arguments.items()}
    reference(case, arguments)
    for name, value in arguments.items():
        np.testing.assert_array_equal(value, before[name])


@EVERY
def test_no_kink_is_near(case: Case) -> None:
    """Two steps give the same slope: drawn points are not on kinks, and rounding is small beside the slope."""
    arguments = case.arguments()
    weights = output_weights(case, arguments)
    for name in case.wrt:
        slope = central_differences(case, name, arguments, weights)
        wider = central_differences(case, name, arguments, weights, step=3 * case.step)
        assert np.any(slope), f"{case.of} does not depend on {name}"
        np.testing.assert_allclose(slope, wider, rtol=1e-5, atol=1e-6)
