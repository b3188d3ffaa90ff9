"""The runtime header without the functions that a kernel does not call.

A C compiler takes longer to read all of polyad_runtime.h than to compile the smallest kernels. What runs here is
therefore compiled with the part that its C needs; exported C comes with the whole header.

The property that must hold: what is left is closed. A function is left out only where nothing that stays names it, so
the C means what it meant; a name that were missed would be an error of the compiler or the linker, not another result.
Macros make names of parts in two places, `PA_ONCE` and `PA_DEFINE_SCANS`, both spelled out here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import lru_cache

from polyad.codegen.names import MATH

__all__ = ["called_functions"]

_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_FUNCTIONS = ("PA_INLINE ", "PA_MAYBE_UNUSED static ")
_REDUCTION = re.compile(r"PA_REDUCTION\((\w+),")
_SCANS = re.compile(r"PA_DEFINE_SCANS\((\w+), \w+, (\w+)\)")
_ONCE = re.compile(r"PA_ONCE\((\w+), \w+, (\w+)\)")

_Part = tuple[Set[str], str]

_MATH_HEADER = "#include <math.h>"
"""It takes as long to read as the rest together, so it stays only where one of its names is left."""


def called_functions(header: str, text: str) -> str:
    """The part of polyad_runtime.h that a C text needs.

    Args:
        header: the text of polyad_runtime.h.
        text: C that includes it.
    """
    lines, definitions, always = _divided(header)
    code = _COMMENT.sub("", text)
    words = {*_WORD.findall(code), *(f"pa_{op}_{suffix}" for op, suffix in _ONCE.findall(code)), *always}
    needed: set[str] = set()
    while new := (words & definitions.keys()) - needed:
        needed |= new
        words.update(word for name in new for body in definitions[name] for word in _WORD.findall(body))
    kept = [line for names, line in lines if not names or not needed.isdisjoint(names)]
    return "\n".join(line for line in kept if line != _MATH_HEADER or not words.isdisjoint(MATH)) + "\n"


@lru_cache(maxsize=4)
def _divided(header: str) -> tuple[Sequence[_Part], Mapping[str, Sequence[str]], Set[str]]:
    """The header in parts, without comments.

    Returns:
        The parts in their order: functions, macros that stand for functions, and single lines that define none of them;
        the parts that define a name; and the words of those that define none.
    """
    parts: list[_Part] = []
    inside: list[str] = []
    for line in _COMMENT.sub("", header).splitlines():
        if inside or line.startswith(_FUNCTIONS):
            inside.append(line)
            if line == "}" or (len(inside) == 1 and line.endswith("}")):
                parts.append((_defined(inside[0]), "\n".join(inside)))
                inside = []
        elif line.strip():
            parts.append((_defined(line), line))
    definitions: dict[str, list[str]] = {}
    for names, text in parts:
        for name in names:
            definitions.setdefault(name, []).append(text)
    always = _WORD.findall("\n".join(text for names, text in parts if not names and text != _MATH_HEADER))
    return parts, definitions, frozenset(always)


def _defined(line: str) -> Set[str]:
    """The names of the functions that a part defines, from its first line."""
    if line.startswith(_FUNCTIONS):
        name, _, _ = line.partition("(")
        return {name.split()[-1].lstrip("*")}
    if found := _REDUCTION.match(line):
        return {found[1]}
    if found := _SCANS.match(line):
        return {f"pa_scan_{kind}_{found[1]}_{found[2]}" for kind in ("affine", "decay", "sum", "prod")}
    return frozenset()
