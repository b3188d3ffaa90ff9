"""How the iterations of a loop run: one value, asked for by the schedule and made definite by the passes of `lower`.

    How ::= Serial(rolled)
          | Parallel(How) | Simd(marked) | Jam(count) | Lanes()              what the schedule asks for
          | InParts(How, mark) | Prefix(steps, mark) | InRegion(mark)        what it asks for, if that can be done
          | Macro(mark)
          | Vector(type, sums, rolled) | OneVector()                         vector lanes
          | Threads(Work, pieces, How) | Divided(pieces, How, wait)          threads start here; they are there already
          | Grid(over) | Merged()                                            of a GPU: a launch's, with the loop around

What a loop in threads does inside of one thread is a How again: `Threads(..., Vector(...))`. After the last pass only
`Serial`, `Vector`, `Threads`, `Divided`, and for a GPU `Grid` and `Merged`, are left, each spelled as it stands.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from polyad.codegen.loops.loop_values import Value
from polyad.ir.affine import Affine

__all__ = [
    "Asked",
    "Divided",
    "Grid",
    "How",
    "InParts",
    "InRegion",
    "Jam",
    "LaneSum",
    "Lanes",
    "Macro",
    "Merged",
    "OneVector",
    "Over",
    "Parallel",
    "Prefix",
    "Serial",
    "Simd",
    "Threads",
    "Vector",
    "Work",
    "in_one_thread",
    "in_threads",
    "is_concurrent",
    "is_jammed",
]


@dataclass(frozen=True, slots=True)
class Work:
    """Scalar operations, and from how many on threads are worth it.

    Attributes:
        terms: of a sum, each a number and the factors that depend on sizes and iterators.
        least: threads pay for more than this.
    """

    terms: tuple[tuple[int, tuple[Affine, ...]], ...]
    least: float

    @property
    def is_enough(self) -> bool | None:
        """Whether threads pay; None where the sizes decide."""
        if any(factors for _, factors in self.terms):
            return None
        return sum(cost for cost, _ in self.terms) > self.least


@dataclass(frozen=True, slots=True)
class Serial:
    """One iteration after the other; `rolled`: no two of them written side by side (rolled_loops.py)."""

    rolled: bool = False


@dataclass(frozen=True, slots=True)
class Simd:
    """In vector lanes; `marked`: the schedule says so, and not only that the iterations do not depend on each other."""

    marked: bool = True


@dataclass(frozen=True, slots=True)
class Jam:
    """So many iterations at a time, statement by statement (register_blocks.py)."""

    count: int


@dataclass(frozen=True, slots=True)
class Lanes:
    """Vectors of iterations, statement by statement (register_blocks.py)."""


@dataclass(frozen=True, slots=True)
class Macro:
    """The outermost loop of a contraction for the macro-kernel, if it can take it (contractions.py).

    Attributes:
        mark: the number of the mark of the schedule that asks.
    """

    mark: int | None = None


@dataclass(frozen=True, slots=True)
class OneVector:
    """The loop over the lanes of one vector: a fixed number of iterations."""


@dataclass(frozen=True, slots=True)
class LaneSum:
    """A C variable that a vector loop reduces into, each lane a part of its own.

    Attributes:
        local: the variable.
        reduction: sum, prod, max or min.
        dtype: its element type.
    """

    local: str
    reduction: str
    dtype: str


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector loop.

    Attributes:
        type: the element type where the widest vectors are worth it, "" elsewhere.
        sums: what the lanes reduce into.
        rolled: as for `Serial`.
    """

    type: str = ""
    sums: tuple[LaneSum, ...] = ()
    rolled: bool = False


@dataclass(frozen=True, slots=True)
class Parallel:
    """In threads, in any order; `within`: what one thread does with its iterations."""

    within: How = field(default_factory=Serial)


@dataclass(frozen=True, slots=True)
class InParts:
    """In parts that threads share, where it does nothing but reduce (partial_sums.py).

    Attributes:
        within: what is done with the iterations of one part, or with all of them.
        mark: the number of the mark of the schedule that asks.
    """

    within: How = field(default_factory=Serial)
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """As prefix scans of blocks of so many steps at most, where it carries one number linearly (prefix_scans.py).

    Attributes:
        steps: of a block.
        mark: the number of the mark of the schedule that asks.
    """

    steps: int
    mark: int | None = None


@dataclass(frozen=True, slots=True)
class InRegion:
    """One iteration after the other, in a region of threads around the loop (regions.py).

    Attributes:
        mark: the number of the mark of the schedule that asks.
    """

    mark: int | None = None


@dataclass(frozen=True, slots=True)
class Threads:
    """Threads start, where the work is enough, and share the iterations.

    Attributes:
        work: of the loop.
        pieces: the number of iterations where threads get them in pieces (pieces.py), else None.
        within: what one thread does with its iterations.
    """

    work: Work
    pieces: Value | None
    within: How


@dataclass(frozen=True, slots=True)
class Divided:
    """The threads of the region around share the iterations.

    Attributes:
        pieces: as for `Threads`.
        within: as for `Threads`.
        wait: they meet behind the loop.
        product: of a GPU: several share one iteration, the result of a contraction (codegen/cuda/step_products.py).
        blocks: of a GPU: blocks of the team have some each, whose threads run the region inside (cuda/teams.py).
    """

    pieces: Value | None
    within: How
    wait: bool = True
    product: bool = False
    blocks: bool = False


Over = Literal["threads", "blocks", "tiles", "scans"]


@dataclass(frozen=True, slots=True)
class Grid:
    """The outermost loop of a launch: its iterations, and those of the loops merged with it, go to all threads.

    Attributes:
        over: one thread runs an iteration; or all threads of a block do: then its body is a region; or a block runs the
            iterations of a tile, of a contraction (codegen/cuda/tiles.py); or blocks run parts of prefix scans, of
            which each iteration is one (codegen/cuda/scans.py).
    """

    over: Over = "threads"


@dataclass(frozen=True, slots=True)
class Merged:
    """One loop with the loop directly around, which has nothing else inside and no say in these limits."""


Asked = InParts | Prefix | InRegion | Macro
"""Done if it can be done, by the pass that knows; else the loop is a serial one, and its mark goes (plan.py)."""

How = Serial | Simd | Jam | Lanes | OneVector | Vector | Parallel | Asked | Threads | Divided | Grid | Merged


def is_concurrent(how: How) -> bool:
    """Whether the schedule wants iterations at the same time; of a loop in parts, those of one part."""
    return isinstance(how.within if isinstance(how, InParts) else how, Parallel | Simd)


def is_jammed(how: How) -> bool:
    """Whether several iterations run statement by statement."""
    return isinstance(in_one_thread(how), Jam | Lanes)


def in_one_thread(how: How) -> How:
    """Return how one thread runs its iterations."""
    return how.within if isinstance(how, Parallel | Threads | Divided) else how


def in_threads(how: How) -> bool:
    """Whether threads share the iterations, or may."""
    return isinstance(how, Parallel | Threads | Divided)
