"""Checkpointed scans and blocked points: one segment at a time.

What a backward pass computes again is of use for one segment, and only if the next segment is not computed before. No
dependence says so: memory does. For every recomputed array, whose first dimension counts segments, all readers of a
segment come before the writers of the segments below. With these edges the recomputation and the adjoint of a scan are
one recurrence over segments, and storage folds the arrays to a single one.

Points in blocks (transforms/passes/block_points.py) are the same the other way round: no block is begun before the
one below it has been used. Where blocks belong to parts, this holds in each part, and parts have nothing to do with
each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["SEGMENTED", "segment_order"]

SEGMENTED = ("recomputed", "blocked", "parted")
"""The roles of arrays that are of use for one segment at a time."""


def segment_order(program: Program) -> Iterator[tuple[Statement, Statement, str, isl.Map]]:
    """(reader, writer, array, { reader[i] -> writer[j] : the segment written comes later })."""
    writers, readers = program.writers(), program.readers()
    for name, array in program.arrays.items():
        if array.role not in SEGMENTED or not array.shape:
            continue
        for reader in readers.get(name, []):
            for writer in writers.get(name, []):
                if isinstance(writer.write, Indirect):
                    continue
                written = _segment(writer.write_relation(), array.role)
                for read in reader.reads():
                    if read.array == name:
                        relation = _before(_segment(reader.read_relation(read), array.role), written, array.role)
                        if not relation.is_empty():
                            yield reader, writer, name, relation


def _segment(relation: isl.Map, role: str) -> isl.Map:
    """{ S[i] -> [segment] } from { S[i] -> array[segment, ...] }, or { S[i] -> [part, segment] }."""
    rank, kept = relation.dim(isl.dim_type.out), 2 if role == "parted" else 1
    return relation.project_out(isl.dim_type.out, kept, rank - kept).reset_tuple_id(isl.dim_type.out)


def _before(read: isl.Map, written: isl.Map, role: str) -> isl.Map:
    """{ reader[i] -> writer[j] : the segment read is used first }: the larger one where a scan runs backwards."""
    segments = read.range().get_space()
    later = isl.Map.lex_gt(segments) if role == "recomputed" else isl.Map.lex_lt(segments)
    if role == "parted":
        later = later.equate(isl.dim_type.in_, 0, isl.dim_type.out, 0)
    return read.apply_range(later).apply_range(written.reverse())
