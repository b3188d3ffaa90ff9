from polyad.transforms.rewrite.array_graph import array_components, array_sources, strongly_connected_names
from tests.programs import CUMSUM, LSTM, MATVEC, program


def test_components_come_after_what_they_need() -> None:
    components = array_components(program(LSTM))
    arrays = [c.arrays for c in components]
    assert arrays == [("xw",), ("hu", "z", "gi", "gf", "gg", "go", "tc", "c", "h"), ("loss",)]
    assert [c.recurrent for c in components] == [False, True, False]


def test_an_array_that_reads_itself_is_recurrent() -> None:
    assert [c.recurrent for c in array_components(program(CUMSUM))] == [True]
    assert [c.recurrent for c in array_components(program(MATVEC))] == [False]


def test_sources() -> None:
    assert array_sources(program(MATVEC)) == {"y": ("A", "x")}


def test_long_chains_need_no_recursion() -> None:
    chain = {f"a{i}": [f"a{i + 1}"] for i in range(5000)}
    assert [c[0] for c in strongly_connected_names(chain)][:2] == ["a5000", "a4999"]
