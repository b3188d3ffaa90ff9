"""Variants of exported code: one for each generation of processors, chosen when it runs.

A library that leaves the house must run on any processor of its architecture, and fast on those of today. The levels
are those of the x86-64 ABI as far as generated code is concerned (vectors, fused multiply-add, bit counts), spelled as
the features that old compilers know and the processor can be asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BASELINE", "VARIANTS", "Variant"]


@dataclass(frozen=True, slots=True)
class Variant:
    """Code for processors with some instruction sets.

    Attributes:
        suffix: of its C functions.
        features: what the processor is asked for, as in `__builtin_cpu_supports`.
        flags: compiler arguments that let these instructions be used.
    """

    suffix: str
    features: tuple[str, ...]
    flags: tuple[str, ...]


def _variant(suffix: str, *features: str) -> Variant:
    return Variant(suffix, features, tuple(f"-m{f}" for f in features))


_V2 = ("sse4.2", "popcnt")
_V3 = (*_V2, "avx2", "fma", "bmi", "bmi2")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")

BASELINE = Variant("x86_64", (), ())
"""What every processor of the architecture runs."""

VARIANTS = (
    _variant("x86_64_v4", *_V4),
    _variant("x86_64_v3", *_V3),
    _variant("x86_64_v2", *_V2),
    BASELINE,
)
"""Best first; the last asks for nothing."""
