"""The meaning of marks: values above a loop that say how its iterations run.

    Kind ::= ParallelMark() | ShareMark() | PartsMark(simd)         several threads
           | SimdMark() | JamMark(count) | LanesMark()              several iterations at a time on one thread
           | PrefixMark(steps) | RegionMark() | ContractionMark()   the loop, or the nest, as a whole
           | LaunchMark(over) | GridMark() | TeamMark()             of a GPU: who runs what
           | ThreadsMark(product) | SumMark() | EachMark() | BlockMark()
           | MeetMark() | SyncMark() | StayMark(arrays)             of a GPU: where threads meet, what stays on the chip

- `parallel`: on several threads.
- `share`: on several threads, each with one part of them, inside of the loops below (shares.py).
- `parts`, `parts simd`: an outermost loop that does nothing but reduce, in parts that threads share; each part is a
  plain loop, or runs in vector lanes.
- `simd`: in vector lanes; sums, maxima and minima have an accumulator for each lane.
- `jam 4`: so many iterations at a time run statement by statement (unroll and jam). What is left over when the number
  of iterations is no multiple of 4 runs one by one.
- `lanes`: the same with vectors in place of single iterations.
- `prefix 256`: a loop that carries one number by s = a * s + b, as prefix scans between vector loops, in blocks of so
  many steps at most.
- `region`: threads start once around a sequential loop, and share the parallel loops inside of it.
- `contraction`: with the loops of the band below as one product in the macro-kernel.

Those of a GPU are in the schedule of a kernel; none of them is asked for (placement.py, decision 73):

- `launch teams`: what is below is one kernel of a GPU, and `teams` of blocks run it; or the `threads` of a grid, its
  `blocks`, `tiles` or `scans`, one `block` or one `thread`. `launch scans scans`: two kernels.
- `grid`: a parallel loop that its grid runs; `team`: of which a team of blocks has a part of the iterations.
- `threads`: a parallel loop that the threads of a block, or of a team, share, and nobody waits; `threads product`:
  lanes share each of its iterations, a contraction.
- `sum`: a loop that reduces, of which each thread has some iterations; they meet, and all have the sums.
- `block`: in a team, one of its blocks runs this for a row; threads meet others of the block there, and nobody else.
- `each`: statements that every thread runs for itself; others that are in no loop of threads are run by one thread.
- `meet`: behind this, the threads of all blocks of the team have met; `sync`: those of the block.
- `stay W`: of these arrays, what blocks read stays in their shared memory, where that has room.

`parts`, `prefix`, `region` and `contraction` ask: whether loops can do that, or whether it pays,
depends on where arrays are stored, too (decision 27). A kernel's schedule has those that its loops obey.

concurrent_loops.py says which loops are `parallel` and `simd`, register_blocks.py which are `jam` and `lanes`,
reassociation.py which are `parts` and `prefix`, regions.py which are a `region`, contraction.py which are a
`contraction`.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass, fields

from polyad.errors import ScheduleError

__all__ = [
    "LANES",
    "Asking",
    "BlockMark",
    "Concurrent",
    "ContractionMark",
    "EachMark",
    "GridMark",
    "JamMark",
    "Kind",
    "LanesMark",
    "LaunchMark",
    "MeetMark",
    "Meeting",
    "ParallelMark",
    "PartsMark",
    "PlacedLoop",
    "Placing",
    "PrefixMark",
    "RegionMark",
    "ShareMark",
    "SimdMark",
    "StayMark",
    "SumMark",
    "SyncMark",
    "TeamMark",
    "Threaded",
    "ThreadsMark",
    "in_one_thread",
    "in_threads",
    "read_kind",
]

LANES = ("sum", "max", "min")
"""Reductions that vector lanes do a part of each."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """Its text is its name in small letters, without `Mark`, and what it holds: `parallel`, `jam 4`, `parts simd`."""

    def __str__(self) -> str:
        held = {f.name: getattr(self, f.name) for f in fields(self)}
        words = (name if value is True else str(value) for name, value in held.items() if value is not False)
        return " ".join([type(self).__name__.removesuffix("Mark").lower(), *words])


@dataclass(frozen=True, slots=True)
class ParallelMark(_Mark):
    """`parallel`."""


@dataclass(frozen=True, slots=True)
class ShareMark(_Mark):
    """`share`."""


@dataclass(frozen=True, slots=True)
class PartsMark(_Mark):
    """`parts`; `simd`: each part runs in vector lanes."""

    simd: bool = False


@dataclass(frozen=True, slots=True)
class SimdMark(_Mark):
    """`simd`."""


@dataclass(frozen=True, slots=True)
class JamMark(_Mark):
    """`jam count`."""

    count: int


@dataclass(frozen=True, slots=True)
class LanesMark(_Mark):
    """`lanes`."""


@dataclass(frozen=True, slots=True)
class PrefixMark(_Mark):
    """`prefix steps`."""

    steps: int


@dataclass(frozen=True, slots=True)
class RegionMark(_Mark):
    """`region`."""


@dataclass(frozen=True, slots=True)
class ContractionMark(_Mark):
    """`contraction`."""


@dataclass(frozen=True, slots=True)
class _Listing(_Mark):
    """Its text ends in words."""

    words: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join([type(self).__name__.removesuffix("Mark").lower(), *self.words])


@dataclass(frozen=True, slots=True)
class LaunchMark(_Listing):
    """`launch teams`: who runs it, a word for each kernel (codegen/launch_shape.py)."""


@dataclass(frozen=True, slots=True)
class StayMark(_Listing):
    """`stay A B`: the arrays."""


@dataclass(frozen=True, slots=True)
class GridMark(_Mark):
    """`grid`."""


@dataclass(frozen=True, slots=True)
class TeamMark(_Mark):
    """`team`."""


@dataclass(frozen=True, slots=True)
class ThreadsMark(_Mark):
    """`threads`; `product`: lanes share each iteration."""

    product: bool = False


@dataclass(frozen=True, slots=True)
class SumMark(_Mark):
    """`sum`."""


@dataclass(frozen=True, slots=True)
class EachMark(_Mark):
    """`each`."""


@dataclass(frozen=True, slots=True)
class BlockMark(_Mark):
    """`block`."""


@dataclass(frozen=True, slots=True)
class MeetMark(_Mark):
    """`meet`."""


@dataclass(frozen=True, slots=True)
class SyncMark(_Mark):
    """`sync`."""


PlacedLoop = GridMark | TeamMark | ThreadsMark
"""Those of parallel loops whose iterations have a place on a GPU."""

Meeting = MeetMark | SyncMark
"""Those behind which threads have met."""

Placing = PlacedLoop | Meeting | LaunchMark | StayMark | SumMark | EachMark | BlockMark
"""Those that say who runs what on a GPU."""

Kind = (
    ParallelMark
    | ShareMark
    | PartsMark
    | SimdMark
    | JamMark
    | LanesMark
    | PrefixMark
    | RegionMark
    | ContractionMark
    | Placing
)

Concurrent = ParallelMark | ShareMark | PartsMark | SimdMark | JamMark | LanesMark | PlacedLoop | SumMark
"""Those that forbid dependences between the iterations of the loop below: they overlap in time."""

Threaded = ParallelMark | ShareMark | PartsMark
"""Those of loops whose iterations run on several threads."""

Asking = PartsMark | PrefixMark | RegionMark | ContractionMark
"""Those that loops obey if they can."""

_EXAMPLES: tuple[Kind, ...] = (
    *(ParallelMark(), ShareMark(), PartsMark(), PartsMark(simd=True)),
    *(SimdMark(), JamMark(4), LanesMark()),
    *(PrefixMark(256), RegionMark(), ContractionMark()),
    *(LaunchMark(("teams",)), GridMark(), TeamMark(), ThreadsMark(), ThreadsMark(product=True)),
    *(SumMark(), EachMark(), BlockMark(), MeetMark(), SyncMark(), StayMark(("W",))),
)
"""One of each."""

_KNOWN = {str(kind): kind for kind in _EXAMPLES}

_LISTING: dict[str, type[LaunchMark | StayMark]] = {"launch": LaunchMark, "stay": StayMark}

_COUNTED: dict[str, type[JamMark | PrefixMark]] = {"jam": JamMark, "prefix": PrefixMark}


def read_kind(text: str) -> Kind:
    """The mark that a text stands for.

    Raises:
        ScheduleError: it is none: a misspelt one would mean nothing, and the loop would silently run as if it had none.
    """
    if text in _KNOWN:
        return _KNOWN[text]
    first, _, count = text.partition(" ")
    if first in _COUNTED:
        if count.isascii() and count.isdigit() and int(count):
            return _COUNTED[first](int(count))
        example = next(e for e in _EXAMPLES if isinstance(e, _COUNTED[first]))
        raise ScheduleError(f"{text!r} says no count: write '{example}'")
    if first in _LISTING and (words := tuple(count.split())) and all(word.isidentifier() for word in words):
        return _LISTING[first](words)
    near = difflib.get_close_matches(text.lower(), _KNOWN, 1, 0.5)
    meant = f"; {near[0]!r} is one" if near else ""
    raise ScheduleError(f"{text!r} is no mark{meant}. The marks are {', '.join(_KNOWN)}")


def in_threads(kind: Kind | None) -> Kind | None:
    """Return the part of a mark about threads, for the outer loop where one becomes two: `parts` of `parts simd`."""
    match kind:
        case PartsMark():
            return PartsMark()
        case ParallelMark() | ShareMark() | RegionMark():
            return kind
        case _:
            return None


def in_one_thread(kind: Kind | None) -> Kind | None:
    """Return the part of a mark about one thread, which stays with the inner loop: `simd` of `parts simd`."""
    if isinstance(kind, PartsMark):
        return SimdMark() if kind.simd else None
    return None if in_threads(kind) else kind
