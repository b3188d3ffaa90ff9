"""Prices: what they count at known orders, and that an order that is known to be better is cheaper."""

from random import Random
from typing import Any

import pytest

import polyad as pa
from polyad.errors import CallError
from polyad.machine import MACHINE
from polyad.schedule.schedule import Schedule
from tests.renamed import shuffled_program

PLAIN = pa.Target(optimize=0)
MANY = 4096  # a matrix of so many rows and columns of float32 is four times as large as any cache
FEW = 64


def total(n: int, by_columns: bool = False) -> Any:
    """The sum of each row of a matrix, or of each column."""
    a = pa.placeholder((n, n), "a", "float32")

    def element(i: Any) -> Any:
        k = pa.reduce_axis(n, "k")
        return pa.sum(a[k, i] if by_columns else a[i, k], axis=k)

    return pa.compile(pa.compute((n,), element, name="s"), target=PLAIN)


def test_a_matrix_is_read_once_by_rows() -> None:
    price = pa.schedule.price(total(MANY))
    assert price.far == pytest.approx(4 * MANY * (MANY + 2) * MACHINE.far_byte, rel=0.01)
    assert price.near == pytest.approx(price.far / MACHINE.far_byte * MACHINE.near_byte, rel=0.01)


def test_by_columns_a_line_is_read_for_each_element() -> None:
    kernel = total(1 << 14, by_columns=True)  # the lines of a column, 1 MB, are no cache's for all rows
    rows = pa.schedule.price(total(1 << 14))
    assert pa.schedule.price(kernel).near > 10 * rows.near


def test_what_fits_into_a_cache_is_read_once_in_any_order() -> None:
    rows, columns = (pa.schedule.price(total(FEW, c)) for c in (False, True))
    assert rows.near == columns.near and rows.far == columns.far


def product(n: int) -> Any:
    a, b = (pa.placeholder((n, n), name, "float32") for name in "ab")

    def element(i: Any, j: Any) -> Any:
        k = pa.reduce_axis(n, "k")
        return pa.sum(a[i, k] * b[k, j], axis=k)

    return pa.compile(pa.compute((n, n), element, name="c"), target=PLAIN)


def test_tiles_make_a_product_cheaper() -> None:
    kernel = product(2048)
    plain: Schedule = kernel.schedule
    inside = plain.interchange(("c", "k"), ["i", "k", "j"])
    tiled = plain.tile(("c", "i"), [128, 128, 128])
    assert tiled.price(kernel).near < plain.price(kernel).near / 8
    assert inside.price(kernel).near == plain.price(kernel).near, "columns of b stay in the cache for the next ones"
    assert inside.vectorize(("c", "j")).price(kernel).computed < inside.price(kernel).computed / 4


def test_a_sum_that_waits_for_itself_is_dearer_than_one_that_does_not() -> None:
    kernel = total(FEW)
    one_by_one = kernel.schedule
    jammed = one_by_one.jam(("s", "i"), 4)
    assert jammed.price(kernel).computed < one_by_one.price(kernel).computed / 2
    assert one_by_one.vectorize(("s", "k")).price(kernel).computed < one_by_one.price(kernel).computed / 4


def test_loops_that_are_joined_read_memory_once() -> None:
    n = 1 << 24
    x = pa.placeholder((n,), "x", "float32")
    y = pa.compute((n,), lambda i: x[i] * x[i], name="y")
    z = pa.compute((n,), lambda i: pa.exp(y[i]) + y[i], name="z")
    kernel = pa.compile([y, z], target=PLAIN)
    apart = kernel.schedule
    assert apart.fuse(("y", "i"), ("z", "i")).price(kernel).far == pytest.approx(
        apart.price(kernel).far * 3 / 4, rel=0.01
    )


def test_threads_share_a_loop_and_start_for_it() -> None:
    kernel = total(MANY)
    shared = kernel.schedule.parallel(("s", "i"))
    assert shared.price(kernel, threads=4).computed == pytest.approx(shared.price(kernel).computed / 4, rel=1e-3)
    assert shared.price(kernel, threads=4).threads > 0 == shared.price(kernel).threads


def test_threads_that_start_in_each_step_are_dearer_than_a_region() -> None:
    steps, n = 100, 64
    s = pa.recurrence(
        (steps, n), lambda s, t, i: pa.select(t == 0, 1.0, pa.select(t > 0, s[t - 1, (i + 1) % n] * 0.5, 0.0)), name="s"
    )
    kernel = pa.compile(s, target=PLAIN)
    name = next(x.name for x in kernel.program.statements if x.reduction is None and len(list(x.reads())))
    often = kernel.schedule.parallel((name, "i"))
    assert often.region((name, "t")).price(kernel, threads=2).threads < often.price(kernel, threads=2).threads / 5


def test_the_order_of_the_list_decides_nothing() -> None:
    kernel = product(FEW)
    other = pa.compile(shuffled_program(kernel.definition, Random(1)), target=PLAIN)
    assert pa.schedule.price(kernel) == pa.schedule.price(other)


def test_sizes_that_nobody_tells_are_guessed() -> None:
    n = pa.sizes("n")
    x = pa.placeholder((n,), "x", "float32")
    kernel = pa.compile(pa.compute((n,), lambda i: pa.exp(x[i]), name="y"))
    assert pa.schedule.price(kernel) == pa.schedule.price(kernel, n=MACHINE.guess)
    assert pa.schedule.price(kernel, n=1000).total > pa.schedule.price(kernel).total
    assert pa.schedule.price(kernel, n=0).total == 0


def test_bad_arguments() -> None:
    kernel = total(FEW)
    with pytest.raises(CallError, match="expected a kernel"):
        pa.schedule.price(3)
    with pytest.raises(CallError, match="expected a kernel"):
        kernel.schedule.price(kernel.program)
    with pytest.raises(CallError, match="m=3: expected one of no sizes"):
        pa.schedule.price(kernel, m=3)
    with pytest.raises(CallError, match="threads=0"):
        pa.schedule.price(kernel, threads=0)
    with pytest.raises(pa.ScheduleError, match="does not run"):
        product(FEW).schedule.price(kernel)
