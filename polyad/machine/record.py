"""Numbers of a machine, and from which sizes on something pays there.

Passes, the scheduler and the code generator take a `Machine` as an argument and hold no such number themselves. None
of the numbers changes a result but in rounding: they say when an optimisation is worth it, never whether it is right.
So the tests run everything at extents of 1 to 9 on `TINY`, a machine on which it all pays.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from polyad.errors import CallError

__all__ = ["MACHINE", "TINY", "Like", "Machine"]

Like = Literal["addition", "division", "exp"]
"""What an operator takes longer with, from machine to machine (ops/registry.py)."""

_FREE = (
    "near_byte",
    "far_byte",
    "thread_start",
    "thread_meeting",
    "outgrown",
    "strided",
    "tail_cost",
    "contraction",
    "shared_contraction",
)
"""What may be nothing: it then pays always."""

_MOST_STEPS = 256


@dataclass(frozen=True, slots=True)
class Machine:
    """Sizes of a machine, and what follows from them.

    Raises:
        CallError: a number is too small, or `scan_steps` too large.

    Attributes:
        vector_bytes: of the vectors in which results of reductions are computed: 32 is a register of AVX, half of one
            of AVX-512, and two of SSE and NEON.
        division: additions that take as long as a division, where both run in vectors: dividers are not pipelined, and
            give a vector every 4 to 16 cycles.
        exp: additions that take as long as an exp, or another transcendental function: a polynomial of some ten terms,
            and what brings its argument near to zero.
        thread_start: scalar operations, additions in vectors, that are done while threads start: some microseconds.
        thread_meeting: those that are done while threads that run already meet: a microsecond.
        alone: times more work than their meetings cost that threads of a region need where one of them writes rows by
            itself: cache lines of the others move to it and back, a tenth of a microsecond for each row.
        cache: bytes that a loop nest may count on finding again in a core's cache: half of a second-level cache.
        outgrown: bytes from which on data is gone from that cache before it is used again: all of it.
        shared_cache: bytes that all cores find again in the last cache: half of 32 MB.
        line: bytes that memory moves together.
        wide_bytes: of the numbers in which sums of float32 are added up: 8 is double; 4 is for machines that have no
            arithmetic of double but in software: kernels of float32 then mention none.
        widest: bytes of the widest vectors of any machine, those of AVX-512: others take two or four for one of them.
        long: elements that make a loop long: eight vectors of eight, beside which its beginning and end are little.
        joined: elements of a row that are no longer short, four vectors, and those of a joined one at the most: what is
            written so and read in rows is found again in a first-level cache.
        piece: iterations of a vector loop that are the least that a thread gets: one vector of any type and machine.
        short_sum: terms that make a sum short: where their number varies, its vectors are half empty; four long loops.
        border: elements that are a border of something larger: one vector, more than most stencils reach, along rows
            and back in time. As many rows may be unused where that lets rows keep their numbers.
        stair: rows of a triangle that are computed together: a packed operand is used again for that many rows, and
            half a block of products with zero a row is little; a long loop.
        frame_width: zeros on one side of an operand: no more than a block of the macro-kernel has rows.
        frame_growth: how many times larger a copy with a frame of zeros may be than what is copied: filling it reads
            and writes memory once, while the contraction reads it many times.
        long_sum: terms that make one sum long enough for the widest vectors, whose lanes are added up at the end: four
            long loops.
        block_sum: iterations of a vector loop that are added up in float32: 32 for each of eight lanes; half as
            many again with sixteen.
        block_rows: rows of which sums along columns are added up in float32: as many.
        row: the fewest and the most elements of a row of sums that is kept in registers: from some vectors to half of
            the registers of a machine.
        lanes: iterations of free inner loops that fill vectors well, so that no wavefront is wanted: two vectors of
            sixteen.
        strided: what an access that strides through memory costs, in additions (transforms/rewrite/cost.py).
        tile_steps: steps of a tile in time and space; what a step reads from memory is divided by it.
        guess: a named size that nobody has told: long enough for all loops, and small enough for caches.
        latency: instructions that run while one waits for the sum before it: two a cycle, for four cycles.
        called: times as many instructions as in a vector a function takes that is called for one number: what comes
            next waits for it.
        loop_start: instructions around a loop: its first test, and what is set up before it and added up behind it.
        near_byte: instructions that run while a byte comes from the next cache: ten bytes a cycle.
        far_byte: those while it comes from memory: four bytes a cycle, 12 GB a second.
        jam: iterations of each of two loops that are jammed: 4 times 4 sums fit into 32 vector registers, and nearly
            into 16.
        sums: iterations of a loop that is jammed alone, and sums in one loop: so many keep two units busy that take 4
            cycles for an addition.
        light: the cost of a body up to which copies of it for several iterations are worth their text: a product of
            some factors, of which the registers hold several at a time.
        strips: vectors of lanes that are computed together: as `jam`.
        tile_rows: rows of a result that run through one tile of a reduction together: whole cache lines of float32 and
            float64.
        tile_sums: terms in a tile of a reduction with one loop, and with several: what a tile reads stays in a
            first-level cache.
        tail_cost: the cost of an iteration from which on a vector that computes some elements twice is faster than
            these one by one: a function.
        tail_vectors: vectors of a loop up to which that is worth it: an eighth of the loop is left over otherwise.
        calls: calls of functions in one loop from which on compiling each of them in place takes too long.
        alike: nests that say the same of other arrays from which on they are one function, which compilers read once:
            two are as soon read in their places.
        scan_steps: steps of a block of a prefix scan: its buffers stay in a first-level cache.
        scan_bytes: bytes that these buffers have at most, else there are fewer steps, but no fewer than a `piece`: less
            than half of that cache, the rest being for what the loop reads, and little of a thread's stack.
        scan_statements: statements that a prefix scan may be joined by: those at its ends are printed again.
        peeled: statements in a sequential loop below which its first and last iterations are printed by themselves,
            where they differ: a test in each iteration takes longer, and twice the text of so few is little.
        stray_steps: steps that are none of a recurrence's in which a statement may run that has moved into its loop,
            and last steps that may be read later: one at either end, for which a loop of its own is not worth a pass.
        inlined: operations and operands that a body has at most once definitions are put where they are read: the
            values of more of them do not stay in registers.
        terms: terms of a sum that one body adds up: as many streams of memory as are fetched ahead.
        merged: operations and operands of a body that adds up what overlaps: a pass over memory saved is worth some
            spilt values.
        pieces: pieces that a definition or a domain is cut into at most: more of them have more control than work.
        classes: statements that one may become when it is split by residues: a stride of four in two dimensions.
        choices: numbers that data choose among up to which a sum of all terms for each of them in vectors is as fast
            as adding each term to the one that is chosen, which waits for the one before.
        contraction: multiplications below which plain loops are as good as the macro-kernel: two tiles of 8 x 16 and
            8 values of the sum.
        shared_contraction: multiplications below which the macro-kernel stays on one thread: some ten microseconds of
            vectors, of which starting threads takes some.
        fewest_blocks: blocks that are worth a loop over blocks: fewer leave less than four fifths of memory unused.
        parts: the fewest and the most parts that blocks run in, one to a thread: fewer than four threads gain less
            than sums of their own cost, and more than sixteen need cores that few machines have.
        sums_share: the sums of all parts take no more than the temporaries of all points divided by this: they are
            written and added up once more.
    """

    vector_bytes: int = 32
    division: int = 4
    exp: int = 20
    thread_start: float = 200_000.0
    thread_meeting: float = 20_000.0
    alone: int = 16
    cache: int = 1 << 20
    outgrown: int = 2 << 20
    shared_cache: int = 16 << 20
    line: int = 64
    wide_bytes: int = 8
    widest: int = 64
    long: int = 64
    joined: tuple[int, int] = (64, 4096)
    piece: int = 16
    short_sum: int = 256
    border: int = 8
    stair: int = 64
    frame_width: int = 64
    frame_growth: float = 2.0
    long_sum: int = 256
    block_sum: int = 256
    block_rows: int = 32
    row: tuple[int, int] = (32, 64)
    lanes: int = 32
    strided: int = 2
    tile_steps: int = 16
    guess: int = 256
    latency: int = 8
    called: int = 4
    loop_start: int = 6
    near_byte: float = 0.2
    far_byte: float = 0.5
    jam: int = 4
    sums: int = 8
    light: int = 4
    strips: int = 4
    tile_rows: int = 16
    tile_sums: tuple[int, int] = (256, 8)
    tail_cost: int = 20
    tail_vectors: int = 8
    calls: int = 16
    alike: int = 3
    scan_steps: int = 256
    scan_bytes: int = 12 << 10
    scan_statements: int = 24
    peeled: int = 8
    stray_steps: int = 2
    inlined: int = 60
    terms: int = 16
    merged: int = 160
    pieces: int = 4
    classes: int = 16
    choices: int = 4
    contraction: int = 2048
    shared_contraction: float = 1e6
    fewest_blocks: int = 4
    parts: tuple[int, int] = (4, 16)
    sums_share: int = 16

    def __post_init__(self) -> None:
        for name in (f.name for f in fields(self)):
            value = getattr(self, name)
            least = 0 if name in _FREE else 1
            numbers = value if isinstance(value, tuple) else (value,)
            if not all(isinstance(n, int | float) and n >= least for n in numbers):
                raise CallError(f"Machine({name}={value!r}): expected numbers of at least {least}", name)
        if self.wide_bytes not in (4, 8):
            raise CallError(f"Machine(wide_bytes={self.wide_bytes}): expected 8, or 4 for float32", "wide_bytes")
        if self.scan_steps > _MOST_STEPS:
            stack = f"expected at most {_MOST_STEPS}, as the buffers of a block are on the stack"
            raise CallError(f"Machine(scan_steps={self.scan_steps}): {stack}", "scan_steps")

    @property
    def wide(self) -> str:
        """The element type in which sums of float32 are added up, and work is counted."""
        return "float64" if self.wide_bytes == 8 else "float32"

    def cost(self, additions: int, like: Like) -> int:
        """Convert a cost on `MACHINE`, of operations like a division or an exp, into additions of this machine."""
        match like:
            case "division":
                return round(additions * self.division / MACHINE.division)
            case "exp":
                return round(additions * self.exp / MACHINE.exp)
            case "addition":
                return additions

    @property
    def kept(self) -> int:
        """The cost from which on a result is worth storing: half an exp. What is less is computed again as fast."""
        return self.exp // 2

    @property
    def stairs(self) -> int:
        """Rows from which on products of boxes are faster than loops over a triangle: half a block."""
        return self.stair // 2

    @property
    def box_growth(self) -> int:
        """How many times as many products a box may have as what is asked for: loops over a triangle take as long."""
        return self.strips

    @property
    def inside(self) -> int:
        """Elements between two borders that are worth a statement of their own: more than both borders together."""
        return 4 * self.border

    @property
    def points(self) -> tuple[int, int, int]:
        """The fewest points in a block, those from which on a block is long enough, and the most.

        Vectors in several registers want a long loop, sums over a block end with adding up vectors, which two long
        loops make little, and beyond eight of them nothing is gained.
        """
        return self.long, 2 * self.long, 8 * self.long


MACHINE = Machine()
"""The machine that code is made for when nothing else is said: a core of the last ten years, and its caches."""

TINY = Machine(
    vector_bytes=16,
    thread_start=0.0,
    thread_meeting=0.0,
    cache=256,
    outgrown=1,
    shared_cache=32,
    long=2,
    piece=2,
    short_sum=8,
    border=2,
    stair=2,
    frame_width=16,
    frame_growth=1.9,
    long_sum=2,
    block_sum=4,
    block_rows=2,
    row=(2, 9),
    strided=0,
    tile_steps=2,
    jam=2,
    sums=2,
    strips=2,
    tile_rows=2,
    tile_sums=(2, 2),
    tail_cost=1,
    calls=1,
    alike=2,
    scan_steps=3,
    joined=(16, 64),
    terms=2,
    choices=1,
    contraction=1,
    shared_contraction=0.0,
    fewest_blocks=2,
    parts=(2, 3),
    sums_share=1,
)
"""A machine on which everything pays, for proofs on small programs."""
