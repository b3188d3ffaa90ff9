"""Threads that wait sleep soon, unless the user says otherwise: what GNU's OpenMP library says that it was told."""

import os
import subprocess
import sys

import pytest

from polyad.runtime.threads.waits import SPINS

PROGRAM = """
import os, numpy as np, polyad as pa
kernel = pa.jit(lambda x: pa.sum(pa.numpy.sin(x)), target="openmp")
kernel(np.ones(300_000))
print("left:", os.environ.get("GOMP_SPINCOUNT"))
"""


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, SPINS),
        ({"GOMP_SPINCOUNT": "77"}, "77"),
        ({"OMP_WAIT_POLICY": "active"}, ""),
    ],
)
def test_what_the_library_is_told(given: dict[str, str], told: str) -> None:
    clean = {n: v for n, v in os.environ.items() if n not in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")}
    clean |= {"OMP_DISPLAY_ENV": "verbose", **given}
    found = subprocess.run([sys.executable, "-c", PROGRAM], env=clean, capture_output=True, text=True, check=True)
    spins = [line.split("'")[1] for line in found.stderr.splitlines() if "GOMP_SPINCOUNT" in line]
    if not spins:
        pytest.skip("no OpenMP library of GNU")
    assert spins == [told] if told else spins[0] != SPINS
    assert f"left: {given.get('GOMP_SPINCOUNT')}" in found.stdout
