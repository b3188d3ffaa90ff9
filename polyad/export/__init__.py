"""Handing kernels over to C projects."""

from polyad.export.handover import Libraries
from polyad.export.library import export

__all__ = ["Libraries", "export"]
