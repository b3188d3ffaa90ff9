"""The sizes, iterators and named integers that are declared while loops run."""

from __future__ import annotations

from polyad.codegen.certify.memory import WrongError

__all__ = ["DeclaredIntegers"]


class DeclaredIntegers(dict[str, int]):
    """Sizes, iterators and named integers."""

    def __missing__(self, name: str) -> int:
        """Nobody declared it.

        Raises:
            WrongError: always.
        """
        raise WrongError(f"{name} is not declared where it is used")
