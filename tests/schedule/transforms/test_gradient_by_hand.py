"""The gradient of a recurrence in two dimensions, skewed and tiled by public transforms alone."""

from typing import Any

import numpy as np
import pytest

import polyad as pa

N, M = pa.sizes("N M")
x = pa.placeholder((N, M), name="x", dtype="float64")


def gradient() -> Any:
    """Of the sum of all h[i, j]^2, where h[i, j] = x[i, j] + h[i - 1, j] / 2 + h[i, j - 1] / 4."""

    def step(h: Any, i: Any, j: Any) -> Any:
        above = pa.select(i == 0, 0.0, 0.5 * h[i - 1, j])
        return x[i, j] + above + pa.select(j == 0, 0.0, 0.25 * h[i, j - 1])

    h = pa.recurrence((N, M), step, name="h", dtype="float64")
    return pa.grad(pa.sum(h * h), [x])


def apart(schedule: pa.Schedule) -> pa.Schedule:
    """The inner parts of the recurrence and of its adjoint in loops of their own, after the edges that they read."""
    schedule = schedule.distribute(("h_3", "i")).reorder(["h_1", "h_3"])
    schedule = schedule.distribute(("h_bar_3", "i"))
    return schedule.reorder(["h_bar_h_3_1_1", "h_bar_2", "h_bar_3", "h_bar_1", "h_bar_h_3_2"])


def waves(schedule: pa.Schedule, size: int) -> pa.Schedule:
    """Square tiles, run along diagonals."""
    for name in ("h_3", "h_bar_3"):
        schedule = schedule.tile((name, "i"), [size, size]).skew((name, "i"), "i", "j").parallel((name, "j"))
    return schedule


def test_tiles_in_waves_give_the_numbers_of_the_default_schedule() -> None:
    usual = pa.compile(gradient(), [x], name="gradient")
    plain = pa.compile(gradient(), [x], name="gradient", target=pa.Target(optimize=0)).schedule
    assert plain.unmark().tree() == plain.tree() and "for i (reversed)" in plain.tree()
    own = waves(apart(plain), 8)
    # Every row of the adjoint runs backwards, so its tiles do.
    assert (
        "for i, j (waves of tiles of 8 x 8)\n└─ parallel for j (tiles of 8)\n   └─ for i\n      └─ for j\n"
        in own.tree()
    )
    assert (
        "for -i, -j (waves of tiles of 8 x 8)\n└─ parallel for -j (tiles of 8)\n   └─ for i (reversed)\n" in own.tree()
    )
    own.check(usual.program)
    kernel = pa.compile(gradient(), [x], name="gradient", schedule=pa.Schedule.from_yaml(str(own)))
    assert kernel.schedule.tree() == own.tree()
    for shape in ((1, 1), (2, 9), (30, 17)):
        values = np.random.default_rng(0).standard_normal(shape)
        np.testing.assert_allclose(kernel.check(values), usual(values), rtol=1e-12, atol=1e-12)


def test_tiles_of_one_row_depend_on_each_other() -> None:
    usual = pa.compile(gradient(), [x], name="gradient")
    plain = pa.compile(gradient(), [x], name="gradient", target=pa.Target(optimize=0)).schedule
    tiled = apart(plain).tile(("h_bar_3", "i"), [8, 8])
    assert tiled.is_legal(usual.program)
    with pytest.raises(pa.IllegalScheduleError) as caught:
        tiled.parallel(("h_bar_3", "j")).check(usual.program)
    assert caught.value.source_instance.startswith("h_bar_3[")
    with pytest.raises(pa.IllegalScheduleError, match="h_bar_h_3_1_1"):
        plain.distribute(("h_bar_3", "i")).check(usual.program)  # its last row is not yet complete


def test_transforms_undo_each_other() -> None:
    """A row that is turned twice, moved there and back, put first and last again, is the row that it was."""
    plain = pa.compile(gradient(), [x], name="gradient", target=pa.Target(optimize=0)).schedule
    band = ("h_bar_3", "i")
    for once in (
        plain.reverse(band).reverse(band),
        plain.shift(band, N - 2).shift(band, 2 - N),
        plain.reorder(["x_bar_3", "x_bar_1"]).reorder(["x_bar_1", "x_bar_3"]),
        plain.parallel(("x_bar_3", "i")).sequential(("x_bar_3", "i")),
        plain.parallel(("x_bar_3", "i")).unmark(("x_bar_3", "i")),
        plain.jam(("x_bar_3", "i"), 4).unmark(),
    ):
        assert once.tree() == plain.tree() and once.isl.get_map().is_equal(plain.isl.get_map())
