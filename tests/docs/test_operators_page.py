"""The page of operators is made from `operator_rows.py`; `--update-golden` writes it anew."""

import re
from pathlib import Path
from types import ModuleType

import pytest

import polyad as pa
from tests.docs.operator_rows import MODULES, Row, rows

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "operators.md"
KINDS = {"yes": "yes", "zero": "zero almost everywhere", "none": "none"}
HEAD = "| operator | gradient | where there is none | tested against | JAX | PyTorch |\n|---|---|---|---|---|---|\n"

TEXT = """\
# Operators

Made from a table next to the tests (`tests/docs/operator_rows.py`), in which each public function of `polyad.numpy`,
`polyad.numpy.linalg` and `polyad.nn` has a line. Only [scalar functions](scalar-functions.md) have rules of
differentiation; all of these are definitions in terms of them, and their gradients follow. Values are compared with
NumPy and gradients with central differences, or both with PyTorch.

A gradient that is zero almost everywhere is computed, as zero; where the result counts or decides there is none, and
asking for it is an error. The column behind it says what is chosen where the function has no derivative
([ties](mathematics.md#ties)). `jnp` is `jax.numpy`, `lax` is `jax.lax`, `F` is `torch.nn.functional` and `nn` is
`torch.nn`.

## polyad.numpy

{numpy}
## polyad.numpy.linalg

{linalg}
## polyad.nn

{nn}"""


def table(module: str) -> str:
    def code(text: str) -> str:
        return "" if text == "-" else f"`{text}`"

    return HEAD + "".join(
        f"| `{r.name}` | {KINDS[r.gradient]} | {r.ties} | {r.tested} | {code(r.jax)} | {code(r.torch)} |\n"
        for r in rows(module)
    )


def test_the_page_shows_the_table(update_golden: bool) -> None:
    wanted = TEXT.format(**{m: table(m) for m in MODULES})
    if update_golden:
        PAGE.write_text(wanted, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == wanted, "run `python -m pytest tests/docs --update-golden`"


@pytest.mark.parametrize(("name", "module"), [("numpy", pa.numpy), ("linalg", pa.linalg), ("nn", pa.nn)])
def test_each_function_has_a_row(name: str, module: ModuleType) -> None:
    members = {n: getattr(module, n) for n in module.__all__}
    public = {n for n, member in members.items() if callable(member) and not isinstance(member, type)}
    assert {r.name for r in rows(name)} == public, "add a line to tests/docs/operator_rows.py"
    assert len(MODULES[name].strip().splitlines()) == len(public)


@pytest.mark.parametrize("module", MODULES)
def test_each_function_stands_in_a_test(module: str) -> None:
    """By its name, or by a pattern that holds a part of it, such as `f"conv{n}d"`; scalar functions in their table."""
    folders = ("numpy_api", "nn", "frontend", "acceptance", "campaign")
    paths = [p for f in folders for p in sorted((ROOT / "tests" / f).rglob("*.py"))]
    text = "\n".join(p.read_text(encoding="utf-8") for p in paths)
    words = set(re.findall(r"\w+", text)) | set(pa.ops.registry.OPS)
    spelled = {re.sub(r"\{\w+\}", r"\\w+", p) for p in re.findall(r'f"([\w{}]+)"', text) if re.search("[a-z]{4}", p)}
    pattern = re.compile("|".join(sorted(spelled)))
    assert not [r.name for r in rows(module) if r.name not in words and not pattern.fullmatch(r.name)]


@pytest.mark.torch
@pytest.mark.parametrize("row", [r for m in MODULES for r in rows(m)], ids=lambda r: r.name)
def test_pytorch_has_what_the_row_names(row: Row) -> None:
    import torch  # here, as importing it takes a second in every process of tests

    scope = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn}
    for path in re.findall(r"^((?:torch|F|nn)(?:\.\w+)+)", row.torch):
        target: object = scope[path.split(".")[0]]
        for part in path.split(".")[1:]:
            target = getattr(target, part)
