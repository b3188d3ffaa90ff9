from math import inf
from typing import Any

import islpy as isl
import pytest

import polyad as pa
from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.loop_values import Extreme, Value
from polyad.codegen.loops.nodes import Block, Let, Loop, Node
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.loops.value_ranges import range_of, ranges_in, size_ranges
from polyad.frontend.compiled import program_of
from polyad.ir.affine import Affine
from polyad.machine import MACHINE
from tests.codegen.certify.mutants import planned

N, i, j, k, m = map(Affine.of, "Nijkm")


def loop(iterator: str, first: Value, last: Value, *body: Node, step: int = 1) -> Loop:
    return Loop(iterator, first, last, step, Block(body))


def test_iterators_stay_in_their_ranges() -> None:
    nest = loop(
        "i",
        Affine.of(0),
        Affine.of(9),
        Let("m", i // 2 - i),
        loop("j", i, i * 2, step=3),
        loop("k", Extreme("min", (N, i)), m - 1, step=-1),
    )
    found = ranges_in(Block((nest, loop("j", N, N))), {"N": (1, 20)})
    assert found == {"N": (1, 20), "i": (0, 9), "m": (-9, 4), "j": (0, 20), "k": (-10, 9)}


def test_what_cancels_is_no_matter() -> None:
    tile = loop("j", i, Extreme("min", (i + 31, N)))
    found = ranges_in(Block((loop("i", Affine.of(0), N, tile, step=32),)), {})
    assert found["j"] == (0, inf)
    assert range_of(trip_count(tile), found)[1] == 32


def test_sizes_have_the_ranges_of_the_context() -> None:
    context = isl.Set("[N, M, K] -> { : 2 <= N <= 9 and M >= N }")
    assert size_ranges(context) == {"N": (2, 9), "M": (2, inf), "K": (-inf, inf)}


@pytest.mark.parametrize(("rows", "blocks"), [(200, 0), (2000, 1)])
def test_a_loop_that_never_has_more_than_one_block_has_no_loop_over_blocks(rows: int, blocks: int) -> None:
    """A triangle: no row is longer than the number of rows. Around one block gcc makes no vectors."""
    x = pa.placeholder((rows, rows), "x", "float32")

    def row(i: Any) -> Any:
        j = pa.reduce_axis((0, i + 1), name="j")
        return pa.sum(pa.exp(x[i, j]), axis=j)

    plan = planned(program_of([pa.compute((rows,), row, name="s")], [x], "triangle")[0], MACHINE)
    found = [n for n in nodes(plan.loops) if isinstance(n, Loop) and n.iterator == "j_block"]
    assert len(found) == blocks
