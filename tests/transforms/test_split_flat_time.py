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
