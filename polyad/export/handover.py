"""What the pipeline gives each kernel so that it can export and describe itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from polyad.export.library import export
from polyad.inspect.describe import describe
from polyad.runtime.kernel import Kernel

__all__ = ["Libraries"]


@dataclass(frozen=True, slots=True)
class Libraries:
    """The `HandOver` of all kernels; it holds nothing, so it pickles with them."""

    def export(self, kernel: Kernel, directory: Path, name: str | None, march: str | None) -> tuple[Path, ...]:
        """See `polyad.export.library.export`."""
        return export(kernel, directory, name, march)

    def describe(self, kernel: Kernel) -> str:
        """See `polyad.inspect.describe.describe`."""
        return describe(kernel)
