"""Leaves of a call of a traced function: each as an array that a kernel takes, and the name of its placeholder."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from functools import cache
from typing import Any

import numpy as np

from polyad.errors import CallError, PolyadError
from polyad.frontend.complex_numbers.parts import part_type
from polyad.frontend.pytrees import flatten_with_paths
from polyad.frontend.symbols import check_identifier
from polyad.ir.element_types import accepted_type, instead_of
from polyad.runtime.foreign_arrays import read_array, refusal

__all__ = ["leaf_array", "leaf_name", "reader_of"]


def leaf_name(path: str, signature: Sequence[str], taken: set[str]) -> str:
    """args[0][1]['W'] of f(x, params) -> params_W: an identifier nobody has."""
    match = re.match(r"args\[0\]\[(\d+)\](.*)", path)
    if match:
        n = int(match[1])
        path = (signature[n] if n < len(signature) else f"arg{n}") + match[2]
    else:
        path = path.replace("args[1]", "", 1)
    words = "_".join(re.findall(r"[A-Za-z0-9_]+", path)) or "arg"
    try:
        name = check_identifier(words if not words[0].isdigit() else f"arg_{words}", "argument")
    except PolyadError:
        name = f"{words}_"
    base, n = name, 1
    while name in taken:
        name, n = f"{base}_{n}", n + 1
    taken.add(name)
    return name


@cache
def reader_of(on_gpu: bool) -> Callable[[Any], Any]:
    """The function that says what an array on a device is, and None of all others."""
    if not on_gpu:
        return lambda x: None
    from polyad.runtime.cuda.libraries import device_view  # only where a GPU is asked for: it takes a while

    return device_view


def leaf_array(x: Any, n: int, args: Any, kwargs: Any, on_device: Callable[[Any], Any]) -> Any:
    """A leaf as an array of a supported type; where the function runs on a GPU, what is said of an array there."""
    try:
        array = on_device(x) or read_array(x)
    except CallError as problem:
        path = flatten_with_paths((args, kwargs), "args")[0][n]
        raise CallError(f"argument {path}: {problem}", path) from problem
    except Exception as problem:  # another library's
        path = flatten_with_paths((args, kwargs), "args")[0][n]
        raise refusal(x, f"argument {path}", path, problem) from problem
    known = array.dtype.kind in "fiub" or accepted_type(array.dtype) or part_type(array.dtype)
    if type(array) is np.ndarray and not known:
        path = flatten_with_paths((args, kwargs), "args")[0][n]
        raise CallError(
            f"argument {path} is {type(x).__name__} of type {array.dtype}; functions of polyad take arrays and numbers "
            f"(close over anything else); {_instead(x, array, path)}",
            path,
        )
    return array


def _instead(x: Any, array: np.ndarray, path: str) -> str:
    """Say what to do with a leaf that is no array."""
    if is_dataclass(x):
        return (
            "dataclasses are taken apart once optree knows them: @optree.dataclasses.dataclass(namespace='polyad') in "
            f"the place of @dataclass before {type(x).__name__}"
        )
    return instead_of(array.dtype, path)
