"""The header compiled as loops over arrays, always from the text in this tree, never from an installed extension."""

from typing import Any

import pytest

from polyad_c import accuracy


@pytest.fixture(scope="session", params=list(accuracy.VARIANTS))
def runtime(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Array versions of the header's functions; every test that uses it runs once for each set of compiler flags."""
    return accuracy.build_variant(accuracy.VARIANTS[request.param], tmp_path_factory.mktemp("runtime"))


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The C library's functions over arrays, in the next wider type."""
    return accuracy.build_reference(tmp_path_factory.mktemp("reference"))
