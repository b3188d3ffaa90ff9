"""The languages that kernels are written in."""

from collections.abc import Mapping

from polyad.codegen.cuda.source import CUDA
from polyad.codegen.generate import C, Language

__all__ = ["LANGUAGES"]

LANGUAGES: Mapping[str, Language] = {"c": C, "cuda": CUDA}
"""By the name that a target has for it (targets/target.py)."""
