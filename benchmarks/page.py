"""A run as a page of the documentation: the machine, how it was measured, the table, a plot."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.plot import draw
from benchmarks.record import Run
from benchmarks.table import Row, memory_text, rows, time_text
from benchmarks.worker import find
from benchmarks.workloads import WORKLOADS

__all__ = ["NOTES_END", "NOTES_START", "kept_notes", "merged", "page_text", "write_page"]

NOTES_START, NOTES_END = "<!-- notes -->", "<!-- end of notes -->"
"""What people write between these lines of the page stays when it is written again."""

_HEAD = """\
# Performance

What polyad's kernels take, divided by what the fastest of its peers takes for the same work: **below 1, polyad is
faster**. Each case is a value with its gradient. The ticks are aims: a dot is to lie on its tick or left of it.

```{{image}} {plot}
:alt: "Time of polyad / time of the best peer, case by case, on a logarithmic scale, with the aims as ticks"
:width: 100%
```

{summary}

{notes}

## How it was measured

| | |
|---|---|
{machine}

`python -m benchmarks --threads {threads}` runs the definitions in `benchmarks/workloads/`, a file each, written as
users would write them. Each contender has a process of its own, on as many cores as it may have threads. They take
turns, round after round, and the numbers are medians over all rounds. Before anything is timed, results are compared
with those of a peer in double precision: they may be apart by 1e-3 of the largest element in single precision and by
1e-8 in double. Peers run in their best form: modules of `torch.nn`, `torch.compile`, JAX scans from which everything
is hoisted that can be, channels last; the fastest of them counts. All of them know the sizes when they compile.
polyad is given arrays to fill, the others make theirs.
"""

_MEMORY = """
## Compile time and memory

From Python to a kernel that can be called, with nothing kept from earlier runs, the C compiler included; the scratch
memory of a call; and by how much the best peer's process grows during a call, results included. One thread.

| workload | case | compile | workspace | best peer |
|---|---|--:|--:|--:|
"""


def write_page(runs: Sequence[Run], page: Path) -> None:
    """Write the page, and the plot next to it."""
    plot = page.with_suffix(".svg")
    draw(merged(runs), plot)
    page.write_text(page_text(runs, plot.name, kept_notes(page)))


def merged(runs: Sequence[Run]) -> list[Row]:
    """The rows of several runs; where more than one holds a case, the last one counts."""
    found = {(row.own.workload, row.own.case, row.own.threads): row for run in runs for row in rows(run.measured)}
    order = {name: n for n, name in enumerate(WORKLOADS)}
    return sorted(found.values(), key=lambda row: order[row.own.workload])


def kept_notes(page: Path) -> str:
    """The notes of the page that is there, with the lines around them."""
    text = page.read_text() if page.exists() else ""
    if NOTES_START not in text or NOTES_END not in text:
        return f"{NOTES_START}\n{NOTES_END}"
    return text[text.index(NOTES_START) : text.index(NOTES_END) + len(NOTES_END)]


def page_text(runs: Sequence[Run], plot: str, notes: str) -> str:
    """The text of the page.

    Args:
        runs: see `merged`; the last one says which machine it was.
        plot: the file name of the plot.
        notes: what `kept_notes` returns.
    """
    found = merged(runs)
    threads = sorted({row.own.threads for row in found})
    text = _HEAD.format(
        plot=plot,
        summary=_summary(found),
        notes=notes,
        machine="\n".join(f"| {what} | {value} |" for what, value in runs[-1].machine.items()),
        threads=",".join(map(str, threads)),
    )
    for n in threads:
        text += f"\n## {n} thread{'s' * (n > 1)}\n\n"
        text += "| workload | case | polyad | best peer | | ratio | at most | |\n|---|---|--:|--:|---|--:|--:|---|\n"
        text += "".join(_time_line(row) for row in found if row.own.threads == n)
    text += _MEMORY + "".join(_memory_line(row) for row in found if row.own.threads == threads[0])
    text += "\n## The workloads\n\n| | |\n|---|---|\n"
    return text + "".join(
        f"| {_words(name)} | {find(name).about} |\n" for name in dict.fromkeys(r.own.workload for r in found)
    )


def _summary(found: Iterable[Row]) -> str:
    """How many aims are met, and where polyad is not ahead."""
    verdicts = [row.verdict for row in found]
    aims = [v for v in verdicts if v]
    text = f"{aims.count('met')} of {len(aims)} aims are met."
    if failed := aims.count("failed") + aims.count("WRONG"):
        text += f" {failed} have no result."
    return text


def _time_line(row: Row) -> str:
    own, best = row.own, row.best
    cells = [
        _words(own.workload),
        own.case,
        "-" if own.error else time_text(own.median),
        time_text(best.median) if best else "-",
        best.contender if best else "",
        "-" if row.ratio is None else f"**{row.ratio:.2f}**",
        "" if row.goal is None else f"{row.goal:.2f}",
        row.verdict,
    ]
    return f"| {' | '.join(cells)} |\n"


def _memory_line(row: Row) -> str:
    own, best = row.own, row.best
    cells = [
        _words(own.workload),
        own.case,
        "-" if own.error else f"{own.compile_seconds:.1f} s",
        memory_text(own.workspace_bytes),
        memory_text(best.grown_bytes) if best else "-",
    ]
    return f"| {' | '.join(cells)} |\n"


def _words(name: str) -> str:
    return name.replace("_", " ")
