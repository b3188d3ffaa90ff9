"""The classes of programs, one a file: each has `draw(name) -> Program`, decided by the name alone."""

from collections.abc import Callable

from tests.campaign.classes import (
    cells,
    contractions,
    controls,
    elementwise,
    functions,
    gathers,
    grids,
    images,
    integers,
    joins,
    layers,
    moves,
    odd,
    points,
    prefixes,
    recurrences,
    scans,
    written,
)
from tests.campaign.program import Program

__all__ = ["CLASSES"]

CLASSES: dict[str, Callable[[str], Program]] = {
    "scans": scans.draw,
    "recurrences": recurrences.draw,
    "elementwise": elementwise.draw,
    "contractions": contractions.draw,
    "grids": grids.draw,
    "gathers": gathers.draw,
    "points": points.draw,
    "prefixes": prefixes.draw,
    "cells": cells.draw,
    "joins": joins.draw,
    "images": images.draw,
    "integers": integers.draw,
    "written": written.draw,
    "functions": functions.draw,
    "odd": odd.draw,
    "moves": moves.draw,
    "layers": layers.draw,
    "controls": controls.draw,
}
