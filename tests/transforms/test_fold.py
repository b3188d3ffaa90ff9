from polyad.ir.expr import Index, render
from polyad.ops import apply, const
from polyad.transforms.rewrite.cost import cost
from polyad.transforms.rewrite.fold import fold_statement, rebuild, replacing
from tests.programs import LSTM, MATVEC, program


def test_unchanged_nodes_are_kept() -> None:
    for s in program(LSTM).statements:
        assert fold_statement(s) is s


def test_replacing_folds_what_stands_around() -> None:
    s = program(MATVEC).statements[0]
    a, x = s.reads()
    assert rebuild(s.body, replacing((x, const(1.0, "float64")))) is a
    assert render(rebuild(s.body, replacing((x, const(0.0, "float64")))), s.dims) == "0.0"


def test_integer_arithmetic_on_indices_is_an_index() -> None:
    s = program(MATVEC).statements[0]
    i = Index(s.write.get_aff(0))
    folded = rebuild(apply("add", apply("mul", i, const(2, "int64")), apply("sub", i, const(1, "int64"))))
    assert render(folded, s.dims) == "index(3 * i - 1)"
    assert render(rebuild(apply("sub", i, i)), s.dims) == "0"


def test_cost() -> None:
    by_name = {s.name: s for s in program(LSTM).statements}
    assert cost(by_name["Sz"].body) == 2 and cost(by_name["Sh0"].body) == 0
    assert cost(by_name["Stc"].body) >= 10
