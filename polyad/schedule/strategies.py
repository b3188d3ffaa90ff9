"""The optimisations that are made: one switch each, set by the level of `Target(optimize=)`.

    0   none: each statement has loops of its own, in the order found, and every temporary its memory
    1   loops that suit memory: order, fusion, parallel and vector marks, storage
    2   blocks: contractions, registers, wavefronts
    3   what reaches across loops: everything

A strategy adds one line to the record, with the level from which on it is made, and asks for its switch where it
begins; results do not depend on any of them, but for rounding.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields

__all__ = ["ALL", "LEVELS", "Strategies"]

LEVELS = range(4)
"""The levels of optimisation."""


def _since(level: int) -> bool:
    """A switch that is on at `level` and above; on by default."""
    switch: bool = field(default=True, metadata={"level": level})
    return switch


@dataclass(frozen=True, slots=True)
class Strategies:
    """The switches; `Strategies.at_level(n)` sets them, and `dataclasses.replace` one by one.

    Attributes:
        scatter: sums of which data choose the element are added up there one term after another, at all levels
            (transforms/passes/sums/indicators.py).
        order: loops are ordered by how the statement touches memory (loop_order.py).
        fuse: statements share loops (fusion.py).
        sink: what stands before or after a recurrence moves into its loop where that saves memory (sinking.py).
        parallel: outermost free loops run in parallel (marks.py).
        simd: innermost smooth loops use vector instructions (marks.py).
        scalars: what lives within one iteration is a C variable (codegen).
        circular: what lives for a few iterations is a circular buffer (codegen/storage/folding.py).
        private: what lives within one iteration of a parallel loop has a copy for each thread (codegen/storage).
        overlay: arrays that do not live at the same time share memory (codegen/storage/lifetimes.py).
        contraction: contractions are packed and computed in blocks.
        reciprocals: what is divided by a number whose reciprocal is there is multiplied
            (transforms/passes/share_reciprocals.py), and reciprocals taken at several places are kept
            (transforms/passes/keep_reciprocals.py).
        jam: outer loops are unrolled into the innermost one, so that values are used again from registers.
        rows: sums over all elements of an array are sums of sums over its rows (transforms/passes/sums/row_sums.py).
        layout: temporaries are laid out so that vectors find their elements side by side
            (transforms/passes/layout/vector_layout.py).
        points: what is computed for many points, and then summed, is computed for a block of them at a time
            (transforms/passes/block_points.py).
        wavefront: recurrences along several dimensions run in tiles and along diagonals.
        tails: the last vector of a short loop overlaps the one before (codegen/lower/vector_tails.py).
        prefix: a recurrence that is linear in one number becomes a prefix scan (codegen/lower/prefix_scans.py).
        scan_fusion: what such a scan reads, and what reads it, is computed in its loop (scan_fusion.py).
        time_tiles: steps over more than the caches hold run on a few rows at a time (time_tiles.py).
        pack: an operand of a contraction is packed outside of the loops that leave it as it is.
        parts: sums that nothing else divides are summed up in parts, by threads (codegen/lower/partial_sums.py).
        share: a parallel loop around a recurrence is run in one part per thread, so that contractions inside of it
            multiply matrices (shares.py).
        region: a recurrence and what is around it run in one parallel region.
        nested: every free loop is parallel, not the outermost alone: for machines with threads for all of them
            (`Backend.also`).
    """

    scatter: bool = _since(0)
    order: bool = _since(1)
    fuse: bool = _since(1)
    sink: bool = _since(1)
    parallel: bool = _since(1)
    simd: bool = _since(1)
    scalars: bool = _since(1)
    circular: bool = _since(1)
    private: bool = _since(1)
    overlay: bool = _since(1)
    contraction: bool = _since(2)
    reciprocals: bool = _since(2)
    jam: bool = _since(2)
    rows: bool = _since(2)
    layout: bool = _since(2)
    points: bool = _since(2)
    wavefront: bool = _since(2)
    tails: bool = _since(2)
    prefix: bool = _since(2)
    scan_fusion: bool = _since(3)
    time_tiles: bool = _since(3)
    pack: bool = _since(3)
    parts: bool = _since(3)
    share: bool = _since(3)
    region: bool = _since(3)
    nested: bool = field(default=False, metadata={"level": len(LEVELS)})

    @staticmethod
    def at_level(level: int) -> Strategies:
        """The switches of one of `LEVELS`."""
        return Strategies(**{switch.name: switch.metadata["level"] <= level for switch in fields(Strategies)})


ALL = Strategies()
"""Everything: the default."""
