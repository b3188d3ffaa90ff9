"""Orders of few elements, by counting comparisons, and places in an order that is there."""

from polyad.numpy.order.bins import bincount, digitize, histogram, histogram_bin_edges, searchsorted
from polyad.numpy.order.quantiles import median, percentile, quantile
from polyad.numpy.order.ranks import argsort, sort, top_k

__all__ = [
    "argsort",
    "bincount",
    "digitize",
    "histogram",
    "histogram_bin_edges",
    "median",
    "percentile",
    "quantile",
    "searchsorted",
    "sort",
    "top_k",
]
