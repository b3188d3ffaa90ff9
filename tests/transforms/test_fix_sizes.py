import numpy as np
import pytest

import polyad as pa
from polyad.errors import CallError, DefinitionError
from polyad.transforms.rewrite.fix_sizes import check_sizes, fix_sizes


def program() -> pa.Program:
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x")
    return pa.compile(pa.compute((N,), lambda i: x[i] * 2, name="y"), [x], target=pa.Target("c", optimize=0)).program


@pytest.mark.parametrize(
    "sizes", [{"N": 3.5}, {"N": "3"}, {"N": True}, {"N": None}, {"N": 2**63}, {3: 3}, [("N", 3)], 5, np.ones(3)]
)
def test_what_is_no_size_is_refused(sizes: object) -> None:
    """3.5 was taken for 3, and so was '3'."""
    with pytest.raises(CallError, match="sizes="):
        check_sizes(sizes)
    N = pa.sizes("N")
    x = pa.placeholder((N,), "x")
    with pytest.raises(CallError, match="sizes="):
        pa.compile(pa.compute((N,), lambda i: x[i] * 2, name="y"), [x], sizes=sizes)  # type: ignore[arg-type]


def test_sizes_become_numbers() -> None:
    fixed = fix_sizes(program(), {"N": np.int32(3)})  # type: ignore[dict-item]
    assert "y: float32[3]" in str(fixed) and not fixed.params
    with pytest.raises(DefinitionError, match="has no size M"):
        fix_sizes(program(), {"M": 3})
    with pytest.raises(DefinitionError, match="outside of what was declared"):
        fix_sizes(program(), {"N": 0})
