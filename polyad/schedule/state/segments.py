"""Checkpointed scans and blocked points: one segment at a time.

What a backward pass computes again is of use for one segment, and only if the next segment is not computed before. No
dependence says so: memory does. For every recomputed array, whose leading dimensions count segments, all readers of a
segment come before the writers of the segments below. With these edges the recomputation and the adjoint of a scan are
one recurrence over segments, and storage folds the arrays to a single one. Segments of segments, and those of a scan in
the body of another, count by several dimensions, the first of which differs says which segment is the later one.

Points in blocks (transforms/passes/block_points.py) are the same the other way round: no block is begun before the
one below it has been used. Where blocks belong to parts, this holds in each part, and parts have nothing to do with
each other.
"""

from __future__ import annotations

from collections.abc import Iterator

import islpy as isl

from polyad.ir.array import Segment
from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["segment_order"]


def segment_order(program: Program) -> Iterator[tuple[Statement, Statement, str, isl.Map]]:
    """(reader, writer, array, { reader[i] -> writer[j] : the segment written comes later })."""
    writers, readers = program.writers(), program.readers()
    for name, array in program.arrays.items():
        if array.segment is None or not array.shape:
            continue
        for reader in readers.get(name, []):
            for writer in writers.get(name, []):
                if isinstance(writer.write, Indirect):
                    continue
                written = _leading(writer.write_relation(), array.segment)
                for read in reader.reads():
                    if read.array == name:
                        relation = _before(_leading(reader.read_relation(read), array.segment), written, array.segment)
                        if not relation.is_empty():
                            yield reader, writer, name, relation


def _leading(relation: isl.Map, segment: Segment) -> isl.Map:
    """{ S[i] -> [segment] } from { S[i] -> array[segment, ...] }, or { S[i] -> [part, segment] }."""
    rank = relation.dim(isl.dim_type.out)
    return relation.project_out(isl.dim_type.out, segment.axes, rank - segment.axes).reset_tuple_id(isl.dim_type.out)


def _before(read: isl.Map, written: isl.Map, segment: Segment) -> isl.Map:
    """{ reader[i] -> writer[j] : the segment read is used first }: the larger one where a scan runs backwards."""
    segments = read.range().get_space()
    later = isl.Map.empty(segments.map_from_set())
    same = isl.Map.universe(segments.map_from_set())
    for place, direction in enumerate(segment.order):
        if direction:
            order = isl.Map.order_gt if direction < 0 else isl.Map.order_lt
            later = later.union(order(same, isl.dim_type.in_, place, isl.dim_type.out, place))
        same = same.equate(isl.dim_type.in_, place, isl.dim_type.out, place)
    return read.apply_range(later).apply_range(written.reverse())
