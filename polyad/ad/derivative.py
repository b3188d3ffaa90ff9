"""The result of differentiation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyad.ir.program import Program

__all__ = ["Derivative"]


@dataclass(frozen=True, slots=True, eq=False)
class Derivative:
    """A program that computes derivatives.

    Attributes:
        program: the statements of the primal, then those of the derivative. Inputs and outputs are the primal's; arrays
            of derivatives are temporaries until somebody asks for them.
        arrays: primal array -> its adjoint (reverse mode) or tangent (forward mode), for every active array and every
            array that was asked for. Those that were asked for are defined on all their elements.
        again: copy that the derivative computes again -> the primal array.
    """

    program: Program
    arrays: Mapping[str, str]
    again: Mapping[str, str] = field(default_factory=dict)

    @property
    def adjoints(self) -> Mapping[str, str]:
        """`arrays`, in the words of reverse mode."""
        return self.arrays

    @property
    def tangents(self) -> Mapping[str, str]:
        """`arrays`, in the words of forward mode."""
        return self.arrays
