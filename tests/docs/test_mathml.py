"""Every equation of the pages becomes MathML: no network, no script, nothing left as TeX."""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
DISPLAYED = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
INLINE = re.compile(r"(?<![\w$\\])\$([^$\n]+?)\$(?![\w$])")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)

CHILDREN = {"mfrac": 2, "msub": 2, "msup": 2, "mover": 2, "munder": 2, "msubsup": 3, "munderover": 3}


def equations() -> list[str]:
    found = []
    for path in sorted((ROOT / "docs").rglob("*.md")):
        text = CODE.sub("", path.read_text(encoding="utf-8"))
        found += DISPLAYED.findall(text)
        found += INLINE.findall(DISPLAYED.sub("", text))
    return found


def test_every_equation_is_converted() -> None:
    pytest.importorskip("latex2mathml")
    mathml = runpy.run_path(str(ROOT / "docs" / "mathml.py"))["mathml"]
    assert len(equations()) > 30
    for tex in equations():
        made = mathml(tex, "block")
        assert "<math" in made and "\\" not in made, tex
        for element in ElementTree.fromstring(f"<div>{made}</div>").iter():  # browsers show what is no MathML somehow
            name = element.tag.rpartition("}")[2]
            assert name not in ("mi", "mo", "mn", "mtext") or not len(element), f"{name} with elements inside: {tex}"
            assert name not in ("mo", "mn") or element.text, f"{name} without text: {tex}"
            assert "&" not in (element.text or ""), f"columns are no table: {tex}"
            assert len(element) == CHILDREN.get(name, len(element)), f"{name}: {tex}"


def test_pages_ask_no_server() -> None:
    conf = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    assert "mathjax" not in conf and 'html_math_renderer = "mathml"' in conf


def test_plus_equal_is_one_sign() -> None:
    pytest.importorskip("latex2mathml")
    mathml = runpy.run_path(str(ROOT / "docs" / "mathml.py"))["mathml"]
    assert "<mo>+=</mo>" in mathml(r"a \mathrel{+}= b", "block")
