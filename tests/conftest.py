"""Conditions of all tests: fixed random choices, a cache, programs verified, small kernels certified, calls guarded."""

import functools
import gc
import os
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

from polyad.codegen import generate
from polyad.errors import ExtractionError
from polyad.pet import extract
from polyad.pet.libpet.library import PetLibrary, find_pet
from tests.certified_once import certified_once
from tests.compiled_derivatives import Unsettled
from tests.quick_cases import quick_cases

# Derandomised, so that a failure in CI is the failure at home; no deadline, because compilers run in between.
settings.register_profile(
    "dev", derandomize=True, deadline=None, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("ci", settings.get_profile("dev"), print_blob=True)
# For hunting: HYPOTHESIS_PROFILE=explore draws new programs each time.
settings.register_profile("explore", settings.get_profile("dev"), derandomize=False, max_examples=2000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "dev"))

CERTIFIED = "2000"
"""Statement instances that are looked at of each kernel: 20 ms, a tenth of what it takes to verify and compile it."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite expected text instead of comparing with it")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the cases of a test in quick_cases.txt, or with `quick_cases(n)`, the first n are quick, the others slow."""
    cases: Counter[str] = Counter()
    measured = quick_cases()
    for item in items:
        test = item.nodeid.split("[")[0]
        marker = item.get_closest_marker("quick_cases")
        most = [*([measured[test]] if test in measured else []), *(marker.args if marker is not None else ())]
        if most and item.get_closest_marker("slow") is None:
            cases[test] += 1
            if cases[test] > min(most):
                item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """Thousands of tests and the modules they are in stay to the end: looking for garbage among them took a tenth."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


@functools.cache
def missing(marker: str) -> str:
    """Why what a marker stands for is not there; "" where it is."""
    if marker == "torch":
        return "" if find_spec("torch") else "no torch, the outside judge; the extra polyad[torch] installs it"
    try:
        find_pet()
    except ExtractionError as problem:
        return str(problem)
    return ""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Tests that need libpet or PyTorch say so by a marker, and are skipped where they are missing."""
    Running.item = item
    for name in ("pet", "torch"):
        marker = item.get_closest_marker(name)
        if marker is not None and not marker.kwargs.get("optional") and missing(name):
            pytest.skip(missing(name))


class Running:
    """The test that runs."""

    item: pytest.Item


def find_pet_if_marked() -> PetLibrary:
    """Return the place of libpet; a test that reads C without a marker fails, as it would where there is none."""
    library = find_pet()
    if "POLYAD_PET" not in os.environ and not Running.item.get_closest_marker("pet"):
        pytest.fail(f"{Running.item.nodeid} reads C: mark it with NEEDS_PET (tests/pet/extracted.py)")
    return library


@pytest.fixture(scope="session")
def update_golden(request: pytest.FixtureRequest) -> bool:
    """True when expected text kept in the repository is to be rewritten instead of compared with."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(scope="session", autouse=True)
def polyad_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep compiled kernels out of the user's cache, verify programs, certify kernels at small sizes, guard calls."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # one cache for all workers of this run
    with pytest.MonkeyPatch.context() as patch:
        # POLYAD_TEST_CACHE: several runs of the same code go on from what the ones before compiled.
        patch.setenv("POLYAD_CACHE_DIR", os.environ.get("POLYAD_TEST_CACHE") or str(folder / "polyad_cache"))
        patch.setenv("POLYAD_VERIFY", "1")
        patch.setenv("POLYAD_CERTIFY", CERTIFIED)
        patch.setenv("POLYAD_GUARD", "1")
        patch.setattr(extract, "find_pet", find_pet_if_marked)
        patch.setattr(generate, "certify", certified_once)
        yield
    assert not Unsettled.cases, "derivatives were asked for where nobody compiles them; see tests/nn/conftest.py"
