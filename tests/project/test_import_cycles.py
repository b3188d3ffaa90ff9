"""No module imports itself through others, not even for type checkers: files can be read in the order of imports."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyad.semantics.cycles import cyclic_components

ROOT = Path(__file__).resolve().parents[2]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, modules: set[str]) -> Iterator[str]:
    """The modules of polyad that a file imports where it is imported itself, or under TYPE_CHECKING."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module and id(node) not in inside:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules else node.module


def cycles(paths: list[Path]) -> list[list[str]]:
    """The groups of modules that import each other."""
    named = {module_name(path): path for path in paths}
    # `polyad` itself exports from everywhere; who needs the version imports polyad._version.
    names = sorted(set(named) - {"polyad"})
    edges = [(name, other) for name in names for other in imported(named[name], set(named)) if other in set(names)]
    return cyclic_components(names, edges)


def test_no_module_imports_itself_through_others() -> None:
    found = cycles(sorted((ROOT / "polyad").rglob("*.py")))
    assert found == []


def test_a_cycle_of_types_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.project.test_import_cycles.ROOT", tmp_path)
    (tmp_path / "polyad").mkdir()
    texts = {
        "a.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from polyad.b import B\n",
        "b.py": "from polyad import c\n",
        "c.py": "from polyad.a import A\n",
        "d.py": "def f():\n    from polyad.e import E  # later\n",
        "e.py": "import polyad.d\nfrom polyad.d import f\n",
    }
    for name, text in texts.items():
        (tmp_path / "polyad" / name).write_text(text)
    assert cycles(sorted(tmp_path.rglob("*.py"))) == [["polyad.a", "polyad.b", "polyad.c"]]
