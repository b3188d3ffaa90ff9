"""Every transform: what it does to the tree, that a legal use stays legal, and what it refuses."""

import inspect
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.errors import IllegalScheduleError, ScheduleError
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.schedule.transforms import TRANSFORMS
from polyad.semantics.evaluate import evaluate
from polyad.transforms.rewrite.fix_sizes import fix_sizes
from tests.codegen.compiled import Library
from tests.machines import THREADS
from tests.programs import program
from tests.random_programs import random_inputs
from tests.schedule.execution import times, violations
from tests.schedule.samples import SAMPLES
from tests.schedule.test_scheduler import LOOPS

PLAIN = replace(ALL, wavefront=False)  # the two loops of a recurrence, one inside the other


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
TOTAL = """
program total: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    s: float64[]
  S0: [N] -> { S0[] }
      s[] = 0.0
  S: [N] -> { S[i] : 0 <= i < N }
      s[] += x[i] * x[i]
"""
PROGRAMS = {**SAMPLES, "mirror": MIRROR, "total": TOTAL}
LAST = Affine.of("N") - 1
LEAST = {"mirror": 2, "heat": 2}
"""The least size of a program, where that is not 1."""


def sample(name: str) -> tuple[Program, Schedule]:
    """A program in loops that transforms can work on: contractions are loops like any others."""
    p = program(PROGRAMS[name])
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
    "reverse": ("conv", lambda s: s.reverse(("S", "k")), "└─ for k (reversed)\n   └─ S[i, k]\n"),
    # S[i] moves to the iteration that reads what it computes.
    "shift": (
        "mirror",
        lambda s: s.unmark().reverse(("S", "i")).shift(("S", "i"), LAST).fuse(("S", "i"), ("R", "i")),
        "for i (S reversed and N - 1 later)\n├─ S[i]\n└─ R[i]\n",
    ),
    "split": (
        "dtw",
        lambda s: s.split(("Sij", "j"), 3),
        "for i\n└─ for j (tiles of 3)\n   └─ for j\n      └─ Sij[i, j]\n",
    ),
    "unroll": (
        "dtw",
        lambda s: s.unroll(("Sij", "i"), 2),
        "for i (tiles of 2)\n├─ for j\n│  └─ Sij[i, j]\n└─ for j\n   └─ Sij[i, j]\n",
    ),
    "jam": ("softmax", lambda s: s.jam(("Sy", "k"), 3), "└─ jam 3 for k\n   └─ Sy[i, k]\n"),
    "reorder": (
        "dtw",
        lambda s: s.reorder(["S0j", "S00", "Si0"]),
        "parallel for j\n└─ S0j[i, j]\nS00[i, j]\nparallel for i\n└─ Si0[i, j]\nfor i\n└─ for j\n",
    ),
    "parts": ("total", lambda s: s.unmark().vectorize(("S", "i")).parts(("S", "i")), "parts simd for i\n└─ S[i]\n"),
    "prefix": ("cumsum", lambda s: s.unmark().prefix(("S1", "i"), 4), "prefix 4 for i\n└─ S1[i]\n"),
    "region": (
        "heat",
        lambda s: s.unmark().parallel(("S", "i")).region(("S", "t")),
        "region for t\n└─ parallel for i\n   └─ for j\n      └─ S[t, i, j]\n",
    ),
    "sequential": ("transposed", lambda s: s.sequential(("R", "q")), "for i/q\n└─ for j/p\n   ├─ S[i, j]\n"),
    "unmark": (
        "matmul_dot",
        lambda s: s.unmark(("S", "i", 1)).unmark(("C_upd", "k")),
        "parallel for i (tiles of 4)\n└─ for i\n   └─ jam 4 for j\n      ├─ C_init[i, j]\n      ├─ for k\n",
    ),
}

ILLEGAL: dict[str, tuple[str, Callable[[Schedule], Schedule]]] = {
    # Rectangular tiles need both distances to be non-negative; the second one of `skewed` is not.
    "tile": ("forward_substitution", lambda s: s.distribute(("X", "i")).tile(("A", "i"), [4])),
    "interchange": ("columns", lambda s: s.interchange(("S", "t"), ["k", "t"]).parallel(("S", "t"))),
    "fuse": ("mirror", lambda s: s.fuse(("S", "i"), ("R", "i"))),
    "distribute": ("forward_substitution", lambda s: s.distribute(("X", "i"))),
    "skew": ("dtw", lambda s: s.skew(("Sij", "i"), "i", "j", factor=-1)),
    "parallel": ("cumsum", lambda s: s.parallel(("S1", "i"))),
    "vectorize": ("dtw", lambda s: s.vectorize(("Sij", "j"))),
    "reverse": ("cumsum", lambda s: s.reverse(("S1", "i"))),
    "shift": ("retimed", lambda s: s.shift(("P", "t"), 1)),
    "jam": ("dtw", lambda s: s.jam(("Sij", "j"), 4)),
    "reorder": ("mirror", lambda s: s.reorder(["R", "S"])),
    "parts": ("cumsum", lambda s: s.unmark().parts(("S1", "i"))),
}

KEEP_THE_ORDER = {"split", "unroll", "sequential", "unmark", "prefix", "region"}
"""Whatever was legal before them is legal after them."""


def test_every_transform_is_tested_and_is_a_method() -> None:
    assert set(LEGAL) == set(ILLEGAL) | KEEP_THE_ORDER == set(TRANSFORMS)
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
@pytest.mark.quick_cases(2)
def test_code_of_a_legal_use_computes_what_the_program_means(name: str) -> None:
    source, use, _ = LEGAL[name]
    p, s = sample(source)
    library = Library(generate(p, use(s), CodegenOptions(machine=THREADS)))
    for size in (1, 2, 5, 12):
        sizes = {param: max(size, LEAST.get(source, 1)) + k for k, param in enumerate(p.params)}
        inputs = random_inputs(p, sizes)
        found, expected = library.run(sizes, inputs), evaluate(p, inputs, sizes)
        for output in p.outputs:
            np.testing.assert_allclose(found[output], np.asarray(expected[output], float), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", ILLEGAL)
def test_illegal_use_is_refused_by_check(name: str) -> None:
    source, use = ILLEGAL[name]
    p = program(PROGRAMS[source])
    changed = use(default_schedule(p, PLAIN))
    with pytest.raises(IllegalScheduleError) as caught:
        changed.check(p)
    assert caught.value.source_instance and caught.value.sink_instance
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
        (lambda s: s.prefix(("Sij", "i")), "is not innermost"),
        (lambda s: s.prefix(("S0j", "j")), "runs on several threads"),
        (lambda s: s.prefix(("Sij", "j"), 0), "in blocks of a number of steps, such as 256, not 0"),
        (lambda s: s.parts(("S0j", "j")), "is marked 'parallel'; take that away first"),
        (lambda s: s.unmark().parts(("Sij", "j")), "stands inside of another loop"),
        (lambda s: s.region(("S0j", "j")), "is marked 'parallel'; take that away first"),
        (lambda s: s.region(("Sij", "i")), r"no loop inside of the loop over i of Sij is parallel"),
        (
            lambda s: s.parallel(("Sij", "j")).region(("Sij", "i")).split(("Sij", "i"), 2).region(("Sij", "i", 1)),
            "do not nest",
        ),
        (lambda s: s.parallel(("Sij", "i")).parallel(("Sij", "j")), "parallel loops do not nest"),
        (lambda s: s.vectorize(("Si0", "i")), "runs in parallel"),
        (lambda s: s.tile(("Sij", "i", 1), [4]), "no loop around statement Sij over i has 1 others of these around it"),
        (lambda s: s.split(("Sij", "t"), 4), "has no dimension 't'"),
        (lambda s: s.split(("Sij", "i"), 0), "positive number of iterations, not 0"),
        (lambda s: s.split(("Sij", "i"), [4]), r"positive number of iterations, not \[4\]"),
        (lambda s: s.reverse(("Q", "i")), "no statement 'Q'"),
        (lambda s: s.reverse(("S00", "i")), "no loop around statement S00 runs over i"),
        (lambda s: s.shift(("Sij", "t"), 1), "has no dimension 't'"),
        (lambda s: s.shift(("Sij", "i"), 1.5), "an integer or an expression of sizes, such as T - 1, not 1.5"),
        (lambda s: s.shift(("Sij", "i"), "N"), "an integer or an expression of sizes"),
        (lambda s: s.shift(("Sij", "i"), True), "an integer or an expression of sizes"),
        (lambda s: s.shift(("Sij", "i"), Affine.of("T")), "the schedule has no size 'T'; it has N, M"),
        (lambda s: s.unroll(("Sij", "t"), 4), "has no dimension 't'"),
        (lambda s: s.unroll(("Sij", "i"), 1), "unrolled by an integer from 2 to 64, not 1"),
        (lambda s: s.unroll(("Sij", "i"), -4), "unrolled by an integer from 2 to 64, not -4"),
        (lambda s: s.unroll(("Sij", "i"), 65), "unrolled by an integer from 2 to 64, not 65"),
        (lambda s: s.jam(("Sij", "t"), 4), "has no dimension 't'"),
        (lambda s: s.jam(("Sij", "i"), "4"), "unrolled and jammed by an integer from 2 to 64, not '4'"),
        (lambda s: s.jam(("Si0", "i"), 4), "runs on several threads; split it and jam the loop in the block"),
        (lambda s: s.sequential(("Sij", "t")), "has no dimension 't'"),
        (lambda s: s.unmark(("Sij", "t")), "has no dimension 't'"),
        (
            lambda s: s.reorder("Sij"),
            r"an order is a list of statements, first to last, such as \['R', 'S'\], not 'Sij'",
        ),
        (lambda s: s.reorder([1, 2]), "an order is a list of statements"),
        (lambda s: s.reorder(["Sij"]), "two different statements"),
        (lambda s: s.reorder(["Sij", "Sij"]), "two different statements"),
        (lambda s: s.reorder(["Sij", "Q"]), "no statement 'Q'"),
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


@pytest.mark.parametrize("name", sorted(KEEP_THE_ORDER))
@pytest.mark.parametrize("source", ["dtw", "lstm_gradient", "skewed", "matmul_dot"])
@pytest.mark.quick_cases(4)
def test_what_keeps_the_order_is_always_legal(name: str, source: str) -> None:
    """Every loop of every statement, one after the other, where they are marked or carry dependences."""
    p, s = sample(source)
    arguments = (3,) if name in ("split", "unroll") else ()
    for statement in p.statements[:: 1 if len(p.statements) < 8 else 7]:
        for dim in statement.dims:
            changed = s
            with suppress(ScheduleError):  # a dimension of one value has no loop
                changed = getattr(s, name)((statement.name, dim), *arguments)
            changed.check(p)


def test_marks_follow_the_loop_that_they_mean() -> None:
    _, s = sample("matmul_dot")
    assert s.split(("S", "i"), 12).tree().startswith("parallel for i (tiles of 12)\n└─ for i (tiles of 4)\n   └─ jam 4")
    assert "└─ for j (tiles of 2)\n      └─ jam 4 for j\n" in s.split(("S", "j"), 2).tree()
    _, wide = sample("columns")
    assert "└─ for k (tiles of 2)\n" in wide.unroll(("S", "k"), 2).tree(), "vectors have no body of copies"
    assert "jam 2 for k" in wide.jam(("S", "k"), 2).tree()
    assert "└─ jam 8 for i" in sample("matvec")[1].sequential(("S", "i", 1)).tree()


def test_all_marks_are_taken_away() -> None:
    for name in SAMPLES:
        p, s = sample(name)
        plain = s.unmark()
        plain.check(p)
        assert not any(word in plain.tree() for word in ("parallel", "share", "simd", "jam", "lanes", "contraction"))
        assert plain.isl.get_map().is_equal(s.isl.get_map())


def test_a_shift_keeps_the_mark_where_the_statement_is_alone() -> None:
    p, s = sample("transposed")
    moved = s.shift(("R", "q"), -2)
    assert moved.tree().startswith("for i/q (R 2 earlier)\n") and "R[p, q] -> [(-2 + q)]" in str(moved)
    with pytest.raises(IllegalScheduleError, match="reads an element of y"):
        moved.check(p)
    assert "parallel for k\n└─ first[k]" in sample("columns")[1].shift(("first", "k"), 5).tree()


def test_copies_of_a_body_are_changed_together() -> None:
    p, s = sample("transposed")
    copies = s.unroll(("S", "i"), 2).vectorize(("S", "j"))
    assert copies.tree().count("simd for j/p") == 2
    turned = copies.reorder(["R", "S"])
    assert re.findall(r"[SR](?=\[)", turned.tree()) == ["R", "S"] * 2
    with pytest.raises(IllegalScheduleError):
        turned.check(p)
    apart = copies.distribute(("S", "j"))
    apart.check(p)
    assert apart.fuse(("S", "j"), ("R", "p")).is_legal(p)


def test_loops_in_tiles_are_named_by_how_many_stand_around_them() -> None:
    p, s = sample("dtw")
    tiled = s.tile(("Sij", "i"), [4, 8])
    inner = tiled.interchange(("Sij", "i", 1), ["j", "i"])
    assert "for i (tiles of 4)\n└─ for j (tiles of 8)\n   └─ for j\n      └─ for i\n" in inner.tree()
    inner.check(p)
    assert "└─ for i\n      └─ for i + j\n" in tiled.skew(("Sij", "i", 1), "j", "i").tree()
    waves = tiled.skew(("Sij", "i", 1), "i", "j").parallel(("Sij", "j", 1))
    assert "└─ for i + j\n      └─ parallel for j\n" in waves.tree()
    waves.check(p)


def test_blocks_that_are_always_whole_are_unrolled_without_guards() -> None:
    p = fix_sizes(program(PROGRAMS["transposed"]), {"N": 8, "M": 6})
    s = default_schedule(p, replace(LOOPS, wavefront=False))
    text = generate(p, s.unroll(("S", "j"), 3), CodegenOptions()).c
    assert text.count("pa_sin_f64(x[") == 3 and "if (" not in text[text.index("for (") :]


def test_shared_loops_stay_shared_when_they_are_split() -> None:
    p = program(SAMPLES["lstm_forward"])
    s = default_schedule(p)
    assert "share for b\n" in s.tree()
    split = s.split(("Sh", "b"), 2)
    assert "share for b (tiles of 2)\n└─ for b\n   └─ for t\n" in split.tree()
    split.check(p)
    assert "share" not in s.sequential(("Sh", "b")).tree()
