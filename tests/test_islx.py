"""The thin layer over isl: what a limit on its operations stops, and what it lets pass."""

import islpy as isl
import pytest

from polyad import islx


def work() -> isl.Set:
    triangle = isl.Set("[N] -> { [i, j] : 0 <= i < N and 0 <= j <= i and (i + j) mod 3 = 1 }")
    return triangle.subtract(isl.Set("[N] -> { [i, j] : i = 2 j + 3 }")).coalesce().lexmin()


@pytest.mark.parametrize("limit", [1, 50, 500])
def test_a_limit_stops(limit: int) -> None:
    with pytest.raises(islx.OperationLimitError, match=f"more than {limit} operations"), islx.bounded_operations(limit):
        work()
    assert not work().is_empty(), "and the next one starts anew"


def stopped_late() -> None:
    """Some calls of islpy answer None where isl was stopped, on which something else then fails."""
    try:
        work()
    except isl.Error:
        raise TypeError("int() argument must be a number, not None") from None


def test_what_follows_from_a_stop_is_one() -> None:
    with pytest.raises(islx.OperationLimitError), islx.bounded_operations(1):
        stopped_late()


def test_other_errors_pass() -> None:
    with pytest.raises(isl.Error), islx.bounded_operations(1_000_000):
        isl.Set("{ [i] : i < }")
    with pytest.raises(ZeroDivisionError), islx.bounded_operations(1_000_000):
        _ = 1 // 0
    with islx.bounded_operations(1_000_000):
        assert not work().is_empty()
