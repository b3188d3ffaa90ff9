"""The status codes of generated functions, as polyad_runtime.h names them."""

from enum import IntEnum

__all__ = ["Status"]


class Status(IntEnum):
    """The result of a generated function; the header spells them POLYAD_OK and POLYAD_ERROR_<name>."""

    OK = 0
    NULL = -1
    WORKSPACE = -2
    SIZE = -3
    INDEX = -4
