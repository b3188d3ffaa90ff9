"""Shifts of rows, statement by statement: they exist where those of the whole do, and keep every dependence."""

import random
from types import SimpleNamespace
from typing import Any

from polyad.schedule.order.shifts import Shifts

Bounds = list[tuple[Any, int]]


def one_by_one(names: list[str], bounds: Bounds) -> Shifts | None:
    found: Shifts | None = Shifts({}, {})
    for n, name in enumerate(names):
        known = {*names[: n + 1]}
        own = [b for b in bounds if name in (b[0].source, b[0].sink) and {b[0].source, b[0].sink} <= known]
        found = found.with_statement(name, own)
        if found is None:
            return None
    return found


def exist(names: list[str], bounds: Bounds) -> bool:
    """By Bellman and Ford: what still moves after as many rounds as there are statements moves for ever."""
    shift = dict.fromkeys(names, 0)
    for _ in range(len(names) + 1):
        moved = False
        for e, least in bounds:
            if shift[e.sink] < shift[e.source] - least:
                shift[e.sink], moved = shift[e.source] - least, True
        if not moved:
            return True
    return False


def test_random_graphs() -> None:
    rng = random.Random(1)
    answers = set()
    for _ in range(3000):
        names = [str(i) for i in range(rng.randint(1, 7))]
        edges = [SimpleNamespace(source=rng.choice(names), sink=rng.choice(names)) for _ in range(rng.randint(0, 12))]
        bounds = [(e, rng.randint(-2, 3)) for e in edges]
        found = one_by_one(names, bounds)
        assert (found is not None) == exist(names, bounds)
        assert found is None or all(found.of[e.sink] >= found.of[e.source] - d for e, d in bounds)
        answers.add(found is not None)
    assert answers == {True, False}
