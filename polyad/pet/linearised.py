"""Linear subscripts: `A[i * m + j]` of a plain pointer stands for `A[i][j]` (not done yet)."""

from polyad.pet.scop import Scop

__all__ = ["recover_dimensions"]


def recover_dimensions(scop: Scop) -> Scop:
    """The scop as it is."""
    return scop
