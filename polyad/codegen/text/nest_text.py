"""Loops that are several loops in C: sums in parts, and prefix scans."""

from __future__ import annotations

from polyad.codegen.loops.nodes import Parts, PrefixScan
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.codegen.text.parts_text import parts_lines
from polyad.codegen.text.prefix_text import prefix_lines

__all__ = ["nest_lines"]


def nest_lines(node: Parts | PrefixScan, printer: LoopText) -> Lines:
    """The lines of such a loop."""
    match node:
        case Parts():
            return parts_lines(node, printer)
        case PrefixScan():
            return prefix_lines(node, printer)
