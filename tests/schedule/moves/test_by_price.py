"""Candidates by price: the cheapest first, nothing lost, and what does not fit behind."""

from typing import Any

import polyad as pa
from polyad.schedule.moves import order as module
from polyad.schedule.moves.move import replay
from polyad.schedule.moves.order import by_price, candidates, ranked, work_of
from tests.tuning.test_search import BASE


def kernel() -> Any:
    n = 48
    a, b = (pa.placeholder((n, n), name, "float32") for name in "ab")

    def element(i: Any, j: Any) -> Any:
        k = pa.reduce_axis(n, "k")
        return pa.sum(a[i, k] * b[k, j], axis=k)

    return pa.compile(pa.compute((n, n), element, name="c"), target=pa.Target(optimize=0))


def price_with(kernel: Any) -> Any:
    return lambda schedule: schedule.price(kernel).total


def test_the_cheapest_come_first_and_none_is_lost(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "PRICED", 20)
    product = kernel()
    given = candidates(product.schedule, work_of(product.program, {}))
    assert len(given) > 20
    found = ranked(given, product.schedule, price_with(product))
    prices = [replay(s, product.schedule).price(product).total for s in found[:20]]
    assert prices == sorted(prices) and prices[0] < pa.schedule.price(product).total
    assert sorted(map(str, found[:20])) == sorted(map(str, given[:20])) and found[20:] == given[20:]
    assert [one.price for one in by_price(given, product.schedule, price_with(product))] == prices


def test_steps_that_do_not_fit_come_last() -> None:
    product = kernel()
    other = candidates(BASE, {})[:2]  # of another program
    steps = [*other, *candidates(product.schedule, {})[:3]]
    assert ranked(steps, product.schedule, price_with(product))[-2:] == other
    assert by_price(steps, product.schedule, price_with(product))[-1].schedule is None
