"""Threads of OpenMP wait for more work in its library, which has to stay until the process is gone."""

import os
import subprocess
import sys

import pytest

from polyad.runtime.compiler import find_compiler

CALLED = """
import numpy as np
import polyad as pa

x = pa.placeholder((2000, 200), "x", "float64")
kernel = pa.compile([pa.tanh(x)], [x], name="called")
kernel(np.ones((2000, 200)))
"""


@pytest.mark.skipif(not find_compiler().openmp, reason="the C compiler has no OpenMP")
def test_a_process_ends_while_threads_still_wait() -> None:
    """They spin for good under this policy, and for some milliseconds under any other."""
    environment = os.environ | {"OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "active"}
    for _ in range(2):
        ended = subprocess.run(
            [sys.executable, "-c", CALLED], env=environment, capture_output=True, text=True, timeout=60
        )
        assert ended.returncode == 0, ended.stderr
