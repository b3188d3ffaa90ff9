"""Names become parts of file names, and those end at 255 letters."""

import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError, DefinitionError
from polyad.ir.names import MOST_LETTERS

LONG = "n" * (MOST_LETTERS + 1)


def test_names_of_kernels() -> None:
    x = pa.placeholder((3,), "x")
    y = pa.compute((3,), lambda i: x[i] * 2, name="y")
    with pytest.raises(DefinitionError, match=r"kernel name 'n+'\.\.\. has 151 letters; .* at most 150"):
        pa.compile(y, [x], name=LONG)
    with pytest.raises(DefinitionError, match="is not an identifier"):
        pa.compile(y, [x], name="5")
    with pytest.raises(CallError, match="name=5: expected the name of the C function"):
        pa.compile(y, [x], name=5)  # type: ignore[arg-type]
    kernel = pa.compile(y, [x], name=LONG[1:], target=pa.Target("c", optimize=0))
    assert kernel(np.ones(3, np.float32)).tolist() == [2.0] * 3


def test_names_of_exports(tmp_path) -> None:  # type: ignore[no-untyped-def]
    x = pa.placeholder((3,), "x")
    kernel = pa.compile(pa.compute((3,), lambda i: x[i] * 2, name="y"), [x], target=pa.Target("c", optimize=0))
    with pytest.raises(CallError, match="has 151 letters") as caught:
        kernel.export(tmp_path, name=LONG)
    assert caught.value.argument == "name"
    assert not list(tmp_path.iterdir())


def test_names_of_functions() -> None:
    def f(x):  # type: ignore[no-untyped-def]
        return x * 2

    f.__name__ = LONG * 3
    assert pa.jit(f)(np.ones(2)).tolist() == [2.0, 2.0]


def test_structures_that_hold_themselves() -> None:
    x = pa.placeholder((3,), "x")
    endless: list[object] = [x]
    endless.append(endless)
    for call in (lambda: pa.jit(lambda v: v)(endless), lambda: pa.compile(endless, [x])):
        with pytest.raises(DefinitionError, match="does it hold itself"):
            call()
