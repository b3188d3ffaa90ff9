"""What later stages do with a kernel."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from polyad.errors import CallError
from polyad.runtime.arguments import NumpyArray

if TYPE_CHECKING:
    from polyad.runtime.kernel import Kernel

__all__ = ["HandOver", "directory_path"]


def directory_path(directory: str | os.PathLike[str]) -> Path:
    """The directory that a user named.

    Raises:
        CallError: that is no name of a directory.
    """
    try:
        path = Path(directory)
    except TypeError:
        path = Path("\0")
    if "\0" in str(path):
        raise CallError(f"{directory!r:.60} is no name of a directory", "directory")
    return path


class HandOver(Protocol):
    """What later stages do with a kernel; the pipeline supplies it, because imports point backwards."""

    def export(
        self,
        kernel: Kernel,
        directory: Path,
        name: str | None,
        march: str | None,
        *,
        source_only: bool = False,
        version: str = "1.0.0",
    ) -> tuple[Path, ...]:
        """Write libraries for C, or C files only; see `polyad.export.library`."""
        ...

    def describe(self, kernel: Kernel) -> str:
        """Describe the kernel in text; see `polyad.inspect.describe.describe`."""
        ...

    def explain(self, kernel: Kernel) -> str:
        """Show every stage of the kernel; see `polyad.inspect.explain.explain`."""
        ...

    def plain(self, kernel: Kernel) -> Kernel:
        """The same definition compiled with `optimize=0`."""
        ...

    def values(
        self, kernel: Kernel, arrays: Sequence[str], inputs: Mapping[str, NumpyArray], sizes: Mapping[str, int]
    ) -> Mapping[str, NumpyArray]:
        """What arrays of `kernel.program` hold; elements that nothing defines hold anything."""
        ...
