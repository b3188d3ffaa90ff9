"""The record of the machine: what C takes for granted agrees with it, and nobody keeps numbers of their own."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

import polyad as pa
import polyad_c
from polyad.machine import MACHINE, TINY, Machine
from polyad.ops import OPS
from polyad.targets.flags import compile_flags


def test_blocks_of_the_runtime_header_are_those_of_the_machine() -> None:
    header = polyad_c.header("polyad_runtime.h")
    for name, own in (("PA_SCAN_STEPS", MACHINE.scan_steps), ("PA_PIECE", MACHINE.piece)):
        found = re.search(rf"#define {name} (\d+)", header)
        assert found is not None and int(found[1]) == own


def test_contractions_take_threads_in_c_where_the_machine_says_so() -> None:
    header = polyad_c.header("polyad_contraction.h")
    found = re.search(r"#define PA_WORTH (\S+)", header)
    assert found is not None and float(found[1]) == MACHINE.shared_contraction
    own, tiny = (compile_flags(pa.Target(machine=m), True) for m in (MACHINE, TINY))
    assert {*tiny} - {*own} == {"-DPA_WORTH=0.0", "-DPA_PIECE=2"} and {*own} <= {*tiny}


def test_tiny_says_something_of_everything() -> None:
    same = {f.name for f in fields(Machine) if getattr(TINY, f.name) == getattr(MACHINE, f.name)}
    # A wavefront pays where other loops have fewer iterations than `lanes`, as all small ones. The others do not depend
    # on extents: they are what operators cost, and how much text is worth it.
    text = {"light", "scan_bytes", "scan_statements", "peeled", "stray_steps", "inlined", "merged", "pieces", "classes"}
    priced = {"guess", "latency", "called", "loop_start", "near_byte", "far_byte", "line"}
    assert same <= {"lanes", "division", "exp", "widest", "wide_bytes", "tail_vectors", "alone"} | text | priced


def test_operators_cost_what_their_table_says() -> None:
    assert all(op.cost_on(MACHINE) == op.cost for op in OPS.values())
    assert all((op.like == "exp") == (op.cost >= 20) for op in OPS.values())
    other = replace(MACHINE, division=8, exp=30)
    found = {name: OPS[name].cost_on(other) for name in ("add", "div", "sqrt", "exp", "tan", "stop_gradient")}
    assert found == {"add": 1, "div": 8, "sqrt": 12, "exp": 30, "tan": 45, "stop_gradient": 0}
    assert (MACHINE.kept, other.kept) == (10, 15)


# What is no threshold of a machine, though it is a number with a name.
SEARCH = """
    schedule/choose/siblings.py:_NEAR schedule/order/recurrence.py:_TRIES schedule/order/recurrence.py:_BETTER
    schedule/order/written_rows.py:_ROWS
    schedule/order/sequential_row.py:SEARCH_LIMIT schedule/order/sequential_row.py:_FEW
    schedule/order/time_tiles.py:_SLOPES schedule/order/wavefront.py:_FACTORS
    schedule/state/contraction.py:_PEELED schedule/moves/order.py:PRICED
    codegen/loops/ast/questions.py:_OPERATIONS codegen/loops/ast/questions.py:_UNANSWERED
    codegen/storage/storage.py:FOLDING_OPERATIONS
    codegen/storage/in_place.py:OPERATIONS
    codegen/storage/homes.py:OPERATIONS codegen/storage/homes.py:STEPS_OPERATIONS codegen/storage/homes.py:_ATTEMPTS
    codegen/storage/one_place.py:_CHAIN
    transforms/passes/boxes/quotients.py:_MOST transforms/rewrite/strip_mine.py:_FEWEST
    transforms/passes/eliminate_dead.py:_MOST_GROWTH transforms/rewrite/disjoint_pieces.py:_MOST_PIECES
"""  # how long something is looked for
CERTIFIED = """
    codegen/certify/certify.py:MOST codegen/certify/certify.py:_SMALL codegen/certify/certify.py:_ODD
    codegen/certify/formulas.py:_SAMPLES codegen/certify/certify.py:_MIDDLE
    codegen/certify/certify.py:_LONG codegen/certify/symbolic/flow.py:_ROUNDS
    codegen/certify/symbolic/prove.py:OPERATIONS codegen/certify/symbolic/prove.py:QUICK
"""  # at which sizes a kernel is certified, and how long a proof for all is looked for
HEADERS = """
    codegen/loops/contractions.py:GROUP codegen/storage/packing.py:EXTRA codegen/storage/memory_plan.py:ALIGNMENT
    codegen/storage/room.py:BLOCK_M codegen/storage/room.py:BLOCK_K codegen/storage/room.py:PANEL_BYTES
    codegen/storage/room.py:COPY_BYTES codegen/text/header_text.py:ABI
    codegen/launch_shape.py:ALIGNMENT codegen/launch_shape.py:STATUS_BYTES codegen/launch_shape.py:MEETING_BYTES
"""  # what stands in the C headers, too
LANGUAGE = """
    codegen/lower/pieces.py:_PEELED codegen/storage/moments.py:LAST codegen/text/workspace_text.py:SIZE_BITS
    codegen/index_limits.py:MOST
    schedule/tree/yaml_text.py:DEEPEST
    transforms/rewrite/affine_value.py:_LARGEST_DENOMINATOR transforms/rewrite/affine_value.py:_LARGEST_NUMBER
    transforms/passes/layout/vector_layout.py:UNKNOWN transforms/passes/split_wraps.py:_JUMPS
"""  # what compilers, integers and isl do, and what a word means
READERS = """
    schedule/transforms/unroll.py:MOST_COPIES codegen/loops/work_estimate.py:TERMS codegen/text/header_text.py:WIDTH
    codegen/text/line_text.py:WIDTH schedule/tree/picture.py:LINE schedule/tree/picture.py:GLYPH
    schedule/tree/picture.py:PAD schedule/tree/picture.py:GAP
"""  # what people can read, and may ask for
DERIVATIVES = """
    transforms/rewrite/atomise.py:_LARGEST_BODY transforms/rewrite/atomise.py:_SMALLEST_PART
"""  # how programs are taken apart to be differentiated, before anyone says for which machine
ROUNDING = """
    codegen/lower/subtotals.py:SHORT codegen/lower/subtotals.py:LANES
"""  # how exact a sum is, on all machines alike
# Which counts are exact, and over how many iterations storage is taken to be folded: of an estimate.
PRICES = "schedule/pricing/traffic.py:NEAR schedule/pricing/nests.py:EXACT "
NO_THRESHOLDS = {*(PRICES + SEARCH + CERTIFIED + HEADERS + LANGUAGE + READERS + DERIVATIVES + ROUNDING).split()}
FOLDERS = ("transforms", "analysis", "schedule", "codegen")
PACKAGE = Path(pa.__file__).parent
TREES = {
    path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
    for folder in FOLDERS
    for path in sorted((PACKAGE / folder).rglob("*.py"))
}


def named_numbers(tree: ast.Module) -> Iterator[str]:
    """The names that a module gives to numbers, tuples of numbers and what is computed from numbers alone."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Tuple() as target], value=value) if is_number(value):
                yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if is_number(value):
                yield name
            case _:
                pass


def is_number(value: ast.expr) -> bool:
    built = ast.operator | ast.unaryop | ast.expr_context | ast.BinOp | ast.UnaryOp | ast.Tuple
    leaves = [n for n in ast.walk(value) if not isinstance(n, built)]
    return bool(leaves) and all(isinstance(n, ast.Constant) and type(n.value) in (int, float) for n in leaves)


def test_nobody_else_has_thresholds() -> None:
    """A number that says when something pays is one of the machine: put it there, with its derivation in a sentence."""
    assert {f"{path}:{name}" for path, tree in TREES.items() for name in named_numbers(tree)} == NO_THRESHOLDS


def test_comparisons_name_their_thresholds() -> None:
    """None is with a number above two, but for what is written to be read, or takes a tuple apart."""
    compared = {
        path
        for path, tree in TREES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for n in (node.left, *node.comparators)
        if isinstance(n, ast.Constant) and isinstance(n.value, int | float) and n.value > 2
    }
    assert compared <= {"schedule/transforms/nest.py", "schedule/tree/draw.py", "codegen/text/expression_text.py"}


def test_the_machine_is_part_of_the_target() -> None:
    """Kernels for two machines are two kernels in the cache."""
    assert repr(pa.Target(machine=TINY)) != repr(pa.Target())
    x = pa.placeholder((9,), "x", "float64")
    y = pa.recurrence((9,), lambda y, i: pa.select(i > 0, 0.5 * y[i - 1], 0.0) + x[i], name="y", dtype="float64")
    small, large = (pa.compile(y, [x], target=pa.Target(machine=m)) for m in (TINY, MACHINE))
    assert "pa_scan_" in small.source and "pa_scan_" not in large.source


@pytest.mark.parametrize(
    "wrong", [{"stair": 0}, {"parts": (0, 4)}, {"thread_start": -1.0}, {"long": "8"}, {"scan_steps": 512}]
)
def test_numbers_that_make_no_sense_are_refused(wrong: dict[str, Any]) -> None:
    (name,) = wrong
    with pytest.raises(pa.CallError, match=rf"Machine\({name}=") as caught:
        replace(MACHINE, **wrong)
    assert caught.value.argument == name
