"""The C function itself, as `-O3 -march=native` has it."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.c_functions.function import Function
from tests.pet.case import DTYPES
from tests.pet.corpus import SCALARS

__all__ = ["FLAGS", "Plain"]

FLAGS = ("-std=c99", "-O3", "-march=native", "-fPIC", "-shared")


class Plain:
    """The function, called with nothing; what it overwrites is put back before."""

    def __init__(self, function: Function, folder: Path) -> None:
        source, library = folder / f"{function.name}.c", folder / f"{function.name}.so"
        source.write_text(function.text)
        subprocess.run(["cc", *FLAGS, "-o", str(library), str(source), "-lm"], check=True)
        self._function: Any = getattr(ctypes.CDLL(str(library)), function.name)
        self._function.restype = None
        arrays = {
            p.name: np.array(function.given[p.name], DTYPES[p.type], order="C")
            for p in function.parameters
            if p.is_array
        }
        self._kept = arrays
        self._first = [(arrays[n], arrays[n].copy()) for n in function.case.updates]
        self._own = function
        self._passed = self._pointers(function.given)
        self.values = {n: arrays[n] for n in function.written}

    def _pointers(self, given: Mapping[str, Any]) -> list[Any]:
        return [
            ctypes.c_void_p(self._kept[p.name].ctypes.data) if p.is_array else SCALARS[p.type](given[p.name])
            for p in self._own.parameters
        ]

    def slope(self, steps: Mapping[str, Any], h: float = 1e-6) -> float:
        """How fast <seed, output> grows along steps of the arguments, by central differences."""
        case, given = self._own.case, self._own.given
        found = []
        for sign in (1, -1):
            moved = {**given, **{n: given[n] + sign * h * step for n, step in steps.items()}}
            for name, array in self._kept.items():
                array[...] = moved[name]
            self._function(*self._pointers(moved))
            found.append(float(np.vdot(self._own.seed(), self._kept[case.of])))
        for name, array in self._kept.items():
            array[...] = given[name]
        return (found[0] - found[1]) / (2 * h)

    def __call__(self) -> None:
        for array, first in self._first:
            array[...] = first
        self._function(*self._passed)
