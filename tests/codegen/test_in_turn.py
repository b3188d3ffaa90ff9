"""Elements that share a slot: do they live one after the other?"""

import islpy as isl
import pytest

from polyad.codegen.storage.in_turn import in_turn
from polyad.codegen.storage.schedule_rows import Row
from polyad.ir.affine import Affine

LATER = "{ a[t, i] -> a[u, i] : u >= t + 2 }"


def loops(*concurrent: bool) -> list[Row]:
    return [Row((0,), i, Affine.of("t"), c) for i, c in enumerate(concurrent)]


def touched(rows: str) -> isl.Map:
    """Element (t, i) is written by (t, i) and read by (t + 1, i - 1 .. i + 1), each at its rows."""
    write = f"a[t, i] -> [{rows}] : 0 <= t < 20 and 0 <= i < 30"
    later = rows.replace("t", "(t + 1)")
    reads = [f"a[t, i] -> [{later.replace('i', f'(i + {o})')}] : 0 <= t < 19 and 0 < i < 29" for o in (-1, 0, 1)]
    return isl.Map(f"{{ {'; '.join([write, *reads])} }}")


@pytest.mark.parametrize(
    ("rows", "concurrent", "expected"),
    [
        ("t", (False,), True),
        ("t", (True,), False),
        ("floor((i + t)/8), t", (False, False), True),
        ("floor(i/8), t", (False, False), False),  # the next tile reads what this one has overwritten
        ("floor(t/4) + floor((i + t)/8), floor(t/4), t", (False, True, False), True),
        ("floor(t/4), floor((i + t)/8), t", (False, True, False), False),
    ],
)
def test_in_turn(rows: str, concurrent: tuple[bool, ...], expected: bool) -> None:
    assert in_turn(touched(rows), isl.Map(LATER), loops(*concurrent)) is expected
