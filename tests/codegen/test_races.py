"""No two threads meet in memory: one kernel of each way to use threads, under a race detector.

Of every kernel there are mutants, each without one thing that keeps threads apart. The detector has to report them, so
that its silence about the others says something.
"""

import re
from dataclasses import dataclass, replace

import pytest

import polyad as pa
import polyad_c
from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Source
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL, Strategies
from tests.acceptance.structured import STRUCTURED
from tests.codegen.compiled import source_of
from tests.codegen.races import Racer, detector, renamed
from tests.codegen.samples import INFERENCE
from tests.codegen.test_parts import SUMS
from tests.codegen.test_private import BATCH
from tests.codegen.test_region_memory import OVERLAID, mean_of_products, two_means
from tests.codegen.test_time_tiles import SMALL, heat, rows
from tests.machines import THREADS, with_threads

pytestmark = pytest.mark.slow

ALWAYS = CodegenOptions(machine=THREADS)


@dataclass(frozen=True, slots=True)
class Case:
    """A kernel, where it runs, and what is taken from its text in its mutants: a pattern, and what comes for it."""

    source: Source
    sizes: dict[str, int]
    mutants: dict[str, tuple[str, str]]


COUNT = r"(?:[^,()]|\([^()]*\))+"
LOOP = rf"PA_PARALLEL_FOR(_SIMD_WIDE_IF\(f64, {COUNT}, |_(SIMD|PIECES)_IF\({COUNT}, |_IF\()", "PA_PARALLEL_IF("
SHARE = rf"PA_FOR(_SIMD_WIDE\(f64, {COUNT}\)|_(SIMD|PIECES)\({COUNT}\))?\n", "\n"
BARRIER = r"PA_BARRIER\n", "\n"
WAIT = r"\}\n *PA_BARRIER\n", "}\n"
SINGLE = r"PA_SINGLE\n", "\n"
PART = r"pa_share\(0, B - 1, &b_first, &b_last\);", "b_first = 0, b_last = B - 1;"
COPY = r"pa_copy\(b, B, copies\)", "0"
PANEL = "omp_get_thread_num(), omp_get_num_threads(), &first,", "0, 1, &first,"
MUTATED = "contraction_of_one_part.h"


def of(name: str, *shape: object, dtype: str = "float64") -> pa.Tensor:
    return pa.placeholder(shape, name, dtype)


def generated(program: Program, strategies: Strategies = ALL) -> Source:
    """C for a machine on which everything pays."""
    prepared = prepare(program, strategies, TINY)
    options = CodegenOptions(True, strategies, TINY)
    return generate(prepared, default_schedule(prepared, strategies, TINY), options)


def with_gradient(title: str, strategies: Strategies = ALL) -> Source:
    """Values and gradients of a structured program."""
    outputs, inputs = STRUCTURED[title].make("float64")
    loss = sum(((o * o).sum() for o in outputs[1:]), (outputs[0] * outputs[0]).sum())
    floats = [t for t in inputs if t.dtype.startswith("float")]
    return generated(program_of([*outputs, *pa.grad(loss, floats)], inputs, "k")[0], strategies)


def scan_with_sums() -> Source:
    """Steps of a state, in each a sum over it that the next step needs, and their gradients: all in plain loops."""
    T, N = pa.sizes("T N")
    x, a, h0 = of("x", T, N), of("a", N, N), of("h0", N)

    def step(carry, x_t):
        h, weight = carry
        new = pa.tanh(a @ h * weight + x_t)
        total = pa.numpy.sum(new * new)
        return (new, 1.0 / (1.0 + total)), total

    (h, _), sums = pa.scan(step, (h0, pa.numpy.sum(h0)), x)
    loss = pa.numpy.sum(h) + pa.numpy.sum(sums)
    program = program_of([loss, *pa.grad(loss, [x, a, h0])], [x, a, h0], "sums")[0]
    return generated(program, replace(ALL, contraction=False, share=False))


def product() -> Source:
    """A product of matrices, which the macro-kernel divides among threads."""
    a, b = of("a", 104, 103), of("b", 103, 105)  # from a million multiplications on
    return generated(program_of([a @ b], [a, b], "product")[0])


def stencil() -> Source:
    """Tiles in space and time."""
    program = rows(heat)
    return generate(program, default_schedule(program, ALL, with_threads(SMALL)), ALWAYS)


def cases() -> dict[str, Case]:
    """One of each strategy."""
    macro = {"a part": (r'"polyad_contraction.h"', f'"{MUTATED}"')}
    return {
        "loops": Case(with_gradient("embedding"), {"T": 7, "V": 5, "E": 6}, {"the loop": LOOP}),
        "wavefront": Case(with_gradient("Gauss-Seidel"), {"T": 5, "N": 7}, {"the loop": LOOP}),
        "region": Case(
            scan_with_sums(), {"T": 5, "N": 9}, {"the share": SHARE, "the single": SINGLE, "the wait": WAIT}
        ),
        "overlaid": Case(
            source_of(OVERLAID, ALWAYS)[1],
            {"T": 9, "N": 6},
            {"the barrier": BARRIER, "the single": SINGLE, "the share": SHARE},
        ),
        "sums in front": Case(generated(two_means()), {}, {"the single": SINGLE}),
        "strips": Case(generated(mean_of_products()), {}, {"the single": SINGLE, "the share": SHARE}),
        "parts": Case(source_of(SUMS, ALWAYS)[1], {"N": 50, "M": 3}, {"the loop": LOOP}),
        "copies": Case(source_of(BATCH, ALWAYS)[1], {"B": 5, "N": 6}, {"the copy": COPY, "the loop": LOOP}),
        "share": Case(source_of(INFERENCE, ALWAYS)[1], {"T": 4, "B": 5, "H": 6}, {"the part": PART}),
        "tiles in time": Case(stencil(), {}, {"the share": SHARE}),
        "macro-kernel": Case(product(), {}, macro),
        "LSTM": Case(with_gradient("LSTM"), {"T": 3, "B": 4, "I": 3, "H": 5}, {"the part": PART}),
    }


def headers() -> dict[str, str]:
    """Those of polyad, and one of a macro-kernel whose threads all do the same: it includes itself for each type."""
    found = {h: polyad_c.header(h) for h in polyad_c.HEADERS}
    text = found["polyad_contraction.h"]
    assert text.count(PANEL[0]) == 1
    return found | {MUTATED: text.replace(*PANEL).replace("polyad_contraction.h", MUTATED)}


@dataclass(frozen=True, slots=True)
class Built:
    """The kernels and mutants: title -> name in C; "region without the share" is one of a mutant."""

    racer: Racer
    names: dict[str, str]


TITLES = {
    "loops": ["the loop"],
    "wavefront": ["the loop"],
    "region": ["the share", "the single", "the wait"],
    "overlaid": ["the barrier", "the single", "the share"],
    "sums in front": ["the single"],
    "strips": ["the single", "the share"],
    "parts": ["the loop"],
    "copies": ["the copy", "the loop"],
    "share": ["the part"],
    "tiles in time": ["the share"],
    "macro-kernel": ["a part"],
    "LSTM": ["the part"],
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("races")
    found = detector(folder)
    if isinstance(found, str):
        pytest.skip(found)
    kernels: list[tuple[Source, dict[str, int]]] = []
    names: dict[str, str] = {}

    def add(title: str, source: Source, text: str, sizes: dict[str, int]) -> None:
        names[title] = f"k{len(kernels)}"
        kernels.append((renamed(source, names[title], text), sizes))

    made = cases()
    assert {t: list(c.mutants) for t, c in made.items()} == TITLES
    for title, case in made.items():
        add(title, case.source, case.source.c, case.sizes)
        for what, (pattern, instead) in case.mutants.items():
            text, changes = re.subn(pattern, instead, case.source.c)
            assert changes, f"{title} has nothing like {what}:\n{case.source.c}"
            add(f"{title} without {what}", case.source, text, case.sizes)
    return Built(found.build(kernels, headers(), folder), names)


@pytest.mark.parametrize("title", TITLES)
@pytest.mark.parametrize("threads", [2, 3])
def test_no_two_threads_meet(built: Built, title: str, threads: int) -> None:
    assert built.racer.reports(built.names[title], threads) == []


@pytest.mark.parametrize("title", [f"{t} without {what}" for t, mutants in TITLES.items() for what in mutants])
def test_a_mutant_is_seen(built: Built, title: str) -> None:
    # The detector sees what happens: threads that come late may miss each other once, not every time.
    assert any(built.racer.reports(built.names[title], threads) for threads in (2, 3, 2, 4, 2, 3))
