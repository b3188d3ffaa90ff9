"""The table of reductions."""

import numpy as np
import pytest

from polyad.ir.statement import REDUCTIONS
from polyad.ops import OPS, REDUCTION_OPS, identity


def test_every_reduction_has_an_entry():
    assert set(REDUCTION_OPS) == set(REDUCTIONS)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_the_identity_changes_nothing(name, dtype):
    start = np.dtype(dtype).type(identity(name, dtype))
    for x in (-3, 0, 7):
        assert REDUCTION_OPS[name].value(start, np.dtype(dtype).type(x)) == x


@pytest.mark.parametrize("name", REDUCTIONS)
def test_the_scalar_operator_does_the_same(name):
    entry = REDUCTION_OPS[name]
    a, b = np.array([1.5, -2.0]), np.array([0.5, 3.0])
    assert entry.value(a, b).tolist() == OPS[entry.op].value(a, b).tolist()


def test_identities_have_the_type_of_the_elements():
    assert identity("max", "int32") == -(2**31) and identity("min", "int64") == 2**63 - 1
    assert identity("max", "float32") == -np.inf
    assert isinstance(identity("sum", "int64"), int) and isinstance(identity("prod", "float64"), float)
