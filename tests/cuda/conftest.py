"""Tests of kernels on a GPU run on NVIDIA's driver or, where there is none, on one that runs PTX on the CPU."""

import pytest

from tests.cuda.device import driver_missing, load_driver


@pytest.fixture(scope="session", autouse=True)
def device(polyad_environment: None) -> None:
    if why := driver_missing():
        pytest.skip(why)
    load_driver()
