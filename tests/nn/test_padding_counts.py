"""A border of zeros is no part of a convolution: its terms are the taps on the image, forward and backward."""

from random import Random

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn


def taps_on_image(extent: int, size: int, stride: int, padding: int, dilation: int) -> int:
    """Pairs of a window and one of its taps that lies on the image, along one dimension."""
    windows = (extent + 2 * padding - dilation * (size - 1) - 1) // stride + 1
    places = (i * stride + k * dilation - padding for i in range(windows) for k in range(size))
    return sum(0 <= place < extent for place in places)


@pytest.mark.parametrize("number", range(12))
@pytest.mark.quick_cases(4)
def test_terms_are_taps_on_the_image(number: int) -> None:
    """As they are defined; from the second level of optimisation on, the macro-kernel gets boxes."""
    random = Random(f"padding {number}")
    N, C, F, size = random.randint(1, 2), random.randint(2, 3), random.randint(2, 3), random.randint(2, 3)
    stride, padding, dilation = random.randint(1, 2), random.randint(1, 2), random.randint(1, 2)
    rows, columns = random.randint(5, 9), random.randint(5, 9)
    x, w = pa.placeholder((N, C, rows, columns), "x", "float64"), pa.placeholder((F, C, size, size), "w", "float64")
    y = nn.conv2d(x, w, stride=stride, padding=padding, dilation=dilation)
    h = pa.placeholder(y.shape, "h", "float64")
    bars = pa.differentiate(pn.sum(y * h), [x, w])
    each = [taps_on_image(e, size, stride, padding, dilation) for e in (rows, columns)]
    products = N * C * F * each[0] * each[1]
    plain = pa.Target("c", optimize=1)
    rng = np.random.default_rng(number)
    shape = tuple(int(str(e)) for e in y.shape)
    given = {"x": rng.normal(size=(N, C, rows, columns)), "w": rng.normal(size=(F, C, size, size))}
    given["h"] = rng.normal(size=shape)
    for outputs, names in ((y, "xw"), (bars[x], "wh"), (bars[w], "xh")):
        kernel = pa.compile(outputs, target=plain)
        counts = kernel.instances()
        assert max(c for n, c in counts.items() if "init" not in n) == products
        inputs = {n: given[n] for n in names}
        np.testing.assert_allclose(kernel(**inputs), pa.compile(outputs)(**inputs), rtol=1e-11, atol=1e-12)
