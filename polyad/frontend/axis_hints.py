"""Names for the axes of definitions that come without any: t of T, b of B, h of H; letters for constant extents."""

from __future__ import annotations

import keyword
from collections.abc import Sequence

from polyad.frontend.scalar import IndexExpr
from polyad.islx import KEYWORDS

__all__ = ["axis_hints"]


def axis_hints(extents: Sequence[IndexExpr], given: Sequence[str] = (), letters: str = "ijklmnpqrsuvw") -> list[str]:
    """A readable name per dimension, each once.

    Args:
        extents: the extents of the dimensions.
        given: names of the leading dimensions, kept as they are.
        letters: what dimensions are called whose extent tells nothing, in order.
    """
    names = list(given)
    for extent in extents[len(names) :]:
        hint = _index_of(extent)
        if hint is None or hint in names:
            spare = (*letters, *(f"{letters[0]}{n}" for n in range(len(extents))))
            hint = next(letter for letter in spare if letter not in names)
        names.append(hint)
    return names


def _index_of(extent: IndexExpr) -> str | None:
    """The small letter of the one size an extent is made of, `h` of `H` and of `4*H`."""
    sizes = sorted(extent.affine.names())
    if len(sizes) != 1:
        return None
    hint = sizes[0].lower()
    spoken_for = hint == sizes[0] or keyword.iskeyword(hint) or hint in KEYWORDS
    return None if spoken_for else hint
