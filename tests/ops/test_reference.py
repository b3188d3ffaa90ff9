"""The reference page is made from the tables."""

from polyad.ops import OPS, REDUCTION_OPS
from polyad.ops.reference import derivatives, reduction_table, reference_table


def test_every_operator_has_a_row():
    table = reference_table()
    assert all(f"| `{name}(" in table for name in OPS)
    assert all(row.replace("\\|", "").count("|") == 6 for row in table.splitlines())


def test_every_reduction_has_a_row():
    table = reduction_table()
    assert all(f"| `{name}` |" in table for name in REDUCTION_OPS)


def test_derivatives_are_spelled_as_people_write_them():
    assert derivatives(OPS["tanh"]) == ["1 - (result * result)"]
    assert derivatives(OPS["div"]) == ["1 / y", "-(result / y)"]
    assert derivatives(OPS["maximum"])[0] == "select(x == y, 0.5, select(x > y, 1, 0))"
    assert derivatives(OPS["asin"]) == ["rsqrt(1 - (x * x))"]
    assert derivatives(OPS["floor"]) == ["0"]
    assert derivatives(OPS["lt"]) == []
