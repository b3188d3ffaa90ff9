"""Records as JSON values, for a cache on disk: dicts by the names of their fields, lists, texts and numbers.

The types of the fields say how to read them: records, tuples, mappings from names, and what may be None or a name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

__all__ = ["as_json", "from_json"]


def as_json(value: Any) -> Any:
    """The JSON values that stand for a record, or for what a field of it holds."""
    if isinstance(value, tuple):
        return [as_json(v) for v in value]
    if isinstance(value, Mapping):
        return {key: as_json(v) for key, v in value.items()}
    return {f.name: as_json(getattr(value, f.name)) for f in fields(value)} if is_dataclass(value) else value


def from_json(kind: Any, data: Any) -> Any:
    """The inverse of `as_json`.

    Args:
        kind: the type of the value.
        data: what stands for it; what else it holds raises a KeyError, TypeError, ValueError or AttributeError.
    """
    return _reader(kind)(data)


@cache
def _reader(kind: Any) -> Callable[[Any], Any]:
    """Return the reader of a type; those of its parts are asked for late, since types hold each other."""
    origin, args = get_origin(kind), get_args(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind)
        return lambda data: kind(**{name: _reader(hint)(data[name]) for name, hint in hints.items()})
    if origin is tuple and args[-1] is Ellipsis:
        return lambda data: tuple(map(_reader(args[0]), data))
    if origin is tuple:
        return lambda data: tuple(_reader(arg)(d) for arg, d in zip(args, data, strict=True))
    if origin is Mapping:
        return lambda data: {key: _reader(args[1])(d) for key, d in data.items()}
    if origin is UnionType:
        (record,) = (arg for arg in args if arg not in (NoneType, str))
        return lambda data: _reader(record)(data) if isinstance(data, dict) else data
    return lambda data: data
