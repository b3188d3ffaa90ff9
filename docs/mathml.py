"""Equations as MathML, which browsers show by themselves: no script, no network, and readers of screens read them.

Sphinx's own way is MathJax from a server, without which a page shows TeX. See decision 22.
"""

import re
from html import escape
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert

_TAG = re.compile(r"\\tag\{(\w+)\}")
# What the converter spells otherwise, or not at all.
_SPELLINGS = (
    (r"\\operatorname\*?\{", r"\\mathrm{"),
    (r"\\dfrac", r"\\frac"),
    (r"\\tfrac", r"\\frac"),
    (r"\\mathrel\{(.)\}", r"\1"),
    (r"\\(begin|end)\{aligned\}", r"\\\1{align*}"),
    (r"\\lceil", "⌈"),
    (r"\\rceil", "⌉"),
)
_PLUS_EQUAL = "<mo>&#x0002B;</mo><mo>&#x0003D;</mo>"
"""One sign in two, which browsers would set apart."""


def mathml(tex: str, display: str) -> str:
    """The element of an equation; its TeX is the title, and its tag stands beside it."""
    number = _TAG.search(tex)
    plain = _TAG.sub("", tex).strip()
    for pattern, other in _SPELLINGS:
        plain = re.sub(pattern, other, plain)
    tag = f'<span class="eqno">({escape(number[1])})</span>' if number else ""
    return tag + convert(plain, display=display).replace(_PLUS_EQUAL, "<mo>+=</mo>")


def inline(self: Any, node: nodes.math) -> None:
    """An equation in the text."""
    self.body.append(mathml(node.astext(), "inline"))
    raise nodes.SkipNode


def block(self: Any, node: nodes.math_block) -> None:
    """An equation on lines of its own."""
    self.body.append(f'<div class="math notranslate">{mathml(node.astext(), "block")}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
