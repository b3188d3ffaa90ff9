"""What later stages do with a kernel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from polyad.runtime.kernel import Kernel

__all__ = ["HandOver"]


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

    def plain(self, kernel: Kernel) -> Kernel:
        """The same definition compiled with `optimize=0`."""
        ...
