"""Index maps in pieces: which element of a tensor an element of the result is, by cases.

The cases are affine conditions in the axes, so they cut the iteration domain: no test is made at run time, and a case
that cannot occur leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyad.frontend.scalar import IndexExpr, Scalar, Selected
from polyad.frontend.tensor import Tensor

__all__ = ["Piece", "Pieces", "in_pieces", "whole"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One case of an index map.

    Attributes:
        holds: an affine condition, or None for everything the pieces before it leave.
        index: indices into some dimensions of the source; None where the result does not come from the source.
    """

    holds: Scalar | None
    index: tuple[IndexExpr, ...] | None


Pieces = Sequence[Piece]
"""The cases for a group of dimensions; the last one has no condition."""


def whole(*index: IndexExpr) -> Pieces:
    """An index map with one case."""
    return (Piece(None, index),)


def in_pieces(x: Tensor, groups: Sequence[Pieces], outside: Scalar | None = None) -> Scalar:
    """The element of `x` at the indices that the groups of dimensions give, one group after the other.

    Args:
        x: the source.
        groups: index maps for consecutive groups of its dimensions.
        outside: the value where a piece has no index.
    """
    return _chosen(x, groups, (), outside)


def _chosen(x: Tensor, groups: Sequence[Pieces], index: tuple[IndexExpr, ...], outside: Scalar | None) -> Scalar:
    if not groups:
        return x.element(index)
    result: Scalar | None = None
    for piece in reversed(groups[0]):
        value = outside if piece.index is None else _chosen(x, groups[1:], (*index, *piece.index), outside)
        assert value is not None
        if piece.holds is None:
            result = value
        else:
            assert result is not None
            result = Selected(piece.holds, value, result)
    assert result is not None
    return result
