"""Each pass over the loop IR makes of the loops in its files what stands there (passes/NAME_OF_PASS/*.txt)."""

from pathlib import Path

import pytest

from polyad.codegen.lower.passes import LOOP_PASSES
from tests.codegen.pass_case import CASES, PassCase

FILES = sorted(CASES.glob("*/*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_pass_makes_what_its_file_shows(path: Path, update_golden: bool) -> None:
    shown = PassCase.read(path)
    found = shown.completed()
    if update_golden:
        found.write()
        return
    assert found.before == shown.before, "the loops before are written as they are printed"
    assert found.after == shown.after, "if the change is meant: pytest --update-golden"
    assert found.program and found.head.strip(), "a file says what it shows, and of which program"


def test_every_pass_has_a_file_in_which_it_does_something() -> None:
    working = {case.name for case in map(PassCase.read, FILES) if case.before != case.after}
    assert working == {step.name for step in LOOP_PASSES}
