"""The collector of cycles has the thresholds of the program again when a kernel is made, and when making it fails."""

import gc

import pytest

from polyad.runtime.collector import few_collections


@pytest.mark.parametrize("own", [(700, 10, 10), (100_000, 5, 5), (0, 10, 10)])
def test_thresholds_are_restored(own: tuple[int, int, int]) -> None:
    kept = gc.get_threshold()
    try:
        gc.set_threshold(*own)
        with few_collections():
            assert gc.get_threshold()[0] == (50_000 if own[0] == 700 else own[0])
        assert gc.get_threshold() == own
        with pytest.raises(ZeroDivisionError), few_collections():
            print(1 // 0)
        assert gc.get_threshold() == own
    finally:
        gc.set_threshold(*kept)
