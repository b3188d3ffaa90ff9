import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.passes import prepare
from polyad.transforms.passes.split_flat_time import segments_of


def prepared(length: int, n: int) -> Program:
    x, h0 = pa.placeholder((length, 2), "x", "float64"), pa.placeholder((2,), "h0", "float64")
    W = pa.placeholder((2, 2), "W", "float64")
    last, _ = pa.scan(lambda h, v: (pa.tanh(v @ W + h), None), h0, x, checkpoint=pa.checkpoint.every(n))
    program, _ = program_of(pa.grad((last * last).sum(), [x, W]), [x, W, h0], "gradient")
    return prepare(program)


def test_what_reads_adjoints_of_a_segment_says_so() -> None:
    program = prepared(7, 3)
    assert {(str(s), str(n)) for s, n in segments_of(program)} >= {("3", "3")}
    (product,) = (s for s in program.writers()["x_bar"] if s.reduction == "sum")
    assert product.dims[0] == "s" and not any("//" in str(s) for s in [product.write, product.domain])


def test_inputs_of_all_time_have_no_copies() -> None:
    """The last segment is shorter; its sums are boxes all the same, in the loop over segments."""
    assert not [a for a in prepared(7, 3).arrays if "padded" in a]


@pytest.mark.parametrize("segments", [(4, 2), (6, 3), (9, 3), (20, 4, 2), (6, 2, 1)])
@pytest.mark.quick_cases(2)
def test_segments_of_segments_are_counted_level_by_level(segments: tuple[int, ...]) -> None:
    """However isl writes the quotients: those of two have forms of their own."""
    T = pa.sizes("T")
    x, h0 = pa.placeholder((T, 2), "x", "float64"), pa.placeholder((2,), "h0", "float64")
    last, _ = pa.scan(lambda h, v: (pa.sin(v + h), None), h0, x, checkpoint=pa.checkpoint.every(*segments))
    program = prepare(program_of(pa.grad((last * last).sum(), [x, h0]), None, "gradient")[0])
    for s in program.writers()["x_bar"]:
        reads = [r.access for r in s.reads()]
        assert not reads or len(s.dims) >= len({n for n in segments if n > 1}) + 2
        assert not any("floor" in str(access) or "mod" in str(access) for access in reads), s
