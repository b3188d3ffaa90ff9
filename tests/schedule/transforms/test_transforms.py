"""Every transform: what it does to the tree, that a legal use stays legal, and what it refuses."""

import inspect
import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from polyad.errors import IllegalScheduleError, ScheduleError
from polyad.ir.program import Program
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.schedule.transforms import TRANSFORMS
from tests.programs import program
from tests.schedule.execution import times, violations
from tests.schedule.samples import SAMPLES
from tests.schedule.test_scheduler import LOOPS

PLAIN = replace(ALL, wavefront=False)  # the two loops of a recurrence, one inside the other


def sample(name: str) -> tuple[Program, Schedule]:
    """A program in loops that transforms can work on: contractions are loops like any others."""
    p = program(SAMPLES[name])
    return p, default_schedule(p, replace(LOOPS, wavefront=False))


LEGAL: dict[str, tuple[str, Callable[[Schedule], Schedule], str]] = {
    "tile": (
        "dtw",
        lambda s: s.tile(("Sij", "i"), [2, 3]),
        "for i (tiles of 2)\n└─ for j (tiles of 3)\n   └─ for i\n      └─ for j\n         └─ Sij[i, j]\n",
    ),
    "interchange": ("dtw", lambda s: s.interchange(("Sij", "i"), ["j", "i"]), "for j\n└─ for i\n   └─ Sij[i, j]\n"),
    "fuse": (
        "matmul_dot",
        lambda s: s.distribute(("C_upd", "i")).fuse(("C_init", "i"), ("C_upd", "i")),
        "parallel for i (tiles of 4)\n├─ jam 4 for i\n│  └─ jam 4 for j\n│     └─ C_init[i, j]\n└─ jam 4 for i\n",
    ),
    "distribute": (
        "matmul_dot",
        lambda s: s.distribute(("C_upd", "i")),
        "parallel for i (tiles of 4)\n└─ jam 4 for i\n   └─ jam 4 for j\n      └─ C_init[i, j]\n"
        "parallel for i (tiles of 4)\n└─ jam 4 for i\n   └─ jam 4 for j\n      └─ simd for k\n"
        "         └─ C_upd[i, j, k]\n"
        "parallel for i (tiles of 4)\n└─ jam 4 for i\n   └─ jam 4 for j\n      └─ S[i, j]\n",
    ),
    "skew": ("dtw", lambda s: s.skew(("Sij", "i"), "j", "i"), "for i\n└─ for i + j\n   └─ Sij[i, j]\n"),
    "parallel": (
        "scatter",
        lambda s: s.interchange(("S", "t"), ["j", "t"]).parallel(("S", "j")),
        "parallel for j\n└─ for t\n   └─ S[t, j]\n",
    ),
    "vectorize": ("conv", lambda s: s.vectorize(("S", "k")), "└─ simd for k\n   └─ S[i, k]\n"),
}

ILLEGAL: dict[str, tuple[str, Callable[[Schedule], Schedule]]] = {
    # Rectangular tiles need both distances to be non-negative; the second one of `skewed` is not.
    "tile": ("forward_substitution", lambda s: s.distribute(("X", "i")).tile(("A", "i"), [4])),
    "interchange": ("columns", lambda s: s.interchange(("S", "t"), ["k", "t"]).parallel(("S", "t"))),
    "fuse": ("cumsum_copy", lambda s: s.fuse(("S", "i"), ("R", "i"))),
    "distribute": ("forward_substitution", lambda s: s.distribute(("X", "i"))),
    "skew": ("dtw", lambda s: s.skew(("Sij", "i"), "i", "j", factor=-1)),
    "parallel": ("cumsum", lambda s: s.parallel(("S1", "i"))),
    "vectorize": ("dtw", lambda s: s.vectorize(("Sij", "j"))),
}

# The second nest reads the mirror image of the first.
MIRROR = """
program mirror: [N] -> { : N >= 2 }
  input     x: float64[N]
  temporary y: float64[N]
  output    z: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = sin(x[i])
  R: [N] -> { R[i] : 0 <= i < N }
      z[i] = y[N - 1 - i]
"""
PROGRAMS = {**SAMPLES, "cumsum_copy": MIRROR}


def test_every_transform_is_tested_and_is_a_method() -> None:
    assert set(LEGAL) == set(ILLEGAL) == set(TRANSFORMS)
    for name, transform in TRANSFORMS.items():
        method = inspect.signature(getattr(Schedule, name))
        function = inspect.signature(transform.apply)
        assert list(method.parameters)[1:] == list(function.parameters)[2:]
        assert "->" in transform.example and transform.name == name


@pytest.mark.parametrize("name", TRANSFORMS)
def test_legal_use(name: str) -> None:
    source, use, expected = LEGAL[name]
    p, s = sample(source)
    before = str(s)
    changed = use(s)
    assert expected in changed.tree()
    assert str(s) == before, "a transform returns a new schedule"
    changed.check(p)
    assert changed.isl.get_domain().is_equal(s.isl.get_domain())
    assert Schedule.from_yaml(str(changed)).tree() == changed.tree()
    sizes = dict.fromkeys(p.params, 4)
    assert not violations(p, changed, sizes)
    assert len(set(times(changed, sizes).values())) == len(times(changed, sizes))


@pytest.mark.parametrize("name", TRANSFORMS)
def test_illegal_use_is_refused_by_check(name: str) -> None:
    source, use = ILLEGAL[name]
    p = program(PROGRAMS[source])
    changed = use(default_schedule(p, PLAIN))
    with pytest.raises(IllegalScheduleError):
        changed.check(p)
    assert not changed.is_legal(p)


@pytest.mark.parametrize(
    ("use", "message"),
    [
        (lambda s: s.tile(("Q", "i"), [4]), "no statement 'Q'; it has S00, S0j, Si0, Sij, So"),
        (lambda s: s.tile(("Sij", "t"), [4]), r"Sij has no dimension 't'; its instances are Sij\[i, j\]"),
        (lambda s: s.tile(("S00", "i"), [4]), "no loop around statement S00 runs over i"),
        (lambda s: s.tile(("Sij", "i"), [0]), "positive integers"),
        (lambda s: s.tile(("Sij", "i"), []), "positive integers"),
        (lambda s: s.tile(("Sij", "i"), [2.5]), "positive integers"),
        (lambda s: s.tile(("Sij", "j"), [2, 2]), "only 1 loops"),
        (lambda s: s.interchange(("Sij", "i"), ["i"]), "two different dimensions"),
        (lambda s: s.interchange(("Sij", "i"), ["i", "i"]), "two different dimensions"),
        (lambda s: s.interchange(("Sij", "i"), ["i", "x"]), "no dimension 'x'"),
        (lambda s: s.skew(("Sij", "i"), "j", "j"), "two loops directly inside of each other"),
        (lambda s: s.skew(("Sij", "i"), "j", "i", 0), "non-zero integer"),
        (lambda s: s.fuse(("Sij", "i"), ("Sij", "j")), "do not follow each other"),
        (lambda s: s.fuse(("Si0", "i"), ("Sij", "j")), "same depth"),
        (lambda s: s.distribute(("Sij", "i")), "stands no sequence"),
        (lambda s: s.vectorize(("Sij", "i")), "is not innermost"),
        (lambda s: s.parallel(("Sij", "i")).parallel(("Sij", "j")), "parallel loops do not nest"),
        (lambda s: s.vectorize(("Si0", "i")), "runs in parallel"),
    ],
)
def test_senseless_use_is_refused(use: Callable[[Schedule], Schedule], message: str) -> None:
    _, s = sample("dtw")
    with pytest.raises(ScheduleError, match=message):
        use(s)


def test_wavefront_by_skewing_and_interchange() -> None:
    p, s = sample("dtw")
    diagonal = s.skew(("Sij", "i"), "i", "j").parallel(("Sij", "j"))
    # The loop that was i now runs over i + j, the inner one along the diagonal.
    assert "for i + j\n└─ parallel for j\n   └─ Sij[i, j]" in diagonal.tree()
    diagonal.check(p)


def test_tiles_of_a_parallel_loop_are_parallel() -> None:
    p, s = sample("transposed")
    tiled = s.tile(("S", "i"), [8, 8])
    tree = "parallel for i/q (tiles of 8)\n└─ for j/p (tiles of 8)\n   └─ for i/q\n      └─ for j/p\n"
    assert tiled.tree().startswith(tree)
    tiled.check(p)


def test_fusing_what_distribution_took_apart_gives_the_same_order() -> None:
    p, s = sample("matmul_dot")
    apart = s.distribute(("C_upd", "i"))
    again = apart.fuse(("C_init", "j"), ("C_upd", "j")).fuse(("C_upd", "j"), ("S", "j"))
    assert again.tree() == s.tree()
    again.check(p)


def test_interchange_takes_simd_off_loops_that_are_no_longer_innermost() -> None:
    _, s = sample("columns")
    changed = s.interchange(("S", "t"), ["k", "t"])
    assert re.search(r"^for k\n└─ for t\n", changed.tree(), re.MULTILINE)


def test_one_loop_can_be_named_for_any_of_its_statements() -> None:
    p, s = sample("lstm")
    assert s.vectorize(("Si", "k")).tree() == s.vectorize(("Sh", "k")).tree() == s.tree()
    s.tile(("Sc", "b"), [4]).check(p)
