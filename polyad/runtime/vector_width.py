"""How wide the vectors are in which results of reductions are computed."""

from __future__ import annotations

import re

from polyad.runtime.cpu import this_cpu

__all__ = ["vector_bytes"]

PORTABLE = 32
"""A register of AVX, two of SSE and NEON: what is generated for any machine."""

WIDE = 64
"""A register of AVX-512."""

_WIDE_MACHINES = re.compile(r"x86-64-v4|skylake-avx512|cascadelake|icelake|sapphirerapids|znver[45]")


def vector_bytes(march: str | None) -> int:
    """The bytes of a vector on the machine that is compiled for.

    Args:
        march: as in `Target`.
    """
    if march == "native":
        return WIDE if "avx512f" in this_cpu().features else PORTABLE
    return WIDE if march is not None and _WIDE_MACHINES.match(march) else PORTABLE
