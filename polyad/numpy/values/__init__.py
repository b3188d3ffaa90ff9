"""Values by themselves: constants, element types, what is finite, what is close."""

from polyad.numpy.values import constants as _constants
from polyad.numpy.values.comparisons import allclose, array_equal, isclose
from polyad.numpy.values.constants import *  # noqa: F403 - in __all__ by its own
from polyad.numpy.values.nonfinite import (
    isfinite,
    isinf,
    isneginf,
    isposinf,
    nan_to_num,
    nanmax,
    nanmean,
    nanmin,
    nansum,
)

__all__ = [
    *_constants.__all__,
    "allclose",
    "array_equal",
    "isclose",
    "isfinite",
    "isinf",
    "isneginf",
    "isposinf",
    "nan_to_num",
    "nanmax",
    "nanmean",
    "nanmin",
    "nansum",
]
