import pytest

import polyad as pa
from polyad.analysis.strides import strides
from polyad.schedule.state.loop_order import loop_order, profile
from tests.programs import program
from tests.schedule.samples import SAMPLES


@pytest.mark.parametrize(
    ("sample", "statement", "dims", "stream", "contraction"),
    [
        ("matvec", "S", "i k", False, False),
        ("matmul_dot", "C_upd", "i j k", False, True),
        ("matmul_stream", "C_upd", "i j k", False, True),
        ("conv", "S", "i k", False, False),
        ("gather", "S", "t j", False, False),
        ("scatter", "S", "t j", True, False),
        ("transposed", "R", "p q", False, False),
        ("lstm_gradient", "W_bar_x", "n i t b", False, True),
        ("lstm_gradient", "b_bar_z", "t b n", True, False),
        ("lstm_gradient", "x_bar_w", "t b i n", False, True),
    ],
)
def test_order_of_loops(sample: str, statement: str, dims: str, stream: bool, contraction: bool) -> None:
    order = loop_order(profile(program(SAMPLES[sample]).statement(statement)), frozenset())
    assert (order.dims, order.stream, order.contraction) == (tuple(dims.split()), stream, contraction)


@pytest.mark.parametrize(
    ("sample", "statement", "jammed", "lanes"),
    [
        ("matmul_dot", "C_upd", "i j", ""),
        ("matmul_stream", "C_upd", "i", "j"),
        ("lstm_gradient", "x_bar_w", "b", "i"),
        ("lstm_gradient", "b_bar_z", "b", ""),
        ("matvec", "S", "i", ""),
    ],
)
def test_what_stays_in_registers(sample: str, statement: str, jammed: str, lanes: str) -> None:
    order = loop_order(profile(program(SAMPLES[sample]).statement(statement)), frozenset())
    assert (order.jammed, order.lanes) == (tuple(jammed.split()), lanes)


def test_loops_whose_bounds_depend_on_each_other_are_not_jammed() -> None:
    text = str(program(SAMPLES["matmul_dot"])).replace("0 <= k < K", "0 <= k < K and k <= i")
    order = loop_order(profile(program(text).statement("C_upd")), frozenset())
    assert order.contraction and order.jammed == ("j",)


def test_loops_around_change_the_order() -> None:
    shape = profile(program(SAMPLES["lstm"]).statement("Shu"))
    order = loop_order(shape, frozenset({"t", "b"}))
    # Inside of batch and time the product is matrix times vector: nothing is used many times.
    assert order.dims == ("n", "j") and not order.contraction


def test_strides() -> None:
    p = program(SAMPLES["conv"])
    s = p.statement("S")
    reads = {r.array: strides(r.access, s.dims) for r in s.reads()}
    assert reads == {"x": {"i": None, "k": None}, "w": {"i": 0, "k": 1}}
    assert strides(s.write, s.dims) == {"i": 1, "k": 0}


def test_strides_of_data_dependent_accesses() -> None:
    s = program(SAMPLES["gather"]).statement("S")
    table, ids, *_ = s.reads()
    assert strides(table.access, s.dims) == {"t": None, "j": 1}
    assert strides(ids.access, s.dims) == {"t": 1, "j": 0}
    scatter = program(SAMPLES["scatter"]).statement("S")
    assert strides(scatter.write, scatter.dims) == {"t": None, "j": 1}


def test_one_number_of_each_pair_is_as_good_as_contiguous() -> None:
    """Of arrays whose last extent is 2 alone, and where the place in the pair is a number."""
    z = pa.placeholder((4, 3, 2), "z")
    (s,) = pa.make_program(lambda z: pa.compute((4, 3), lambda i, j: z[i, j, 1] + z[i, 2, 0]))(z).statements
    first, second = (r.access for r in s.reads())
    assert strides(first, s.dims, pairs=True) == {"i": None, "j": 1}
    assert strides(second, s.dims, pairs=True) == {"i": None, "j": 0}
    assert strides(first, s.dims) == {"i": None, "j": None}
