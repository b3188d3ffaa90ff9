"""Kernels under guard, as all tests run them: each way in which a kernel may touch what is not its own is seen."""

import numpy as np
import pytest

from polyad.codegen.storage.memory_plan import Slot
from polyad.ir.affine import Affine
from polyad.kernel import Kernel
from polyad.runtime.guarded import GuardError
from tests.runtime.handmade import TAKE, TAKE_PROGRAM, handmade, kernel_of

RIGHT = "for (int64_t i = 0; i < N; ++i) { z[i] = 2.0 * x[i]; y[i] = z[i]; }"

MISTAKES = {
    "reads_unwritten": ("for (int64_t i = 0; i < N; ++i) y[i] = z[i] + x[i];", None),
    "leaves_elements_out": ("for (int64_t i = 1; i < N; ++i) y[i] = x[i];", None),
    "writes_behind": ("for (int64_t i = 0; i <= N; ++i) y[i] = x[0];", "behind y of writes_behind"),
    "writes_in_front": ("for (int64_t i = -1; i < N; ++i) y[i] = x[0];", "in front of y of writes_in_front"),
    "leaves_the_workspace": (
        "for (int64_t i = 0; i < N; ++i) { z[i + 16] = 1.0; y[i] = x[i]; }",
        "behind the workspace",
    ),
    "changes_its_input": ("for (int64_t i = 0; i < N; ++i) y[i] = ((double *)x)[i]++;", "changed its input x"),
    "reads_behind": ("for (int64_t i = 0; i < N; ++i) y[i] = x[i + 1];", None),
}


def made(name: str, body: str) -> Kernel:
    text = f"    double *z = (double *)workspace;\n    z[0] = z[0];\n    {body}"
    slots = (Slot(("z",), "float64", (Affine.of("N"),)),)
    return kernel_of(handmade(name, ["N"], ["x: float64[N]"], ["y: float64[N]"], text, slots))


def test_what_is_right_passes() -> None:
    kernel, x = made("right", RIGHT), np.arange(5.0)
    np.testing.assert_array_equal(kernel(x), 2 * x)
    given = np.zeros(5)
    assert kernel(x, out=given) is given
    np.testing.assert_array_equal(given, 2 * x)


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_show(name: str) -> None:
    body, message = MISTAKES[name]
    kernel, x = made(name, body), np.arange(16.0)
    if message is None:  # what was never written is NaN
        assert np.isnan(kernel(x)).any()
    else:
        with pytest.raises(GuardError, match=message):
            kernel(x)


def test_a_call_that_fails_leaves_its_outputs_alone() -> None:
    kernel = kernel_of(TAKE, program=TAKE_PROGRAM)
    rows = np.full((1, 2), 7.0, np.float32)
    with pytest.raises(Exception, match="ids"):
        kernel(np.ones((3, 2), np.float32), np.array([5], np.int32), out=rows)
    np.testing.assert_array_equal(rows, 7.0)


def test_without_the_variable_calls_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POLYAD_GUARD", "0")
    kernel = made("plain", MISTAKES["changes_its_input"][0])
    x = np.arange(3.0)
    kernel(x)
    np.testing.assert_array_equal(x, [1.0, 2.0, 3.0])
