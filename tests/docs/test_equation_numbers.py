"""Equations are numbered in order, once, and every number cited anywhere exists."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MATHEMATICS = ROOT / "docs" / "mathematics.md"
CITATION = re.compile(r"mathematics\.md, eqs?\. ?(\d+)(?:(?: and |-)(\d+))?")


def tags() -> list[int]:
    return [int(number) for number in re.findall(r"\\tag\{(\d+)\}", MATHEMATICS.read_text(encoding="utf-8"))]


def test_numbers_count_up() -> None:
    assert tags() == list(range(1, len(tags()) + 1))


@pytest.mark.parametrize("folder", ["polyad", "polyad_c", "docs", "tests"])
def test_cited_equations_exist(folder: str) -> None:
    known = set(tags())
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix not in {".py", ".md", ".h", ".c"}:
            continue
        for match in CITATION.finditer(path.read_text(encoding="utf-8")):
            cited = {int(number) for number in match.groups() if number}
            assert cited <= known, f"{path.relative_to(ROOT)} cites {match.group()}: the page has 1 to {max(known)}"


def test_equations_of_the_text_exist() -> None:
    cited = {int(number) for number in re.findall(r"\((\d{1,2})\)", MATHEMATICS.read_text(encoding="utf-8"))}
    assert cited <= set(tags())
