"""A plan is a function of the program: byte for byte the same in any process, whatever was planned before.

Every program is planned here, with whatever the cache holds, and in another process in the opposite order under another
seed of Python's hashes, with a cache that holds libpet's answers alone; there also from the texts of its equations and
its schedule, which is what a certificate is made from. What tests of C programs compile, too, is theirs: planned once
by any of the processes of a run, and kept.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from polyad.runtime.cache import LAYOUT, open_cache
from tests.acceptance.planned import CORPORA, digests
from tests.pet.extracted import NEEDS_PET

ROOT = Path(__file__).resolve().parents[2]
PARTS = {"quotients": 1, "texts": 3, "aimed_programs": 10, "strategy_programs": 4, "c_programs": 8, "c_gradients": 12}
"""Tests that a corpus is spread over."""

QUICK = [("quotients", 0, 1), ("texts", 0, 9)]
"""Corpus, the first program and the step to the next one."""

USES_PET = ("quotients", "c_programs", "c_gradients")


def cases(chosen: list[tuple[str, int, int]], slow: bool) -> list[object]:
    marks = [pytest.mark.slow] if slow else []
    return [
        pytest.param(*case, id=f"{case[0]}-{case[1]}", marks=marks + [NEEDS_PET] * (case[0] in USES_PET))
        for case in chosen
    ]


ALL = [(corpus, first, count) for corpus, count in PARTS.items() for first in range(count)]


@pytest.mark.parametrize(("corpus", "first", "step"), cases(QUICK, slow=False) + cases(ALL, slow=True))
def test_two_processes_plan_the_same(corpus: str, first: int, step: int, tmp_path: Path) -> None:
    here = digests(corpus, first, step)
    kept = Path(LAYOUT) / "pet"  # libpet answers the same files
    if (open_cache().directory / kept).exists():
        shutil.copytree(open_cache().directory / kept, tmp_path / kept)
    other = subprocess.run(
        [sys.executable, "-m", "tests.acceptance.planned", corpus, str(first), str(step)],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONHASHSEED": "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2",
            "PYTHONPATH": str(ROOT),
            "POLYAD_CACHE_DIR": str(tmp_path),
        },
        stdout=subprocess.PIPE,
        check=True,
    )
    there = json.loads(other.stdout)
    assert {n: d[:3] for n, d in there.items()} == here
    assert {n: d[3] for n, d in there.items()} == {n: d[2] for n, d in here.items()}, "from texts it is another plan"


def test_every_corpus_is_planned() -> None:
    assert PARTS.keys() == CORPORA.keys()
