"""Schedules of the user's own: random transforms of the default one, each proved or refused, saved and loaded."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import polyad as pa
from polyad.errors import IllegalScheduleError, ScheduleError
from polyad.ir.affine import Affine
from polyad.ir.program import Program as Equations
from polyad.schedule.transforms import TRANSFORMS, BandName

__all__ = ["users_own"]

TRIES = 6  # transforms drawn for each that is wanted


def _drawn(order: pa.Schedule, equations: Equations, rng: random.Random) -> pa.Schedule:
    statement = rng.choice(equations.statements or [None])
    if statement is None or not statement.dims:
        return order
    dim, other = rng.choice(statement.dims), rng.choice(statement.dims)
    second = rng.choice(equations.statements)
    # Also the loop in a tile, where there is one.
    band: BandName = (statement.name, dim) if rng.random() < 0.8 else (statement.name, dim, 1)
    match rng.choice(("tile", *TRANSFORMS)):
        case "tile":
            return order.tile(band, [rng.choice((2, 3, 4, 8)) for _ in range(rng.choice((1, 1, 2)))])
        case "interchange":
            return order.interchange(band, rng.sample(statement.dims, len(statement.dims)))
        case "fuse":
            return order.fuse(band, (second.name, rng.choice(second.dims))) if second.dims else order
        case "skew":
            return order.skew(band, dim, other, rng.choice((1, 1, 2))) if dim != other else order
        case "shift":
            return order.shift(band, rng.choice((-2, -1, 1, 1, 2, *map(Affine.of, equations.params))))
        case "reorder":
            return order.reorder([statement.name, second.name])
        case "split" | "unroll" | "jam" as name:
            method: Callable[[BandName, int], pa.Schedule] = getattr(order, name)
            return method(band, rng.choice((2, 3, 4)))
        case "unmark" if rng.random() < 0.5:
            return order.unmark()
        case name:  # a band is all they take
            plain: Callable[[BandName], pa.Schedule] = getattr(order, name)
            return plain(band)


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
