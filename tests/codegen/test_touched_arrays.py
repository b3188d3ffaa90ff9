"""Nodes that touch an array are found, whatever they are: those that are passed by say nothing of its moments."""

import pytest

from polyad.codegen.loops.instance import Instance
from polyad.codegen.loops.nodes import Contraction, Load, Pack, Store
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.storage.touched_arrays import TouchedArrays
from tests.acceptance.strategy_programs import strategy_program
from tests.codegen.certify.mutants import planned


@pytest.mark.parametrize("number", [1, 3, 8, 9])
def test_whatever_mentions_an_array_touches_it(number: int) -> None:
    plan = planned(strategy_program(number).program)
    touched, accesses = TouchedArrays(plan.known.touches), plan.known.touches
    packs = 0
    for child in nodes(plan.loops):
        match child:
            case Instance(statement=name):
                assert touched(child) == {t.array for t in accesses[name]}
            case Load(cell=cell) | Store(cell=cell):
                assert touched(child) == {cell.array}
            case Pack(array=array, contraction=Contraction() as inside):
                packs += 1
                assert array in touched(child) and touched(child) == touched(inside)
            case _:
                assert touched(child) >= frozenset().union(*(touched(n) for n in nodes(child) if n is not child))
    assert touched(plan.loops) and (packs or number != 1)
