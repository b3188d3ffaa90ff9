"""Loop nests in C as tests write them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from polyad.errors import ExtractionError
from polyad.pet.extract import extract
from polyad.pet.prototype import Function
from polyad.pet.scop import Scop

__all__ = ["NEEDS_PET", "function_of", "refused", "seen"]

PARAMETERS = "int n, int m, double *x, double *y, const int *idx"


NEEDS_PET = pytest.mark.pet
"""Of tests that read C: tests/conftest.py skips them where libpet is missing, and sees that all of them say so."""


def function_of(body: str, parameters: str = PARAMETERS, before: str = "", outside: str = "") -> str:
    """A C file with one function `f`: `body` is between the pragmas, `outside` before them, `before` before it all."""
    return f"{before}\nvoid f({parameters})\n{{\n{outside}\n#pragma scop\n{body}\n#pragma endscop\n}}\n"


def seen(text: str, function: str | None = None, scop: int | None = None, **options: object) -> tuple[Scop, Function]:
    """Extract the loop nest of a text."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "nest.c"
        path.write_text(text)
        return extract(path, function, scop, **options)  # type: ignore[arg-type]


def refused(text: str, function: str | None = None, scop: int | None = None, **options: object) -> ExtractionError:
    """The error that a text gives. It names the file, and a line of it."""
    with pytest.raises(ExtractionError) as caught:
        seen(text, function, scop, **options)
    assert "nest.c" in str(caught.value)
    assert caught.value.file.endswith("nest.c")
    return caught.value
