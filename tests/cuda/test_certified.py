"""Certificates of kernels on a GPU: the loops, the text and what the host is told; wrong ones are refused."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.certify.certify import certify
from polyad.codegen.certify.symbolic.prove import prove
from polyad.codegen.loops.how import Divided
from polyad.codegen.loops.nodes import Barrier, Loop, Node, Single
from polyad.codegen.loops.traversal import expand, nodes
from polyad.codegen.plan import Plan, plan_kernel
from polyad.codegen.source import Source
from polyad.errors import CertificationError
from polyad.ir.affine import Affine
from polyad.kernel import Kernel
from polyad.machine.device import DEVICE
from polyad.runtime.codegen_options import codegen_options, language_of
from tests.cuda.device import kernel_of, target
from tests.cuda.test_programs import CASES

FUNCTIONS = ("LSTM", "gather", "tiles of batches", "tiles", "checkpoint", "two dimensions")

MEETINGS = [("LSTM", 5, 0), ("rows", 3, 0), ("checkpoint", 9, 0), ("Hessian", 4, 2)]
"""How many meetings each needs, and how many more it has: where they are is decided by arrays, not by elements."""


def planned(kernel: Kernel) -> tuple[Plan, Source]:
    language = language_of(target())
    plan = plan_kernel(kernel.program, kernel.schedule, codegen_options(target()), passes=language.passes)
    return plan, language.source(plan)


def read_back(plan: Plan, source: Source) -> None:
    found = language_of(target()).read_back
    assert found is not None
    found(plan, source)


def kernel(name: str) -> Kernel:
    function, given = CASES[name]
    return kernel_of(function, *given)


def test_a_certificate_speaks_of_the_text() -> None:
    proved = kernel("LSTM").certify()
    assert proved.text is not None and proved.text.statements > 50
    assert "CUDA" in str(proved)


def test_a_grid_of_threads_is_proved_for_all_sizes() -> None:
    n, m = pa.sizes("n m")
    x = pa.placeholder((n, m), "x", "float64")
    assert pa.compile(pa.tanh(x) * 2.0, [x], target=target()).certify().all_sizes


SHARED = ["LSTM", "rows", "long sums", "everything", "checkpoint", "gather", "steps in parts"]


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.quick_cases(3)
def test_blocks_that_share_work_are_proved_for_all_sizes(name: str) -> None:
    """Regions of blocks, of a grid or of teams, and the sums that their threads share."""
    plan, _ = planned(kernel(name))
    assert prove(plan).proved


@pytest.mark.parametrize(("name", "needed"), [("LSTM", 5), ("rows", 3), ("checkpoint", 9)])
@pytest.mark.quick_cases(1)
def test_a_meeting_less_is_proved_for_no_sizes(name: str, needed: int) -> None:
    plan, _ = planned(kernel(name))
    mutants = [*meetings(plan)]
    assert len(mutants) == needed
    assert not any(prove(mutant).proved for mutant in mutants)


def meetings(plan: Plan) -> Iterator[Plan]:
    """The plan without one of the meetings of its threads, for each of them."""
    found = [n for n in nodes(plan.loops) if isinstance(n, Barrier | Single) or (isinstance(n, Loop) and waits(n))]
    for gone in found:

        def one(node: Node, gone: Node = gone) -> Sequence[Node] | None:
            if node is not gone:
                return None
            if isinstance(node, Loop) and isinstance(node.how, Divided):
                return [replace(node, how=replace(node.how, wait=False))]
            return [] if isinstance(node, Barrier) else node.body.children  # type: ignore[union-attr]

        yield replace(plan, loops=expand(one, plan.loops))


def waits(loop: Loop) -> bool:
    return isinstance(loop.how, Divided) and loop.how.wait


@pytest.mark.parametrize(("name", "needed", "more"), MEETINGS)
@pytest.mark.quick_cases(1)
def test_without_a_meeting_two_threads_touch_one_place(name: str, needed: int, more: int) -> None:
    plan, _ = planned(kernel(name))
    refused = 0
    mutants = list(meetings(plan))
    for mutant in mutants:
        with suppress(CertificationError):
            certify(mutant)
            continue
        refused += 1
    assert (refused, len(mutants) - refused) == (needed, more)


def changed(pattern: str, new: str) -> Callable[[str], Iterator[str]]:
    """The text with one place changed, for each place that a pattern finds."""

    def mutants(text: str) -> Iterator[str]:
        for match in re.finditer(pattern, text):
            yield text[: match.start()] + match.expand(new) + text[match.end() :]

    return mutants


def code(text: str) -> str:
    """A text without its comments."""
    return re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)


MUTATIONS = {
    "another thread": changed(r"\bPA_THREAD\b", "PA_GRID_THREAD"),
    "another stride": changed(r"\bPA_GRID_THREADS\b", "PA_THREADS"),
    "a stride of blocks": changed(r"\bPA_BLOCKS\b", "PA_BLOCK"),
    "no meeting": changed(r"\n *PA_MEET", ""),
    "another digit": changed(r"pa_at % pa_n1", "pa_at % pa_n0"),
    "another quotient": changed(r"pa_at / pa_n1", "pa_at / pa_n0"),
    "a count less": changed(r"pa_count\(0, (\w+)", r"pa_count(1, \1"),
    "one iteration less": changed(r"pa_at < pa_n0", "pa_at <= pa_n0"),
    "a sign": changed(r" \+ (\w+\[)", r" - \1"),
    "an element": changed(r"\[(\w+) \* (\d+)", r"[\1 * 1\2"),
    "a constant": changed(r"= 0\.0;", "= 1.0;"),
    "a function": changed(r"pa_tanh_f64", "pa_exp_f64"),
    "read only": changed(r"\n(PA_KERNEL void \w+\()double \*", r"\n\1const double *PA_RESTRICT "),
    "another kernel": changed(r"_0\(", "_00("),
    "kept": changed(r"PA_LEAVE_IF\(pa_status\[0\]\)", "PA_LEAVE_IF(pa_status[1])"),
    "another tile": changed(r"pa_rows = pa_r0", "pa_rows = pa_c0"),
    "the other operand": changed(r"PA_TILE_ROWS", "PA_TILE_COLUMNS"),
    "another order": changed(r"COLUMNS, (\d)\)", r"TERMS, \1)"),
    "more at once": changed(r"(TERMS|ROWS), 1,", r"\1, 4,"),
    "fewer at once": changed(r"(TERMS|ROWS), [24],", r"\1, 1,"),
    "another shape": changed(r"PA_TILES\(f(\d+), 32, 32", r"PA_TILES(f\1, 64, 64"),
    "another type": changed(r"PA_TILES\(f32", "PA_TILES(f64"),
    "other terms": changed(r"= pa_k;", "= pa_n;"),
    "no sum": changed(r" \+ PA_TILE_SUM", ""),
    "not told": changed(r"atomicExch\(pa_status, ", "atomicExch(pa_status + 1, "),
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.quick_cases(2)
def test_a_text_that_says_something_else_is_refused(name: str) -> None:
    plan, source = planned(kernel(name))
    read_back(plan, source)
    tried = set()
    for what, mutants in MUTATIONS.items():
        for text in mutants(source.c):
            if code(text) == code(source.c):
                continue
            tried.add(what)
            with pytest.raises(CertificationError):
                read_back(plan, replace(source, c=text))
    assert len(tried) >= 8, tried


def test_all_mutations_are_tried() -> None:
    texts = [planned(kernel(name))[1].c for name in FUNCTIONS]
    for what, mutants in MUTATIONS.items():
        assert any(code(mutant) != code(text) for text in texts for mutant in mutants(text)), what


def test_a_host_that_is_told_something_else_is_refused() -> None:
    plan, source = planned(kernel("LSTM"))
    first, *others = source.launches
    blocks = next(n for n, launch in enumerate(source.launches) if launch.over == "blocks")
    wrong = [
        source.launches[1:],
        (*others, first),
        (replace(first, parameters=first.parameters[::-1]), *others),
        (replace(first, parameters=first.parameters[1:]), *others),
        (replace(first, over="blocks"), *others),
        (replace(first, counts=first.counts[1:]), *others),
        (replace(first, counts=(Affine.of(0), *first.counts[1:])), *others),
        (replace(first, tiles=("rows", "columns")), *others),
        (replace(first, tile=DEVICE.tile_shapes[4][0]), *others),
        tuple(replace(s, over="block") if n == blocks else s for n, s in enumerate(source.launches)),
    ]
    for launches in wrong:
        with pytest.raises(CertificationError):
            read_back(plan, replace(source, launches=tuple(launches)))


def test_what_is_merged_stays_apart() -> None:
    """The iterations of merged loops are all pairs, whatever their steps are."""
    x = np.arange(35.0).reshape(5, 7)
    found = kernel_of(lambda a: a[::-1, ::2] * 2.0, x)(x)
    np.testing.assert_array_equal(found, x[::-1, ::2] * 2.0)


def test_loops_have_their_text() -> None:
    """Launches and grids are read again from the text of the loops."""
    from polyad.codegen.loops.read_text import read_loops
    from polyad.codegen.loops.text import loops_text

    plan, _ = planned(kernel("LSTM"))
    text = loops_text(plan.loops)
    assert "launch:" in text and "grid(blocks)" in text and "merged" in text
    assert loops_text(read_loops(text, plan.program)) == text
