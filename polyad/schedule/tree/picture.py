"""Schedule trees as pictures: a box a loop, in the order of execution from top to bottom, and column by column.

    column  of nests; as many columns as make the whole about a square
    box     header "share for b", then what the loop runs, one under the other
    line    a statement

The colour of a box says how its iterations run: on several threads, in vector lanes, as one product, backwards, or one
after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from xml.sax.saxutils import escape

import islpy as isl

from polyad.schedule.tree.draw import REVERSED, Forest, forest
from polyad.schedule.tree.nodes import Node

__all__ = ["picture"]

LINE, GLYPH, PAD, GAP = 17, 7.3, 8, 6  # pixels: of a line, of one of its letters, inside of a box, between two of them
_FONT = "font-family='ui-monospace,Menlo,Consolas,monospace' font-size='12'"
_COLOURS = {  # of whose words the first that a header has: (what the legend says, fill, edge)
    "contraction": ("one matrix product", "#e3f1e6", "#5b9a68"),
    REVERSED: ("backwards", "#fdebd9", "#d2833a"),
    "simd": ("vector lanes", "#efe6f8", "#8d68b8"),
    "share": ("threads", "#e2edfa", "#4a7fbd"),
    "parallel": ("threads", "#e2edfa", "#4a7fbd"),
    "parts": ("threads", "#e2edfa", "#4a7fbd"),
    "region": ("threads", "#e2edfa", "#4a7fbd"),
    **dict.fromkeys(("grid", "team", "threads", "block", "sum"), ("threads", "#e2edfa", "#4a7fbd")),  # of a GPU
    "lanes": ("vector lanes", "#efe6f8", "#8d68b8"),
    "": ("one after the other", "#f4f4f2", "#a3a39c"),
}


@dataclass(frozen=True, slots=True)
class _Item:
    """A loop, or a statement where nothing stands below; sizes in pixels."""

    text: str
    below: tuple[_Item, ...]
    width: float
    height: float


def picture(domain: isl.UnionSet, tree: Node) -> str:
    """The tree as SVG, which browsers and notebooks show."""
    nests = [_item(line, below) for line, below in forest(domain, tree)]
    parts: list[str] = []
    x, width, height = PAD, 0.0, 0.0
    for column in _columns(nests):
        y: float = PAD
        for nest in column:
            _draw(nest, x, y, max(n.width for n in column), parts)
            y += nest.height + GAP
        height = max(height, y)
        x += int(max((n.width for n in column), default=0)) + 2 * PAD
        width = x - PAD
    used = [kind for kind in _COLOURS if any(_has(nest, kind) for nest in nests)]
    legend = {_COLOURS[kind][0]: _COLOURS[kind] for kind in used}
    x = PAD
    for said, fill, edge in legend.values():
        parts.append(
            f"<rect x='{x}' y='{height + 2:.0f}' width='12' height='12' rx='3' fill='{fill}' stroke='{edge}'/>"
        )
        parts.append(_text(said, x + 17, height + 12))
        x += int(len(said) * GLYPH) + 34
    width, height = max(width, x), height + LINE + PAD
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width:.0f} {height:.0f}' width='{width:.0f}' {_FONT}>"
    )
    ground = f"<rect width='{width:.0f}' height='{height:.0f}' fill='#ffffff'/>"
    return "\n".join([head, ground, *parts, "</svg>"]) + "\n"


def _item(line: str, below: Forest) -> _Item:
    # Plain loops that are all that a plain loop or a product runs stand in its line.
    plain = line.startswith(("for ", "contraction ")) and not line.endswith(")")
    while plain and len(below) == 1 and below[0][1] and below[0][0].startswith("for ") and below[0][0][-1] != ")":
        line, below = f"{line} · {below[0][0].removeprefix('for ')}", below[0][1]
    inside = tuple(_item(*one) for one in below)
    width = max([len(line) * GLYPH, *(one.width for one in inside)]) + 2 * PAD
    if not inside:
        return _Item(line, (), width - 2 * PAD, LINE)
    return _Item(line, inside, width, LINE + sum(one.height + _space(one) for one in inside) + GAP)


def _space(item: _Item) -> int:
    """Pixels above an item."""
    return GAP if item.below else 0


def _columns(nests: list[_Item]) -> list[list[_Item]]:
    """Nests in reading order, in as many columns of about the same height as make the whole about a square."""
    choices = [_divided(nests, count) for count in range(1, len(nests) + 1)] or [[]]

    def away_from_square(columns: list[list[_Item]]) -> float:
        width = sum(max(nest.width for nest in column) for column in columns)
        height = max((_height(column) for column in columns), default=1)
        return max(width / height, height / width) if columns else 1

    return min(choices, key=away_from_square)


def _divided(nests: list[_Item], count: int) -> list[list[_Item]]:
    """Nests in `count` columns or fewer, each begun where the ones before have their part of the height."""
    columns: list[list[_Item]] = []
    above, whole = 0.0, _height(nests)
    for nest in nests:
        middle = above + nest.height / 2
        if not columns or middle > whole * len(columns) / count:
            columns.append([])
        columns[-1].append(nest)
        above += nest.height + GAP
    return columns


def _height(nests: list[_Item]) -> float:
    return sum(nest.height + GAP for nest in nests)


def _kind(item: _Item) -> str:
    words = item.text.replace("(", " ").replace(")", " ").replace(",", " ").split()
    return next(kind for kind in _COLOURS if not kind or kind in words)


def _has(item: _Item, kind: str) -> bool:
    return bool(item.below) and (_kind(item) == kind or any(_has(one, kind) for one in item.below))


def _draw(item: _Item, x: float, y: float, width: float, parts: list[str]) -> None:
    """Append the drawing of an item whose upper left corner is at (x, y)."""
    if item.below:
        _, fill, edge = _COLOURS[_kind(item)]
        parts.append(
            f"<rect x='{x:.0f}' y='{y:.0f}' width='{width:.0f}' height='{item.height:.0f}' rx='5'"
            f" fill='{fill}' stroke='{edge}'/>"
        )
        parts.append(_text(item.text, x + PAD, y + LINE - 4, edge))
        y += LINE
        for one in item.below:
            y += _space(one)
            _draw(one, x + PAD, y, width - 2 * PAD, parts)
            y += one.height
    else:
        parts.append(_text(item.text, x, y + LINE - 4))


def _text(text: str, x: float, y: float, fill: str = "#222222") -> str:
    return f"<text x='{x:.0f}' y='{y:.0f}' fill='{fill}'>{escape(text)}</text>"
