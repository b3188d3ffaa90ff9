"""A C function around a kernel, which others call in its place: the library that is exported bears its name."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Wrapper"]


@dataclass(frozen=True, slots=True)
class Wrapper:
    """A C function that calls a kernel.

    Attributes:
        name: of the function, and of the library.
        c: its C file, which includes its header, that of the kernel and polyad_runtime.h.
        header: its header file, which includes nothing of polyad.
        signature: its parameters, for people.
    """

    name: str
    c: str
    header: str
    signature: str

    @property
    def files(self) -> dict[str, str]:
        """File name -> text."""
        return {f"{self.name}.c": self.c, f"{self.name}.h": self.header}
