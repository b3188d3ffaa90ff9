"""Options of a target for GPUs: what each may be, and which belong to a CPU."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from polyad.errors import CallError
from polyad.machine import MACHINE

__all__ = ["DEFAULT_ARCH", "OLDEST", "check_options"]

DEFAULT_ARCH = "compute_80"
"""Compiled for where no device says what it is: devices of this generation and all later ones run it."""

OLDEST = 75
"""The oldest generation that today's compilers know: Turing."""

_ARCH = re.compile(r"(sm|compute)_(\d{2,3})[af]?")

_OF_CPU = {"march": "native", "blas": None, "machine": MACHINE}
_OF_GPU = {"arch": None, "math": "ieee", "atomics": False, "cublas": False}
"""Option -> the value that says nothing."""


def check_options(target: str, gpu: bool, options: Mapping[str, Any]) -> None:
    """Refuse options that a target has no use for, and values that are none of an option.

    Args:
        target: its name.
        gpu: whether it is one for GPUs.
        options: name -> value, of all of them.

    Raises:
        CallError: names the option.
    """
    for name, usual in (_OF_CPU if gpu else _OF_GPU).items():
        if options[name] != usual or type(options[name]) is not type(usual):
            whose, cure = ("a CPU", "leave it out") if gpu else ("a GPU", "leave it out, or use Target('cuda')")
            raise CallError(f"Target({target!r}, {name}={options[name]!r}): that is an option of {whose}; {cure}", name)
    if not gpu:
        return
    arch = options["arch"]
    if arch is not None:
        found = _ARCH.fullmatch(arch) if isinstance(arch, str) else None
        if found is None:
            raise CallError(
                f"Target(arch={arch!r}): expected a GPU in NVIDIA's words, such as 'sm_90' (machine code) or "
                "'compute_80' (for devices of that generation and later ones)",
                "arch",
            )
        if int(found[2]) < OLDEST:
            raise CallError(f"Target(arch={arch!r}): compilers know no GPU before sm_{OLDEST} any more", "arch")
    if options["math"] != "ieee":
        raise CallError(f"Target(math={options['math']!r}): this version knows 'ieee' only", "math")
    for name in ("atomics", "cublas"):
        if options[name] is not False:
            raise CallError(f"Target({name}={options[name]!r}): this version knows False only", name)
