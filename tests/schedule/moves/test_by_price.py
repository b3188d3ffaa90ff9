"""Candidates by price: the cheapest first, nothing lost, and what does not fit behind."""

from typing import Any

import polyad as pa
from polyad.schedule.moves.move import replay
from polyad.schedule.moves.order import candidates, work_of
from polyad.tuning import by_price as module
from polyad.tuning.by_price import by_price
from tests.tuning.test_search import BASE


def kernel() -> Any:
    n = 48
    a, b = (pa.placeholder((n, n), name, "float32") for name in "ab")

    def element(i: Any, j: Any) -> Any:
        k = pa.reduce_axis(n, "k")
        return pa.sum(a[i, k] * b[k, j], axis=k)

    return pa.compile(pa.compute((n, n), element, name="c"), target=pa.Target(optimize=0))


def test_the_cheapest_come_first_and_none_is_lost(monkeypatch: Any) -> None:
    monkeypatch.setattr(module, "PRICED", 20)
    product = kernel()
    given = candidates(product.schedule, work_of(product.program, {}))
    assert len(given) > 20
    ranked = by_price(product, {}, 1)(given, product.schedule)
    prices = [replay(s, product.schedule).price(product).total for s in ranked[:20]]
    assert prices == sorted(prices) and prices[0] < pa.schedule.price(product).total
    assert sorted(map(str, ranked[:20])) == sorted(map(str, given[:20])) and ranked[20:] == given[20:]


def test_steps_that_do_not_fit_come_last() -> None:
    product = kernel()
    other = candidates(BASE, {})[:2]  # of another program
    ranked = by_price(product, {}, 1)([*other, *candidates(product.schedule, {})[:3]], product.schedule)
    assert ranked[-2:] == other
