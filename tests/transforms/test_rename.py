import numpy as np

from polyad.ir.names import unique_name
from polyad.semantics.evaluate import evaluate
from polyad.transforms.rewrite.rename import rename
from tests.programs import GATHER, LSTM, program
from tests.transforms.equivalence import random_inputs


def test_unique_name_counts_up() -> None:
    assert unique_name("z", {"y"}) == "z"
    assert unique_name("z", {"z", "z_1"}) == "z_2"


def test_rename_changes_every_mention() -> None:
    old = program(LSTM)
    new = rename(old, {"Sz": "preactivation"}, {"z": "gates", "x": "tokens", "loss": "cost", "h": "hidden"})
    text = str(new)
    assert "preactivation[t, b, n]" in text and "Sz" not in text
    for word in (" z[", " x[", " loss[", " h["):
        assert word not in text
    assert new.scans[0].states == ("hidden", "c")
    sizes = {"T": 2, "B": 1, "I": 2, "H": 2}
    inputs = random_inputs(old, sizes)
    renamed = {"tokens" if n == "x" else n: v for n, v in inputs.items()}
    np.testing.assert_array_equal(evaluate(new, renamed)["cost"], evaluate(old, inputs)["loss"])


def test_rename_reaches_data_dependent_indices() -> None:
    new = rename(program(GATHER), {"S": "look_up"}, {"ids": "words", "table": "embedding"})
    assert "embedding[words[t], index(j)]" in str(new)
    assert "ids" not in str(new)
    may = new.statements[0].reads().__next__().access.may
    assert "look_up[" in str(may) and "embedding[" in str(may)
