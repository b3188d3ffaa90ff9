"""Docstrings say things in plain order: none begins with What, Where, Who or Which."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def turned_around(text: str) -> list[str]:
    """The docstrings of a file that begin with a question word."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    return [doc.splitlines()[0] for doc in found if re.match(r"(What|Where|Who|Which)\b", doc)]


def test_docstrings_say_things_in_plain_order() -> None:
    folders = ("polyad", "polyad_c", "tests", "benchmarks", "examples")
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    found = {str(p.relative_to(ROOT)): turned_around(p.read_text(encoding="utf-8")) for p in paths}
    found = {name: docs for name, docs in found.items() if docs}
    assert not found, "say what it is or does: `Return ...`, `The place of ...`"


def test_such_a_docstring_is_noticed() -> None:
    text = 'class A:\n    """Where it is."""\n\n    def f(self):\n        """Whatever."""\n'
    assert turned_around(text) == ["Where it is."]
