"""The cases of a test that are quick: the first few of those that take long, none of one that takes longer still.

`tests/quick_cases.txt` has a line for each test whose cases take more CPU time together than `TOGETHER`, with the
number of them that are quick; all others are slow, and run in CI. To measure anew, and write the file:

    CPU_SECONDS=seconds.jsonl python -m pytest -p tests.quick_cases
    python -m tests.quick_cases seconds.jsonl

What compilers and other programs take that a test starts counts. A new test is quick until somebody measures.
"""

import json
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

__all__ = ["quick_cases"]

FILE = Path(__file__).with_suffix(".txt")
TOGETHER = 0.6  # seconds of a processor that the quick cases of a test take
ALONE = 1.0  # a single case that takes longer is slow


@cache
def quick_cases() -> dict[str, int]:
    """Test -> the number of its cases that are quick."""
    lines = FILE.read_text().splitlines() if FILE.exists() else []
    return {name: int(count) for name, count in (line.rsplit(" ", 1) for line in lines)}


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Note the CPU seconds of each test in the file that CPU_SECONDS names."""
    before = os.times()
    yield
    after = os.times()
    with open(os.environ["CPU_SECONDS"], "a") as file:
        file.write(json.dumps([item.nodeid, sum(after[:4]) - sum(before[:4])]) + "\n")


def counted(seconds: dict[str, list[float]]) -> dict[str, int]:
    """The tests whose cases are not all quick, with the number of those that are.

    Args:
        seconds: test -> those of its cases, in their order; of a test that is in the file, those of its quick cases.
    """
    result = dict(quick_cases())
    for name, cases in seconds.items():
        kept, total = 0, 0.0
        for case in cases:
            total += case
            if total > (TOGETHER if kept else ALONE):
                break
            kept += 1
        if kept < len(cases):
            result[name] = kept
    return dict(sorted(result.items()))


def main(path: str) -> None:
    """Write the file anew."""
    seconds: dict[str, list[float]] = {}
    for line in Path(path).read_text().splitlines():
        node, taken = json.loads(line)
        seconds.setdefault(node.split("[")[0], []).append(taken)
    FILE.write_text("".join(f"{name} {count}\n" for name, count in counted(seconds).items()))


if __name__ == "__main__":
    main(sys.argv[1])
