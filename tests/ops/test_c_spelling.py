"""The C spelling of every operator computes the value of the table."""

import ctypes
import dataclasses
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from polyad.ops import OPS, REDUCTION_OPS

INCLUDE = Path(__file__).resolve().parents[2] / "polyad_c" / "include"
TYPES = {"f32": "float", "f64": "double", "i32": "int32_t", "i64": "int64_t", "u32": "uint32_t"}
NUMPY = {"f32": np.float32, "f64": np.float64, "i32": np.int32, "i64": np.int64, "u32": np.uint32}
TOLERANCE = {"f32": 1e-6, "f64": 4e-15}
# Integers are never given to these: `apply` converts them to float64 or folds the application away.
FLOAT_ONLY = {"floor", "ceil", "round", "trunc", "isnan"}
LENGTH = 40
DEFINED = set(re.findall(r"\b(pa_\w+)\(", (INCLUDE / "polyad_runtime.h").read_text(encoding="utf-8")))


def cases():
    for op in OPS.values():
        for suffix in TYPES:
            if suffix[0] != "f" and (op.kind == "float" or op.name in FLOAT_ONLY):
                continue
            if suffix[0] == "f" and op.kind == "integer":
                continue
            yield op, suffix


def undefined(op, suffix):
    """The functions of the runtime header that a spelling calls, of which it has none."""
    called = re.findall(r"\b(pa_\w+)\(", op.c.format("x", "y", f=suffix, t=TYPES[suffix]))
    return [name for name in called if name not in DEFINED]


def test_the_header_has_every_function_that_is_called():
    missing = {name for op, suffix in cases() for name in undefined(op, suffix)}
    assert not missing, "polyad_c/include/polyad_runtime.h has none of these, which entries of polyad/ops name in `c`"


def c_text():
    lines = ["#include <polyad_runtime.h>"]
    for op, f in cases():
        if undefined(op, f):  # the test above says so; the others go on
            continue
        t = TYPES[f]
        spelled = op.c.format("x[i]", "y[i]", f=f, t=t)
        lines.append(f"void table_{op.name}_{f}(const {t} *x, const {t} *y, {t} *out)")
        lines.append(f"{{ PA_UNUSED(y); for (int i = 0; i < {LENGTH}; i++) out[i] = {spelled}; }}")
    for op in REDUCTION_OPS.values():
        for f, t in TYPES.items():
            update = op.c.format(acc="acc", x="x[i]", f=f)
            lines.append(f"{t} reduce_{op.name}_{f}(const {t} *x, {t} acc)")
            lines.append(f"{{ for (int i = 0; i < {LENGTH}; i++) {update}; return acc; }}")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler")
    folder = tmp_path_factory.mktemp("spelling")
    (folder / "table.c").write_text(c_text())
    flags = ["-std=c99", "-O1", "-Wall", "-Werror", "-fno-math-errno", "-fno-trapping-math", "-fPIC", "-shared"]
    command = [compiler, *flags, f"-I{INCLUDE}", "table.c", "-o", "table.so", "-lm"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return ctypes.CDLL(str(folder / "table.so"))


def arguments(op, f):
    rng = np.random.default_rng(1)
    if f[0] != "f":
        columns = [rng.integers(-9, 10, LENGTH) for _ in range(2)]
        if op.name == "pow":
            columns[1] = rng.integers(0, 6, LENGTH)
        if op.kind == "integer":  # all bits, and shifts by too much
            columns = [rng.integers(-(2**63), 2**63, LENGTH), rng.integers(-3, 70, LENGTH)]
    else:
        intervals = (op.sample * 2)[:2]
        columns = [rng.uniform(low, high, LENGTH) for low, high in intervals]
    return [c.astype(NUMPY[f]) for c in columns]


def call(library, op, f, x, y):
    out = np.empty(LENGTH, NUMPY[f])
    library[f"table_{op.name}_{f}"](*(ctypes.c_void_p(a.ctypes.data) for a in (x, y, out)))
    return out


@pytest.mark.parametrize(("op", "f"), list(cases()), ids=lambda p: getattr(p, "name", p))
def test_the_spelling_computes_the_value(library, op, f):
    assert not undefined(op, f)
    x, y = arguments(op, f)
    wide = np.float64 if f[0] == "f" else np.int64
    with np.errstate(all="ignore"):
        expected = op.value(*(a.astype(wide) for a in (x, y)[: op.arity]))
    got = call(library, op, f, x, y)
    if f[0] != "f":
        assert got.tolist() == np.asarray(expected).astype(NUMPY[f]).tolist()
    else:
        np.testing.assert_allclose(got, np.asarray(expected, np.float64), rtol=TOLERANCE[f], atol=TOLERANCE[f])


def test_a_function_that_the_header_does_not_have_is_named():
    missing = dataclasses.replace(OPS["cbrt"], c="pa_root_{f}({0}) * pa_abs_{f}({0})")
    assert undefined(missing, "f32") == ["pa_root_f32"]


def test_another_value_is_noticed(library):
    wrong = dataclasses.replace(OPS["sin"], value=np.cos)
    with pytest.raises(AssertionError):
        test_the_spelling_computes_the_value(library, wrong, "f64")


@pytest.mark.parametrize("f", ["f32", "f64"])
@pytest.mark.parametrize("name", ["maximum", "minimum", "sign", "round", "trunc", "isnan", "sqrt", "lt", "eq"])
def test_special_values_agree(library, name, f):
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 2.5, -2.5, 1.0], NUMPY[f])
    x = np.resize(special, LENGTH)
    y = np.resize(np.roll(special, 3)[:7], LENGTH)
    op = OPS[name]
    with np.errstate(all="ignore"):
        expected = op.value(*(x, y)[: op.arity]).astype(NUMPY[f])
    np.testing.assert_array_equal(call(library, op, f, x, y), expected)


@pytest.mark.parametrize("f", TYPES)
@pytest.mark.parametrize("op", REDUCTION_OPS.values(), ids=lambda op: op.name)
def test_a_reduction_update_takes_in_one_value(library, op, f):
    rng = np.random.default_rng(2)
    x = rng.choice([-1, 1, 2] if op.name == "prod" else [-3, 0, 2, 5], LENGTH).astype(NUMPY[f])
    x[rng.permutation(LENGTH)[:25]] = 1
    function = library[f"reduce_{op.name}_{f}"]
    scalars = {"f32": ctypes.c_float, "f64": ctypes.c_double, "i32": ctypes.c_int32, "i64": ctypes.c_int64}
    scalar = scalars.get(f, ctypes.c_uint32)
    function.restype = scalar
    start = op.identity(np.dtype(NUMPY[f]).name)
    with np.errstate(over="ignore"):
        expected = op.value.reduce(x, dtype=x.dtype)
    assert function(ctypes.c_void_p(x.ctypes.data), scalar(start)) == expected
