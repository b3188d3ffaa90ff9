"""The ratios of a run as a picture: a row a case, a dot a number of threads, a tick where the aim is."""

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.table import Row

__all__ = ["draw"]

_MET, _MISSED, _NO_AIM = "#0072b2", "#d55e00", "#888888"  # told apart by those who do not see red and green as well
_MARKERS = {1: "o", 2: "D"}  # others get a square
_TICKS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


def draw(found: Sequence[Row], path: Path) -> None:
    """Draw the ratios that there are, in the order of the table, the same bytes for the same ratios.

    Args:
        found: rows of a run.
        path: an SVG file to write.
    """
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    about_calls = ("call_overhead", "compile_time")
    shown = [row for row in found if row.own.workload not in about_calls and (row.verdict or row.ratio is not None)]
    workloads = [(name, list(group)) for name, group in groupby(shown, key=lambda row: row.own.workload)]
    titles = [(name, title) for name, group in workloads for title in dict.fromkeys(row.own.case for row in group)]
    place = {title: n for n, title in enumerate(titles)}

    settings: Any = {"svg.hashsalt": "polyad", "svg.fonttype": "path", "font.size": 8, "font.family": "DejaVu Sans"}
    with mpl.rc_context(settings):
        figure, axes = plt.subplots(figsize=(8.5, 0.9 + 0.185 * len(titles)), layout="constrained")
        _frame(axes, shown, titles, [(name, len({r.own.case for r in group})) for name, group in workloads])
        for row in shown:
            _dot(axes, row, place[row.own.workload, row.own.case])
        _legend(axes, sorted({row.own.threads for row in shown}))
        figure.savefig(path, metadata={"Date": None})
        plt.close(figure)


def _frame(
    axes: Any, shown: Sequence[Row], titles: Sequence[tuple[str, str]], groups: Sequence[tuple[str, int]]
) -> None:
    """Axes, names, and a band behind every second workload."""
    values = [v for row in shown for v in (row.ratio, row.goal) if v]
    axes.set_xscale("log")
    axes.set_xlim(min([0.05, *values]) / 1.3, max([2.0, *values]) * 1.3)
    ticks = [t for t in _TICKS if axes.get_xlim()[0] <= t <= axes.get_xlim()[1]]
    axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
    axes.minorticks_off()
    axes.tick_params(axis="x", top=True, labeltop=True)
    axes.grid(axis="x", color="#dddddd", linewidth=0.6)
    axes.axvline(1, color="#333333", linewidth=1)
    axes.set_axisbelow(True)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    axes.set_yticks(range(len(titles)), [title for _, title in titles])
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("time of polyad / time of the best peer  (left of 1: polyad is faster)")
    axes.spines[["left", "right"]].set_visible(False)
    start = 0
    for n, (name, size) in enumerate(groups):
        if n % 2:
            axes.axhspan(start - 0.5, start + size - 0.5, color="#f2f2f2", zorder=0)
        axes.text(
            1.01, start + (size - 1) / 2, name.replace("_", " "), va="center", transform=axes.get_yaxis_transform()
        )
        start += size


def _dot(axes: Any, row: Row, y: int) -> None:
    """A ratio and its aim; dots of several numbers of threads stand a little apart."""
    at = y - 0.17 if row.own.threads == 1 else y + 0.17
    if row.ratio is None or row.verdict == "WRONG":
        axes.text(1.05, at, row.verdict, color=_MISSED, va="center", fontsize=6)
        return
    colour = {"met": _MET, "missed": _MISSED}.get(row.verdict, _NO_AIM)
    if row.goal is not None:
        axes.plot([row.goal] * 2, [at - 0.2, at + 0.2], color="black", linewidth=1.2, solid_capstyle="butt", zorder=3)
        axes.plot([row.goal, row.ratio], [at, at], color=colour, linewidth=1, alpha=0.5, zorder=2)
    axes.plot(row.ratio, at, _MARKERS.get(row.own.threads, "s"), color=colour, markersize=4, zorder=4)


def _legend(axes: Any, threads: Sequence[int]) -> None:
    from matplotlib.lines import Line2D

    def sign(marker: str, colour: str, label: str) -> Any:
        return Line2D([], [], linestyle="", marker=marker, color=colour, label=label, markersize=5)

    handles = [sign(_MARKERS.get(n, "s"), "#333333", f"{n} thread{'s' * (n > 1)}") for n in threads]
    handles += [sign("|", "black", "aim"), sign("o", _MET, "met"), sign("o", _MISSED, "missed")]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.035), ncols=len(handles), frameon=False)
