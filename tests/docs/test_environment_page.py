"""The page of environment variables has all that the code asks for, and polyad's own are on no page alone."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "guide" / "environment.md").read_text(encoding="utf-8")
NOT_OURS = {"PATH", "HOME"}


def asked() -> set[str]:
    """The names in `os.environ.get("NAME")`, in variables given to it and in lists of such names."""
    found: set[str] = set()
    for path in (ROOT / "polyad").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if "os.environ" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                if re.fullmatch(r"POLYAD_[A-Z_]+", node.value):
                    found.add(node.value)
            elif isinstance(node, ast.Call) and ast.unparse(node.func) == "os.environ.get":
                found |= {
                    c.value for c in ast.walk(node) if isinstance(c, ast.Constant) and c.value and c.value.isupper()
                }
            elif isinstance(node, ast.comprehension | ast.For) and isinstance(node.iter, ast.Tuple):
                found |= {
                    e.value
                    for e in node.iter.elts
                    if isinstance(e, ast.Constant) and isinstance(e.value, str) and re.fullmatch("[A-Z_]+", e.value)
                }
    return found


def test_every_variable_is_on_the_page() -> None:
    names = asked()
    assert {"POLYAD_CACHE_DIR", "POLYAD_COMPILE_TIMEOUT", "CC", "AR", "LIBRARY_PATH", "OMP_NUM_THREADS"} <= names
    missing = {name for name in names - NOT_OURS if f"`{name}`" not in PAGE}
    assert not missing


def test_no_other_is_on_it() -> None:
    ours = set(re.findall(r"`(POLYAD_\w+)`", PAGE))
    assert ours == {name for name in asked() if name.startswith("POLYAD_")}
