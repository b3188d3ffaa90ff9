"""Batches in processes of their own: what crashes or hangs is named, and the rest of its batch goes on.

A batch is forked off with everything loaded. What it tells comes through a pipe, so that the parent knows which program
was at work when the process ended; programs that were not judged then start again in the next process.
"""

import faulthandler
import json
import os
import select
import signal
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from tests.campaign.program import Program
from tests.campaign.trial import Verdict, try_all

__all__ = ["judge_all"]

SILENT_SECONDS = 400  # of wall time without a word, after which a process counts as hanging


def _child(programs: Sequence[Program], peer: bool, write: int) -> None:
    def tell(what: str, value: Any) -> None:
        os.write(write, (json.dumps([what, asdict(value) if isinstance(value, Verdict) else value]) + "\n").encode())

    status = 0
    if not os.environ.get("POLYAD_CAMPAIGN_LOUD"):  # isl prints what polyad catches
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        faulthandler.disable()
    warnings.simplefilter("ignore", RuntimeWarning)  # references overflow where the program does
    try:
        try_all(programs, tell, peer)
    except BaseException as problem:  # told, as nobody else sees it
        text = f"{type(problem).__name__}: {problem}"
        tell("ended", text[:2000])
        status = 1
    sys.stdout.flush()
    os._exit(status)


def _one_process(programs: Sequence[Program], peer: bool, found: dict[str, Verdict]) -> tuple[str, str]:
    """Run until the process ends; (what it was at, why it ended: "" when all is done)."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        _child(programs, peer, write)
    os.close(write)
    at, ended, rest, silent = "", "", b"", False
    while True:
        ready, _, _ = select.select([read], [], [], SILENT_SECONDS)
        if not ready:
            silent = True
            os.kill(child, signal.SIGKILL)
            break
        data = os.read(read, 1 << 16)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            what, value = json.loads(line)
            if what == "at":
                at = value
            elif what == "ended":
                ended = value
            else:
                found[value["name"]] = Verdict(**value)
    os.close(read)
    _, status = os.waitpid(child, 0)
    if silent or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF):
        return at, "hang"
    if os.WIFSIGNALED(status):
        return at, f"crash by signal {os.WTERMSIG(status)}"
    return at, ended


def judge_all(
    programs: Sequence[Program], peer: bool = False, note: Callable[[Verdict], None] = lambda v: None
) -> dict[str, Verdict]:
    """Verdicts by name.

    Args:
        programs: the batch.
        peer: whether JAX judges too.
        note: called with each verdict.
    """
    found: dict[str, Verdict] = {}
    waiting = [list(programs)]
    while waiting:
        batch = waiting.pop()
        at, why = _one_process(batch, peer, found)
        left = [p for p in batch if p.name not in found]
        if not left:
            continue
        guilty = next((p for p in left if p.name == at), None)
        if guilty is None and len(left) > 1:  # the C compiler, or something between two programs
            middle = len(left) // 2
            waiting += [left[middle:], left[:middle]]
            continue
        guilty = guilty or left[0]
        kind = "hang" if why == "hang" else ("crash" if why.startswith("crash") else "error")
        found[guilty.name] = Verdict(guilty.name, kind, why.split("\n")[0], why.split("\n")[0][:60])
        rest = [p for p in left if p is not guilty]
        if rest:
            waiting.append(rest)
    for verdict in found.values():
        note(verdict)
    return found
