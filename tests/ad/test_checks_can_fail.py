"""The checks of this folder notice a wrong derivative: each is shown one."""

from dataclasses import replace

import pytest

from polyad.ad import collect, optimum, reverse
from polyad.ops import OPS
from polyad.ops.program_text import parse_program
from tests import programs
from tests.ad import samples
from tests.ad.derivative_checks import check_derivatives, check_second_order


def test_a_wrong_rule_fails_the_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both modes use the rule, so only central differences can see it."""
    right = OPS["tanh"].partials
    monkeypatch.setitem(OPS, "tanh", replace(OPS["tanh"], partials=lambda args, y: (y,)))
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_derivatives(programs.program(programs.LSTM), {"T": 2, "B": 1, "I": 1, "H": 1})
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_second_order(programs.program(programs.LSTM), {"T": 2, "B": 1, "I": 1, "H": 1}, "W")
    assert right is not OPS["tanh"].partials


def test_a_lost_contribution_fails_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collect, "plus", lambda a, b: a)
    with pytest.raises(AssertionError):
        check_derivatives(programs.program(programs.DTW), {"N": 3, "M": 2}, differences=False)


def test_a_fibre_that_is_too_small_fails_the_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    """Transposed accesses without their last instances."""
    right = reverse.transpose_access

    def wrong(*args):
        return [replace(t, domain=t.domain.subtract(t.domain.lexmax())) for t in right(*args)]

    monkeypatch.setattr(reverse, "transpose_access", wrong)
    with pytest.raises(AssertionError):
        check_derivatives(programs.program(programs.CONV), {"N": 3, "K": 4}, differences=False)


def test_a_wrong_winner_fails_the_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    right = optimum.attains
    monkeypatch.setattr(optimum, "attains", lambda kind, *args: right({"max": "min", "min": "max"}[kind], *args))
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        check_derivatives(parse_program(samples.reduction("max=")["rows"]), {"N": 2, "M": 3})
