"""Files in `styles/` with extents that are products and sums of sizes, `switch`, names in use, and calls left out."""

from tests.pet.draws import between
from tests.pet.style import Style

__all__ = ["SIZE_CASES"]

SIZE_CASES = (
    Style(
        "thomas",
        {"n": 5},
        ("u",),
        ("a", "b", "c", "r"),
        edges=({"n": 1}, {"n": 2}),
        draw={"b": between(3.0, 4.0)},
        function="thomas",
    ),
    Style(
        "leading",
        {"m": 2, "n": 3, "k": 4, "lda": 5, "ldb": 3, "ldc": 4},
        ("C",),
        ("A", "B", "C", "alpha"),
        edges=({"m": 1, "n": 1, "k": 1, "lda": 1, "ldb": 1, "ldc": 1}, {"m": 0, "n": 2, "k": 1, "ldb": 2, "ldc": 2}),
    ),
    Style(
        "channels",
        {"batch": 2, "c": 3, "h": 2, "w": 4},
        ("mean", "total"),
        ("x",),
        edges=({"batch": 1, "c": 1, "h": 1, "w": 1}, {"batch": 0, "c": 2, "h": 1, "w": 3}),
    ),
    Style(
        "ghosts",
        {"N": 3, "b": 1},
        ("x",),
        ("x", "x0", "a"),
        edges=({"N": 1, "b": 2}, {"N": 0, "b": 0}),
        function="ghosts",
    ),
    Style("all_cells", {"N": 2, "M": 3}, ("x",), ("x", "s", "dt"), edges=({"N": 0, "M": 0}, {"N": 1, "M": 4})),
    Style(
        "interleaved",
        {"nx": 2, "ny": 3, "rows": 3},
        ("out", "back"),
        ("x", "y"),
        edges=({"nx": 1, "ny": 1, "rows": 1}, {"nx": 0, "ny": 2, "rows": 2}, {"nx": 3, "ny": 0, "rows": 2}),
    ),
    Style(
        "box", {"nx": 2, "ny": 3, "nz": 4}, ("u",), ("u", "f"), edges=({"nx": 1, "ny": 1, "nz": 1}, {"nx": 2, "ny": 0})
    ),
    Style(
        "kinds",
        {"n": 7, "kind": 1},
        ("y",),
        ("x",),
        edges=tuple({"n": n, "kind": kind} for n, kind in ((7, 0), (6, 2), (5, 3), (4, 4), (0, 1))),
        exact=False,
        function="kinds",
    ),
    Style(
        "two_passes",
        {"B": 2, "C": 3, "D": 4},
        ("dx", "dw", "most"),
        ("dy", "x", "w"),
        edges=({"B": 1, "C": 1, "D": 1}, {"B": 2, "C": 0, "D": 2}),
    ),
    Style("averages", {"n": 5}, ("mean", "variance"), ("data",), edges=({"n": 2}, {"n": 3})),
)
