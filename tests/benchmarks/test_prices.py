"""Prices held against measurements: which pairs count, and that schedules are timed and priced."""

from benchmarks.prices import Priced, agreement, priced


def test_pairs_that_are_apart_are_compared() -> None:
    found = [
        Priced("a", "", 1.0, 10.0),
        Priced("a", "fuse", 2.0, 20.0),  # slower, and dearer
        Priced("a", "jam", 1.1, 5.0),  # as fast: no pair with the first
        Priced("b", "", 9.0, 1.0),  # another program
        Priced("b", "order", 3.0, 1.0),  # faster at the same price
    ]
    pairs, wrong = agreement(found)
    assert pairs == 3
    assert [(slow.without, fast.without) for slow, fast in wrong] == [("", "order")]


def test_schedules_of_a_workload_are_timed_and_priced() -> None:
    found = list(priced(["triangular_matvec"], 0.0))
    assert {"", "order"} <= {p.without for p in found}
    assert all(p.seconds > 0 and p.price > 0 for p in found)
