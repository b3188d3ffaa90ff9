import pytest

from polyad.schedule.loop_order import loop_order, profile, strides
from tests.programs import program
from tests.schedule.samples import SAMPLES


@pytest.mark.parametrize(
    ("sample", "statement", "dims", "stream", "contraction"),
    [
        ("matvec", "S", "i k", False, False),
        ("matmul_dot", "C_upd", "i j k", False, True),
        ("matmul_stream", "C_upd", "i k j", True, True),
        ("conv", "S", "i k", False, False),
        ("gather", "S", "t j", False, False),
        ("scatter", "S", "t j", True, False),
        ("transposed", "R", "p q", False, False),
        ("lstm_gradient", "W_bar_x", "n t b i", True, True),
        ("lstm_gradient", "b_bar_z", "t b n", True, False),
        ("lstm_gradient", "x_bar_w", "t b n i", True, True),
    ],
)
def test_order_of_loops(sample: str, statement: str, dims: str, stream: bool, contraction: bool) -> None:
    order = loop_order(profile(program(SAMPLES[sample]).statement(statement)), frozenset())
    assert (order.dims, order.stream, order.contraction) == (tuple(dims.split()), stream, contraction)


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
