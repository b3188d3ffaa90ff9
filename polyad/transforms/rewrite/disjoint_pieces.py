"""Disjoint sets from overlapping ones: on each of them the same ones apply."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

__all__ = ["disjoint_pieces"]

_MOST_PIECES = 8
"""More pieces (basic sets) than this are not worth an equation each."""


def disjoint_pieces(domains: Sequence[isl.Set], context: isl.Set) -> list[tuple[isl.Set, list[int]]] | None:
    """Disjoint sets that make up the union of `domains`, each with the domains it lies in; None for too many.

    Pieces that are empty for all sizes of the context are left out.
    """
    if len(domains) == 1:
        return [(domains[0], [0])]
    pieces: list[tuple[isl.Set, list[int]]] = []
    for number, domain in enumerate(domains):
        domain = domain.intersect_params(context)
        refined: list[tuple[isl.Set, list[int]]] = []
        rest = domain
        for piece, members in pieces:
            if piece.plain_is_equal(rest) or piece.is_equal(rest):
                refined.append((piece, [*members, number]))
                rest = rest.subtract(piece)
                continue
            common = piece.intersect(rest)
            if common.is_empty():
                refined.append((piece, members))
                continue
            outside = piece.subtract(rest)
            if not outside.is_empty():
                refined.append((outside.coalesce(), members))
            refined.append((common.coalesce(), [*members, number]))
            rest = rest.subtract(piece)
        if not rest.is_empty():
            refined.append((rest.coalesce(), [number]))
        pieces = refined
        if sum(piece.n_basic_set() for piece, _ in pieces) > _MOST_PIECES:
            return None
    return [(piece.gist_params(context), members) for piece, members in pieces]
