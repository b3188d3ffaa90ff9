"""Every operator that users call by its name is a function of `polyad` and of `polyad.numpy`."""

import polyad as pa
from polyad.frontend import operator_functions
from polyad.ops import OPS


def test_each_has_its_line() -> None:
    lines = {name for name in vars(operator_functions) if not name.startswith("_")}
    wanted = {op.name for op in OPS.values() if op.written is None}
    assert not wanted - lines, "polyad/frontend/operator_functions.py has no line NAME = _function(NAME) for these"
    assert not lines - wanted, "these are not called by their names: see `written` of their entries"


def test_each_is_exported() -> None:
    for name in (op.name for op in OPS.values() if op.written is None):
        assert getattr(pa, name) is getattr(operator_functions, name)
        assert name in pa.__all__ and name in pa.numpy.__all__
        assert getattr(pa, name).__name__ == getattr(pa.numpy, name).__name__ == name
