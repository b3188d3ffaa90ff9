"""A function whose first statement stands on the line of its brace: the statement gets a line of its own.

    int count(int n, const int x[n]) { int c = 0;        #line 0
    #pragma scop                                         int count(int n, const int x[n]) {
                                                         int c = 0;
                                                         #pragma scop

Pragmas stand on lines between statements, so there has to be one (whole_function.py). The statement keeps the number of
its line; the lines of the prototype get the ones before.
"""

from __future__ import annotations

from polyad.pet.c_text.definitions import CText, Definition, Region, without_comments
from polyad.pet.c_text.edits import edited, line_starts

__all__ = ["open_body"]


def open_body(source: str, text: CText, definition: Definition, region: Region) -> str:
    """The text with a line end behind the brace of a function.

    Args:
        source: the file.
        text: what is in it.
        definition: the function.
        region: its loop nest.
    """
    start, plain = line_starts(source)[definition.first], without_comments(source)
    opening = plain.find("{", plain.find(")", start))
    end = plain.find("\n", opening)
    if opening < 0 or not plain[opening + 1 : end].strip():
        return source
    return edited(source, [(start, start, f"#line {definition.first - 1}\n"), (opening + 1, opening + 1, "\n")])
