"""Instance counts are exact, and fast where there are billions."""

import islpy as isl
import pytest

from polyad.analysis.counting import cardinality, instances
from polyad.semantics.points import points
from tests import programs
from tests.programs import program
from tests.programs_gradient import LSTM_GRADIENT
from tests.semantics.test_points import SETS

MORE = [
    ("[N] -> { S[i, j, k, l] : 0 <= i < N and i <= j < N and 0 <= k < N and k <= l <= 2k }", {"N": 4}),
    ("[N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and 2k = i + j }", {"N": 5}),
    ("[N] -> { S[i, j, k] : 0 <= i < N and 0 <= j < N and i <= k <= i + 2 and j <= k }", {"N": 5}),
    ("{ S[i, j] : 0 <= i < 6 and 0 <= j < 6; S[i, j] : 3 <= i < 9 and 3 <= j < 9 }", {}),
]


@pytest.mark.parametrize(("text", "sizes"), SETS + MORE)
def test_the_count_is_the_number_of_points(text, sizes):
    domain = isl.Set(text)
    assert cardinality(domain, sizes) == len(points(domain, sizes))


def test_instances_of_a_program():
    assert instances(program(programs.MATVEC), {"N": 3, "K": 5}) == {"S": 15}
    assert instances(program(programs.CUMSUM), {"N": 7}) == {"S0": 1, "S1": 6}


@pytest.mark.parametrize("text", [programs.LSTM, LSTM_GRADIENT], ids=["lstm", "gradient"])
def test_trillions_are_counted_which_no_enumeration_would_finish(text):
    p = program(text)
    counted = instances(p, {"T": 1000, "B": 64, "I": 512, "H": 1024})
    assert max(counted.values()) == 1000 * 64 * 4096 * 1024
    assert counted["Sxw"] == 1000 * 64 * 4096 * 512


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[N] -> { S[i, j] : 0 <= i < N and 0 <= j <= i }", 100_000 * 100_001 // 2),
        ("[N] -> { S[i, j, k] : 0 <= i < N and 0 <= j <= i and 0 <= k < N }", 100_000**2 * 100_001 // 2),
        # The adjoint of a convolution: the element, the output and the tap, one of which the others determine.
        ("[N] -> { A[a, i, k] : a = 2i + 3k and 0 <= i < N and 0 <= k < 7 }", 700_000),
    ],
)
def test_large_domains_that_are_not_boxes(text, expected):
    assert cardinality(isl.Set(text), {"N": 100_000}) == expected
