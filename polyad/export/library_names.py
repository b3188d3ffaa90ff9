"""The names of exported libraries, and which of them replace each other.

A program that was linked with a shared library asks the system for its soname. That has the numbers that change when
the program has to be compiled again: that of generated functions, `ABI`, and the first of the library's own version,
which `find_package` compares, too. `libname.so.1.2` is version 2 of a library with functions of kind 1.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

from polyad.codegen.text.header_text import ABI

__all__ = ["LibraryNames", "library_names"]


@dataclass(frozen=True, slots=True)
class LibraryNames:
    """File names.

    Attributes:
        shared: the shared library, also its soname.
        linked: the name by which a linker finds the shared library.
        static: the static library.
    """

    shared: str
    linked: str
    static: str


def library_names(name: str, version: str) -> LibraryNames:
    """The file names on this system.

    Args:
        name: of the kernel.
        version: of the library: numbers with dots between.
    """
    numbers = f"{ABI}.{int(version.split('.')[0])}"
    if sys.platform == "darwin":
        return LibraryNames(f"lib{name}.{numbers}.dylib", f"lib{name}.dylib", f"lib{name}.a")
    return LibraryNames(f"lib{name}.so.{numbers}", f"lib{name}.so", f"lib{name}.a")
