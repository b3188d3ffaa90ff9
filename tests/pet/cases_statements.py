"""The files in `styles/` about statements and types: side effects, loops of all kinds, small integers."""

from tests.pet.draws import between, integers
from tests.pet.style import Style

__all__ = ["STATEMENT_CASES"]

STATEMENT_CASES = (
    Style("packed_rows", {"n": 3, "m": 4}, ("flat",), ("a",), edges=({"n": 0, "m": 1}, {"n": 1, "m": 1})),
    Style("first_above", {"n": 6}, ("returned",), ("x", "limit"), edges=({"n": 0}, {"n": 1}, {"n": 2})),
    Style("newton_root", {}, ("returned",), ("a",), draw={"a": between(2.0, 3.0), "tol": between(1e-7, 1e-6)}),
    Style("down_to_zero", {"n": 5}, ("y",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style(
        "converged",
        {"n": 4, "most": 6},
        ("returned",),
        ("b",),
        edges=({"n": 0, "most": 3}, {"n": 2, "most": 0}, {"n": 1, "most": 30}),
        draw={"tol": between(1e-4, 1e-3)},
        exact=False,
    ),
    Style("both_ends", {"n": 7}, ("returned",), ("x",), edges=({"n": 0}, {"n": 1}, {"n": 2}, {"n": 6})),
    Style("running", {"n": 6}, ("returned", "y"), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("interleave", {"n": 5}, ("out",), ("re", "im"), edges=({"n": 1},)),
    Style("forever", {"n": 8}, ("returned",), ("w",), edges=({"n": 0}, {"n": 1}, {"n": 20})),
    Style(
        "ascent",
        {"n": 4, "m": 3},
        ("found",),
        ("a",),
        edges=({"n": 0, "m": 2}, {"n": 2, "m": 5}, {"n": 1, "m": 1}),
        draw={"limit": between(3.0, 3.5)},
    ),
    Style("steps_of_two", {"n": 7}, ("y",), ("x",), edges=({"n": 0}, {"n": 1}, {"n": 2}, {"n": 6})),
    Style(
        "bisection",
        {},
        ("returned",),
        ("c", "lo", "hi"),
        draw={"lo": between(0.0, 0.2), "hi": between(2.0, 2.4), "c": between(1.0, 2.0)},
    ),
    Style("chain", {"n": 5}, ("y", "z"), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("size_down", {"n": 5}, ("returned",), ("c", "x"), edges=({"n": 0}, {"n": 1})),
    Style("upper_part", {"n": 5}, ("band",), ("a",), edges=({"n": 1}, {"n": 2})),
    Style("clipped_walk", {"n": 8}, ("returned",), ("step", "wall"), edges=({"n": 0}, {"n": 1}, {"n": 2})),
    Style("helper_stops", {"n": 4}, ("y",), ("x",), edges=({"n": 0},)),
    Style("chosen", {"n": 5}, ("y",), ("x",), edges=({"n": 0}, {"n": 1}, {"n": 2})),
    Style("pixels", {"n": 7}, ("shown",), ("gain",), edges=({"n": 3},), draw={"img": integers(256), "w": integers(3)}),
    Style(
        "labelled",
        {"n": 6},
        ("returned",),
        ("p",),
        edges=({"n": 0}, {"n": 1}),
        draw={"label": integers(2), "weight": integers(9)},
    ),
    Style("masks", {"n": 7}, ("y",), ("x",), edges=({"n": 1}, {"n": 3}), draw={"p": integers(99)}),
    Style("root_of_each", {"n": 3}, ("y",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("rows_until", {"n": 4, "m": 3}, ("y",), ("a",), edges=({"n": 0, "m": 1}, {"n": 2, "m": 0}, {"n": 1, "m": 4})),
    Style("skipped", {"n": 6}, ("returned",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("last_place", {"n": 6}, ("returned",), ("x",), edges=({"n": 0}, {"n": 1}), draw={"limit": between(2.0, 3.0)}),
    Style("backwards", {"n": 5}, ("y",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("leap_frog", {"steps": 5}, ("x", "v"), ("x", "v", "h"), edges=({"steps": 0}, {"steps": 1})),
    Style("sorted_in", {"n": 5}, ("returned",), ("grid", "f", "at"), edges=({"n": 1}, {"n": 2})),
    Style("pairs", {"n": 5}, ("sum", "prod"), ("x",), edges=({"n": 0}, {"n": 1}, {"n": 2})),
    Style("powers", {"n": 3, "deg": 4}, ("v",), ("x",), edges=({"n": 0, "deg": 1}, {"n": 1, "deg": 1})),
)
