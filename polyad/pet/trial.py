"""Whether C can be read here: a loop nest of one line is."""

from __future__ import annotations

from polyad.errors import CompileError, ExtractionError
from polyad.pet.extract import extract
from polyad.pet.libpet.library import find_pet
from polyad.runtime.run_tool import scratch_directory

__all__ = ["describe_pet"]

_C = """void twice(int n, double x[n])
{
#pragma scop
    for (int i = 0; i < n; i++) x[i] = 2 * x[i];
#pragma endscop
}
"""


def describe_pet() -> tuple[str, str]:
    """Return the libpet that reads C here, or "", and what to do, for `polyad doctor`."""
    what = "reads loop nests in C"
    try:
        library = find_pet()
    except ExtractionError as problem:
        return "", f"{what}; {problem}"
    try:
        with scratch_directory() as folder:
            (folder / "twice.c").write_text(_C, encoding="utf-8")
            extract(folder / "twice.c", anew=True)
    except (CompileError, ExtractionError, OSError) as problem:
        return "", f"{what}, but {library.origin} does not: {problem}"
    return f"{library.origin}; {what}", ""
