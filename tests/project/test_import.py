"""`import polyad` brings what writes and differentiates programs; what compiles them comes with the first kernel."""

import subprocess
import sys

import pytest

import polyad as pa

LATER = (
    "polyad.pipeline",
    "polyad.passes",
    "polyad.schedule.schedule",
    "polyad.codegen.generate",
    "polyad.kernel",
)
NEVER = ("polyad.inspect.doctor", "cffi", "pycparser", "argparse", "hypothesis", "torch")

ASK = f"""
import sys
import polyad as pa
assert not [name for name in {LATER + NEVER} if name in sys.modules], "too early"
assert set(pa.__all__) <= set(dir(pa)), "dir"
pa.Kernel, pa.Schedule, pa.clear_cache
from polyad import *
assert Kernel is pa.Kernel is vars(pa)["Kernel"] and Kernel.__name__ == "Kernel"
"""


def test_what_is_imported_when() -> None:
    done = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_absent_names_are_absent() -> None:
    assert not hasattr(pa, "no_such_name")
    with pytest.raises(AttributeError, match="module 'polyad' has no attribute 'no_such_name'"):
        pa.no_such_name  # noqa: B018
