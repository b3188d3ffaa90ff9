"""Tests of kernels on a GPU run on NVIDIA's driver or, where there is none, on one that runs PTX on the CPU."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from polyad.codegen.cuda import tiles
from tests.cuda.device import driver_missing, load_driver


@pytest.fixture(scope="session", autouse=True)
def device(polyad_environment: None) -> Iterator[None]:
    if why := driver_missing():
        pytest.skip(why)
    load_driver()
    with pytest.MonkeyPatch.context() as patch:  # a few tiles are enough for a test
        patch.setattr(tiles, "DEVICE", replace(tiles.DEVICE, tiles=0))
        yield
