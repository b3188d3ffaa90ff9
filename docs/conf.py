"""Sphinx settings. Build with: sphinx-build -W --keep-going -b html docs docs/_build/html."""

import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs")]

project = "polyad"
author = "The polyad developers"
project_copyright = "The polyad developers"
release = re.findall(r'__version__ = "(.+)"', (ROOT / "polyad" / "_version.py").read_text(encoding="utf-8"))[0]
version = release

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "mathml"]
html_math_renderer = "mathml"
exclude_patterns = ["_build"]

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"polyad {release}"
html_show_sphinx = False
html_static_path = ["_static"]
html_css_files = ["equations.css"]

# `name` in a docstring is code, as it is in the Markdown pages.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # attributes of a dataclass are described once, in its class
python_use_unqualified_type_names = True


def plain_text(app: object, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Let bars and stars of docstrings be what they are in `help()`: |x| is a value, *args an argument."""
    for i, line in enumerate(lines):
        parts = line.split("`")
        parts[::2] = [re.sub(r"([|*])", r"\\\1", part) for part in parts[::2]]
        lines[i] = "`".join(parts)


def setup(app: Any) -> None:
    app.connect("autodoc-process-docstring", plain_text, priority=100)  # before napoleon writes markup of its own
