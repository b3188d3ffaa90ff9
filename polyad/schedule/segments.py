"""Checkpointed scans: one segment at a time.

What a backward pass computes again is of use for one segment, and only if the next segment is not computed before. No
dependence says so: memory does. For every recomputed array, whose first dimension counts segments, all readers of a
segment come before the writers of the segments below. With these edges the recomputation and the adjoint of a scan are
one recurrence over segments, and storage folds the arrays to a single one.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["segment_order"]


def segment_order(program: Program) -> Iterator[tuple[Statement, Statement, str, isl.Map]]:
    """(reader, writer, array, { reader[i] -> writer[j] : the segment written is before the segment read })."""
    writers, readers = program.writers(), program.readers()
    for name, array in program.arrays.items():
        if array.role != "recomputed" or not array.shape:
            continue
        for reader in readers.get(name, []):
            for writer in writers.get(name, []):
                if isinstance(writer.write, Indirect):
                    continue
                written = _segment(writer.write_relation())
                for read in reader.reads():
                    if read.array == name:
                        relation = _above(_segment(reader.read_relation(read)), written)
                        if not relation.is_empty():
                            yield reader, writer, name, relation


def _segment(relation: isl.Map) -> isl.Map:
    """{ S[i] -> [segment] } from { S[i] -> array[segment, ...] }."""
    rank = relation.dim(isl.dim_type.out)
    return relation.project_out(isl.dim_type.out, 1, rank - 1).reset_tuple_id(isl.dim_type.out)


def _above(read: isl.Map, written: isl.Map) -> isl.Map:
    """{ reader[i] -> writer[j] : read segment > written segment }."""
    below = isl.Map.lex_gt(read.range().get_space())
    return read.apply_range(below).apply_range(written.reverse())
