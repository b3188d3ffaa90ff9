"""Targets: what code can be generated for, and with which compiler arguments."""

from polyad.targets.blas import BLAS
from polyad.targets.flags import compile_flags
from polyad.targets.target import DEFAULT_TARGET, TARGETS, Backend, Target, resolve

__all__ = ["BLAS", "DEFAULT_TARGET", "TARGETS", "Backend", "Target", "compile_flags", "resolve"]
