"""Functions along an axis as of a signal: differences, convolutions, interpolation."""

from polyad.numpy.signals.convolve import convolve, correlate
from polyad.numpy.signals.differences import diff, ediff1d, trapezoid
from polyad.numpy.signals.interp import interp

__all__ = ["convolve", "correlate", "diff", "ediff1d", "interp", "trapezoid"]
