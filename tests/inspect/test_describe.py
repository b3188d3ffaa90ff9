from polyad.inspect.describe import describe
from tests.runtime.handmade import COUNT, ENERGY, kernel_of


def test_the_description_has_all_parts() -> None:
    text = describe(kernel_of(ENERGY))
    assert text.startswith("kernel energy, target openmp (march=native, optimize=3)\n\nsizes\n  N, K\n\n")
    for part in (
        "inputs\n  A: float64[N, K]\n  x: float64[K]\n",
        "outputs\n  y: float64[N]\n  loss: float64[]\n",
        "program\n  program energy:",
        "schedule\n",
        "workspace\n  float64[N]: z\n",
        "compiled with\n",
        " -O3 ",
    ):
        assert part in text


def test_what_there_is_not_is_said() -> None:
    text = describe(kernel_of(COUNT, "c"))
    assert "inputs\n  none\n" in text
    assert "workspace\n  none\n" in text
