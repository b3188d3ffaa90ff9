"""Levels of optimisation switch strategies on, and each switch is asked where its strategy begins."""

from dataclasses import fields, replace
from pathlib import Path

import pytest

import polyad
from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.passes import PASSES
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, LEVELS, Strategies
from tests.programs import program
from tests.schedule.samples import SAMPLES

NONE = Strategies.at_level(0)


def test_each_level_includes_the_one_before() -> None:
    for level in LEVELS[1:]:
        before, after = Strategies.at_level(level - 1), Strategies.at_level(level)
        assert before != after
        assert all(getattr(after, f.name) for f in fields(Strategies) if getattr(before, f.name))
    # What a scatter leaves out may be inf or nan, so all levels leave it out.
    assert [f.name for f in fields(Strategies) if getattr(NONE, f.name)] == ["scatter"]
    assert Strategies.at_level(3) == ALL


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_schedules_are_legal_at_all_levels(name: str, level: int) -> None:
    p = program(SAMPLES[name])
    default_schedule(p, Strategies.at_level(level)).check(p)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_without_strategies_loops_have_no_marks(name: str) -> None:
    text = str(default_schedule(program(SAMPLES[name]), NONE))
    assert "mark" not in text


def test_each_switch_alone() -> None:
    p = program(SAMPLES["lstm"])
    everything = str(default_schedule(p))
    assert 'mark: "parallel"' in everything and 'mark: "simd"' in everything
    assert 'mark: "parallel"' not in str(default_schedule(p, replace(ALL, parallel=False)))
    assert 'mark: "simd"' not in str(default_schedule(p, replace(ALL, simd=False)))
    assert str(default_schedule(p, replace(ALL, fuse=False))) != everything


def test_without_strategies_every_temporary_has_memory_of_its_own() -> None:
    p = program(SAMPLES["lstm"])
    source = generate(p, default_schedule(p, NONE), CodegenOptions(strategies=NONE))
    temporaries = sorted(a.name for a in p.arrays.values() if a.is_temporary)
    assert sorted(slot.arrays for slot in source.memory.slots) == [(name,) for name in temporaries]
    assert {slot.arrays[0]: slot.extents for slot in source.memory.slots} == {n: p.arrays[n].shape for n in temporaries}


def test_each_switch_is_asked_somewhere() -> None:
    """By its name: of the strategies, in a pass, or in a file of polyad."""
    texts = [path.read_text(encoding="utf-8") for path in (Path(polyad.__file__).parent).rglob("*.py")]
    asked = {p.switch for p in PASSES}
    unasked = [
        f.name
        for f in fields(Strategies)
        if f.name not in asked and not any(f"strategies.{f.name}" in text for text in texts)
    ]
    assert not unasked
