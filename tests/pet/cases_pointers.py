"""Files in `styles/` with pointers, sizes and functions as others have them: without pragmas, but for promises."""

from tests.pet.draws import between, diagonally_dominant, indices
from tests.pet.style import Style

__all__ = ["POINTER_CASES"]

POINTER_CASES = (
    Style(
        "matmul_rows",
        {"n": 3, "m": 4, "k": 5},
        ("c",),
        ("a", "b"),
        edges=({"n": 0, "m": 1, "k": 1}, {"n": 2, "m": 0, "k": 3}),
    ),
    Style("lu_rows", {"n": 4}, ("a",), ("a",), edges=({"n": 0}, {"n": 1}), draw={"a": diagonally_dominant}),
    Style("from_one", {"n": 4}, ("b",), ("a", "x"), edges=({"n": 0}, {"n": 1})),
    Style("planes", {"p": 2, "n": 3, "m": 4}, ("returned",), ("v",), edges=({"p": 1, "n": 1, "m": 1},)),
    Style("list_of_rows", {"n": 3, "m": 4}, ("rows", "mean"), ("rows",), edges=({"n": 1, "m": 2}, {"n": 2, "m": 0})),
    Style("smooth_rows", {"steps": 3, "n": 5}, ("u",), ("u",), edges=({"steps": 0, "n": 4}, {"steps": 1, "n": 3})),
    Style("row_walk", {"n": 3, "m": 4}, ("y",), ("a",), edges=({"n": 0, "m": 1}, {"n": 1, "m": 0})),
    Style("offset_pointer", {"n": 4}, ("y",), ("a",), edges=({"n": 0}, {"n": 1})),
    Style("inner_pointer", {"n": 3, "m": 4}, ("y",), ("a",), edges=({"n": 0, "m": 3}, {"n": 2, "m": 2})),
    Style("two_ways", {"n": 5}, ("returned",), ("x", "y"), edges=({"n": 1},)),
    Style("next_row", {"n": 3, "m": 4}, ("y",), ("A", "x"), edges=({"n": 0, "m": 2}, {"n": 2, "m": 1})),
    Style("pointer_loop", {"n": 5}, ("returned",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("up_to_end", {"n": 5}, ("returned",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("moved_parameters", {"n": 3, "m": 4}, ("y",), ("x",), edges=({"n": 0, "m": 2}, {"n": 2, "m": 1})),
    Style("two_halves", {"n": 4}, ("x",), ("x", "y"), edges=({"n": 0}, {"n": 1})),
    Style("copy_on", {"n": 5}, ("dst",), ("src",), edges=({"n": 0}, {"n": 1})),
    Style("pair_steps", {"n": 6}, ("y",), ("x", "y"), edges=({"n": 3}, {"n": 5})),
    Style("running_index", {"n": 3, "m": 4}, ("y", "z"), ("x",), edges=({"n": 0, "m": 2}, {"n": 2, "m": 1})),
    Style(
        "cross_entropy",
        {"B": 2, "T": 3, "V": 4},
        ("losses",),
        ("probs",),
        edges=({"B": 1, "T": 1, "V": 1}, {"B": 0, "T": 2, "V": 3}),
        draw={"probs": between(0.2, 1.0), "targets": indices("V")},
        exact=False,
    ),
    Style(
        "looked_up",
        {"n": 5, "m": 3},
        ("y",),
        ("table", "wide"),
        edges=({"n": 0, "m": 1}, {"n": 1, "m": 1}),
        draw={"idx": indices("m")},
    ),
    Style("strip", {"n": 3, "m": 2, "ld": 4}, ("y",), ("x",), edges=({"n": 2, "m": 3, "ld": 3},)),
    Style("optional_bias", {"n": 3, "m": 4}, ("y", "sum"), ("x", "w", "bias"), edges=({"n": 1, "m": 0},)),
    Style("absent_bias", {"n": 3, "m": 4}, ("y",), ("x", "w"), edges=({"n": 1, "m": 1},), absent=("bias", "sum")),
    Style("own_buffers", {"n": 4}, ("total",), ("x",), edges=({"n": 1},), function="own_buffers"),
    Style("one_line", {}, ("returned",), ("a", "b"), draw={"b": between(0.5, 1.5)}),
    Style("straight", {}, ("r", "phi"), ("p",)),
    Style("log_sum", {"n": 5}, ("returned",), ("x",), edges=({"n": 1}, {"n": 4}), exact=False),
    Style("brace_line", {"n": 4}, ("y",), ("x",), edges=({"n": 0},), function="brace_line"),
    Style("either_way", {"n": 4, "flip": 1}, ("y",), ("x",), edges=({"n": 3, "flip": 0}, {"n": 0, "flip": 1})),
    Style(
        "heads",
        {"B": 2, "T": 3, "C": 6, "NH": 3},
        ("out",),
        ("inp",),
        edges=({"B": 1, "T": 2, "C": 4, "NH": 1}, {"B": 1, "T": 1, "C": 2, "NH": 2}),
        exact=False,
    ),
    Style(
        "group_norm",
        {"G": 2, "C": 6, "m": 3},
        ("y", "mean"),
        ("x",),
        edges=({"G": 3, "C": 3, "m": 1}, {"G": 1, "C": 2, "m": 2}),
    ),
)
