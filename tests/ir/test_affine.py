"""Index expressions as keys: equal ones have one hash, which stays in its process."""

import pickle

from polyad.ir.affine import Affine


def test_what_is_pickled_holds_no_hash() -> None:
    """Names have other hashes in another process, where equal expressions would no longer be found in tables."""
    value = Affine.of("n") * 2 + 1
    assert hash(value) == hash(1 + 2 * Affine.of("n"))
    again = pickle.loads(pickle.dumps(value))
    assert again == value and set(again.__dict__) == {"terms", "constant"}
