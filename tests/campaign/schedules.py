"""Schedules of the user's own: random transforms of the default one, each proved or refused, saved and loaded."""

import random
import tempfile
from pathlib import Path

import polyad as pa
from polyad.errors import IllegalScheduleError, ScheduleError
from polyad.ir.program import Program as Equations

__all__ = ["users_own"]

TRIES = 6  # transforms drawn for each that is wanted


def _drawn(order: pa.Schedule, equations: Equations, rng: random.Random) -> pa.Schedule:
    statement = rng.choice(equations.statements or [None])
    if statement is None or not statement.dims:
        return order
    name, dim = statement.name, rng.choice(statement.dims)
    other = rng.choice(statement.dims)
    match rng.choice(("tile", "tile", "interchange", "fuse", "distribute", "skew", "parallel", "vectorize")):
        case "tile":
            return order.tile((name, dim), [rng.choice((2, 3, 4, 8)) for _ in range(rng.choice((1, 1, 2)))])
        case "interchange":
            return order.interchange((name, dim), rng.sample(statement.dims, len(statement.dims)))
        case "fuse":
            second = rng.choice(equations.statements)
            if not second.dims:
                return order
            return order.fuse((name, dim), (second.name, rng.choice(second.dims)))
        case "distribute":
            return order.distribute((name, dim))
        case "skew":
            return order.skew((name, dim), dim, other, rng.choice((1, 1, 2))) if dim != other else order
        case "parallel":
            return order.parallel((name, dim))
        case _:
            return order.vectorize((name, dim))


def users_own(order: pa.Schedule, equations: Equations, rng: random.Random, count: int) -> pa.Schedule:
    """A legal schedule after up to `count` random transforms, through a file.

    Transforms that do not apply and orders that are illegal have to be refused as such; the latter with a witness.
    """
    done = 0
    for _ in range(TRIES * count):
        try:
            new = _drawn(order, equations, rng)
        except ScheduleError:
            continue
        if new is order:
            continue
        try:
            new.check(equations)
        except IllegalScheduleError as problem:
            if not (problem.source_instance and problem.sink_instance):
                raise AssertionError(f"no witness: {problem}") from problem
            continue
        order, done = new, done + 1
        if done == count:
            break
    with tempfile.TemporaryDirectory(prefix="polyad-") as folder:
        path = Path(folder) / "order.yaml"
        order.save(path)
        again = pa.Schedule.load(path)
    # isl spells what it has read in its own way: (1 + 3t) mod 4 comes back as (1 - t) mod 4.
    assert again.isl.get_map().is_equal(order.isl.get_map()), "a schedule that was saved reads as another one"
    return again
