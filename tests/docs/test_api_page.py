"""The API reference, with the page of scalar functions, names everything that `polyad` exports."""

import re
from pathlib import Path

import pytest

import polyad as pa

DOCS = Path(__file__).resolve().parents[2] / "docs"
NAMED = re.compile(r"^\.\. auto\w+:: (?:polyad\.)?(\w+)|`(\w+)`|`pa\.(\w+)\(", re.MULTILINE)

ERRORS = {name for name in pa.__all__ if name.endswith("Error")}  # all of them, by the module that holds them


@pytest.mark.parametrize("name", sorted(set(pa.__all__) - ERRORS - {"__version__"}))
def test_name_is_on_the_page(name: str) -> None:
    pages = [(DOCS / page).read_text(encoding="utf-8") for page in ("api.md", "scalar-functions.md")]
    assert name in {a or b or c for page in pages for a, b, c in NAMED.findall(page)}


def test_every_error_is_exported() -> None:
    assert {n for n in pa.errors.__all__ if isinstance(getattr(pa.errors, n), type)} <= ERRORS
