"""Nests that follow one another are given to isl one by one, and those that are equal but for names once.

Property: the loops are those of the whole tree, word for word, whatever statements are called and however many nests
are equal, shared loops and marks with numbers of their own among them. A tree is whole where a size has a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import islpy as isl
import pytest

from polyad.codegen.loops.ast import walk
from polyad.codegen.loops.ast.walk import schedule_loops
from polyad.codegen.loops.text import loops_text


def nest(state: str, product: str, length: int, marks: Sequence[str]) -> tuple[list[str], str]:
    """Domains and order of one recurrence over a batch: a sum, what reads it in the next step, marks around."""
    outer, inner = marks
    domains = [
        f"{product}[t, b, k] : 0 <= t < {length} and 0 <= b <= 3 and 0 <= k < 5",
        f"{state}[t, b, k] : 0 <= t <= {length} and 0 <= b <= 3 and 0 <= k < 5",
    ]
    inside = [f"{name}[t, b, k]" for name in (product, state)]
    below = [
        f'{{ filter: "{{ {name} }}", child: {{ mark: "{inner}", child: {{ schedule: "[{{ {name} -> [(k)] }}]" }} }} }}'
        for name in inside
    ]
    steps = "; ".join(f"{name} -> [(t)]" for name in inside)
    batch = "; ".join(f"{name} -> [(b)]" for name in inside)
    order = f'{{ schedule: "[{{ {steps} }}]", child: {{ sequence: [ {", ".join(below)} ] }} }}'
    tree = f'{{ mark: "{outer}", child: {{ schedule: "[{{ {batch} }}]", coincident: [ 1 ], child: {order} }} }}'
    return domains, f'{{ filter: "{{ {"; ".join(inside)} }}", child: {tree} }}'


def program(nests: Sequence[tuple[list[str], str]]) -> isl.Schedule:
    domain = "; ".join(piece for domains, _ in nests for piece in domains)
    return isl.Schedule(f'{{ domain: "{{ {domain} }}", child: {{ sequence: [ {", ".join(t for _, t in nests)} ] }} }}')


# Names whose order, and whose hashes, are not those of the nests.
NAMES = (("h", "z"), ("a", "x_1"), ("S7", "S0"), ("carry", "T"), ("S1", "q"), ("n", "S3"))
MIXED = [
    ("share", "simd"),
    ("share", "simd"),
    ("parallel", "parts simd"),
    ("parallel", "parts simd"),
    ("share", "simd"),
]


@pytest.mark.parametrize(
    ("kinds", "lengths", "asked"),
    [
        ([("share", "simd")] * 6, [7] * 6, 1),
        ([("parallel", "parts simd")] * 6, [7, 4, 7, 4, 7, 4], 2),
        (MIXED, [7, 7, 7, 7, 2], 3),
    ],
)
def test_nests_have_the_loops_of_the_whole_tree(
    kinds: list[Sequence[str]], lengths: list[int], asked: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [nest(*names, length, marks) for names, length, marks in zip(NAMES, lengths, kinds, strict=False)]
    schedule = program(parts)
    names = sorted(n for pair in NAMES[: len(parts)] for n in pair)
    dims = dict.fromkeys(names, ("t", "b", "k"))
    given: list[str] = []
    numbered = walk._numbered

    def counted(*arguments: object) -> str:
        given.append(numbered(*arguments))  # type: ignore[arg-type]
        return given[-1]

    monkeypatch.setattr(walk, "_numbered", counted)
    apart = schedule_loops(schedule, isl.Set("{ : }"), dims, {"b_first"})
    assert (len(given), len(set(given))) == (len(parts), asked)
    whole = schedule_loops(schedule, isl.Set("[unused] -> { : }"), dims, {"b_first"})
    assert len(given) == len(parts) + 1
    assert loops_text(apart) == loops_text(whole)
    assert not re.search(r"\bb_first\b", loops_text(apart)), "that name is taken"
