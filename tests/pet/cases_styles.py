"""The table of files in `styles/`."""

from tests.pet.cases_pointers import POINTER_CASES
from tests.pet.cases_sizes import SIZE_CASES
from tests.pet.cases_statements import STATEMENT_CASES
from tests.pet.draws import between, diagonally_dominant, indices, indices_or_none, integers, scaled
from tests.pet.style import Style

__all__ = ["STYLE_CASES"]

STYLE_CASES = (
    Style("gemm", {}, ("C",), ("alpha", "beta", "A", "B", "C")),
    Style("correlation", {}, ("corr",), ("data", "float_n")),
    Style("gru", {}, ("loss",), ("Wz", "Uz", "Wr", "Ur", "Wn", "Un", "x"), exact=False),
    Style(
        "soft_dtw",
        {"n": 4, "m": 5},
        ("cost",),
        ("x", "y"),
        edges=({"n": 1, "m": 1}, {"n": 0, "m": 2}, {"n": 0, "m": 0}),
        draw={"gamma": between(0.5, 1.5)},
        exact=False,
    ),
    Style("pipeline", {}, ("out",), ("img",)),
    Style("fir", {"n": 12}, ("y",), ("x",)),
    Style("biquad", {"n": 8}, ("y",), ("x", "b", "a"), edges=({"n": 0}, {"n": 1}), draw={"a": scaled(0.2)}),
    Style("dot", {"n": 7}, ("returned",), ("x", "y"), edges=({"n": 0}, {"n": 1})),
    Style("rms", {"n": 7}, ("returned",), ("x",), edges=({"n": 1},)),
    Style("simpson", {}, ("returned",), ("p", "a", "b")),
    Style("horner", {"n": 5}, ("y", "dy"), ("c", "x"), edges=({"n": 1},)),
    Style("wave", {"T": 5, "n": 7}, ("u",), ("u", "c2"), edges=({"T": 0, "n": 3}, {"T": 1, "n": 3}, {"T": 2, "n": 3})),
    Style(
        "viterbi",
        {"T": 4, "S": 3},
        ("best",),
        ("logA", "logB", "logpi"),
        edges=({"T": 1, "S": 1}, {"T": 1, "S": 2}),
        draw={"obs": integers(2)},
    ),
    Style("act", {"n": 6}, ("y",), ("x", "slope"), edges=({"n": 0}, {"n": 1})),
    Style("huber", {"n": 7}, ("loss",), ("p", "d"), edges=({"n": 0}, {"n": 1}), draw={"d": between(0.5, 1.5)}),
    Style("decay", {"n": 6}, ("y",), ("y", "r"), edges=({"n": 0}, {"n": 1})),
    Style(
        "softmax_ce",
        {"n": 4, "k": 3},
        ("loss",),
        ("z",),
        edges=({"n": 0, "k": 1}, {"n": 1, "k": 1}),
        draw={"lab": indices("k")},
        exact=False,
    ),
    Style(
        "pendulum",
        {"steps": 6},
        ("theta", "omega"),
        ("theta", "omega", "g"),
        edges=({"steps": 0}, {"steps": 1}),
        exact=False,
    ),
    Style(
        "fit", {"n": 6, "iters": 4}, ("returned",), ("x", "y", "lr"), edges=({"n": 1, "iters": 0}, {"n": 2, "iters": 1})
    ),
    Style("trapz", {"n": 6}, ("returned",), ("x", "y"), edges=({"n": 1},)),
    Style("scale", {}, ("y",), ("x",)),
    Style("meanvar", {"n": 5}, ("mean", "var"), ("x",), edges=({"n": 1},)),
    Style("smooth", {"n": 7}, ("y",), ("x",), edges=({"n": 3},)),
    Style("axpy", {"n": 5}, ("y",), ("a", "x", "y"), edges=({"n": 0}, {"n": 1})),
    Style("rnn", {}, ("returned",), ("Wx", "Wh", "b", "x"), exact=False),
    Style("gate", {"n": 6}, ("y",), ("x",), edges=({"n": 0}, {"n": 1}), exact=False),
    Style("fwd", {"n": 5}, ("x",), ("L", "b"), edges=({"n": 0}, {"n": 1}), draw={"L": diagonally_dominant}),
    Style(
        "back_substitution",
        {"n": 6},
        ("y",),
        ("L", "y"),
        edges=({"n": 0}, {"n": 1}, {"n": 2}, {"n": 3}),
        draw={"L": diagonally_dominant},
    ),
    Style(
        "stencil_unsigned",
        {"n": 6, "m": 5},
        ("y",),
        ("x",),
        edges=({"n": 3, "m": 3}, {"n": 2, "m": 3}, {"n": 1, "m": 1}),
    ),
    Style("count_down", {"n": 7}, ("y",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("local_lists", {"n": 5}, ("y",), ("x", "y"), edges=({"n": 2}, {"n": 3})),
    Style("logarithms", {}, ("y",), ("x",), draw={"x": between(0.5, 1.5)}, exact=False),
    Style("logistic", {"n": 7}, ("y", "s"), ("x", "w"), edges=({"n": 0}, {"n": 1}), exact=False),
    Style("early_ends", {"n": 4}, ("returned",), ("x",), edges=({"n": 0}, {"n": 1})),
    Style("status", {"n": 4}, ("y", "s"), ("x",), edges=({"n": 1},)),
    Style("mixed_widths", {"n": 9}, ("s", "q"), ("x", "y"), edges=({"n": 0}, {"n": 1})),
    Style("borders", {"n": 5}, ("y", "z"), ("x", "w"), edges=({"n": 0}, {"n": 1}, {"n": 2})),
    Style("best_sum", {"n": 6}, ("returned",), ("x",), edges=({"n": 1}, {"n": 2})),
    Style("tiny_softmax", {}, ("loss",), ("W", "b"), exact=False),
    Style("delay_line", {"n": 8}, ("y",), ("x", "h"), edges=({"n": 3}, {"n": 4})),
    Style(
        "strided",
        {"c": 2, "h": 6, "w": 5},
        ("out", "small"),
        ("in", "k"),
        edges=({"c": 1, "h": 3, "w": 0}, {"c": 0, "h": 4, "w": 1}),
    ),
    Style(
        "rows",
        {"B": 2, "T": 2, "C": 3, "D": 2},
        ("out", "mean", "z"),
        ("inp", "gain", "wte", "weight"),
        edges=({"B": 1, "T": 1, "C": 1, "D": 0}, {"B": 0, "T": 2, "C": 2, "D": 1}),
        draw={"tok": integers(4)},
    ),
    Style(
        "banded", {"n": 5, "m": 4, "band": 2}, ("y",), ("x", "A"), edges=({"n": 1, "m": 1, "band": 0}, {"n": 2, "m": 0})
    ),
    Style("extremes", {"n": 7}, ("hi", "lo", "y"), ("x", "alpha"), edges=({"n": 1}, {"n": 2})),
    Style(
        "clamped", {"h": 4, "w": 5}, ("dst",), ("src",), edges=({"h": 2, "w": 2}, {"h": 3, "w": 2}, {"h": 0, "w": 0})
    ),
    Style(
        "padded",
        {"n": 7, "m": 3},
        ("s", "y", "z"),
        ("w", "x"),
        edges=({"n": 0, "m": 1}, {"n": 2, "m": 1}, {"n": 0, "m": 0}),
        draw={"p": indices_or_none("m")},
    ),
    Style("counter", {"n": 6}, ("y", "last"), ("x",), edges=({"n": 0}, {"n": 1})),
    *STATEMENT_CASES,
    *POINTER_CASES,
    *SIZE_CASES,
)
