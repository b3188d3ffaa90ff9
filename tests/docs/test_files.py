"""A page lists every module with what its docstring starts with; `--update-golden` lists anew."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "files.md"
LISTED = re.compile(r"(?<=<!-- files -->\n).*?(?=<!-- end of files -->)", re.DOTALL)

# In the order in which they may import each other, as docs/architecture.md and tests/project/test_layout.py have it.
FOLDERS = """
    machine ir ops semantics transforms transforms/passes transforms/passes/boxes transforms/passes/layout
    transforms/passes/sums transforms/rewrite transforms/rewrite/sums analysis ad schedule schedule/tree
    schedule/state schedule/order schedule/choose schedule/pricing schedule/transforms codegen codegen/loops
    codegen/loops/ast codegen/storage codegen/lower codegen/certify codegen/certify/symbolic
    codegen/certify/read_back codegen/text codegen/cuda codegen/cuda/host targets runtime runtime/cuda measure
    export inspect frontend frontend/batching frontend/complex_numbers frontend/control frontend/naming
    frontend/traced numpy nn optim random pet pet/c_text pet/integers pet/c_style pet/c_style/sizes pet/c_tree
    pet/libpet pet/checked pet/dataflow numpy/linalg numpy/order numpy/signals numpy/values pet/equations
    pet/handed_back schedule/moves runtime/tuned runtime/threads tuning
""".split()


def summary(path: Path) -> str:
    """The first paragraph of a module's docstring, on one line."""
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def entry(path: Path) -> str:
    return f"- `{path.name}`: {summary(path)}\n"


def listing() -> str:
    package = ROOT / "polyad"
    parts = ["\n", *(entry(p) for p in sorted(package.glob("*.py")))]
    for folder in FOLDERS:
        parts.append(f"\n## {folder}\n\n{summary(package / folder / '__init__.py')}\n\n")
        parts += [entry(p) for p in sorted((package / folder).glob("*.py")) if p.name != "__init__.py"]
    return "".join([*parts, "\n"])


def test_the_page_lists_every_module(update_golden: bool) -> None:
    page = PAGE.read_text(encoding="utf-8")
    wanted = LISTED.sub(lambda _: listing(), page)
    if update_golden:
        PAGE.write_text(wanted, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == wanted, "run `python -m pytest tests/docs --update-golden`"


def test_no_folder_is_forgotten() -> None:
    package = ROOT / "polyad"
    folders = {str(path.parent.relative_to(package)) for path in package.rglob("*.py")} - {"."}
    assert folders == set(FOLDERS)


def test_every_module_says_what_it_is() -> None:
    silent = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "polyad").rglob("*.py")) if not summary(path)]
    assert not silent, f"they have no docstring: {silent}"
