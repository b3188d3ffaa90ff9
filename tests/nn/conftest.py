"""Derivatives that the tests of a module asked for are compiled together and judged behind its last test."""

from collections.abc import Iterator

import pytest

from tests.compiled_derivatives import settle
from tests.nn import against_torch


@pytest.fixture(scope="module", autouse=True)
def derivatives_by_kernels() -> Iterator[None]:
    yield
    settle()
    against_torch.settle()
