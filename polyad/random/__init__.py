"""Random numbers in the words of `jax.random`: functions of a key, the same bits on every target.

Nothing has a state. A key is an array uint32[2]; each draw is a definition of tensors by it, so that it runs inside of
the kernel that uses it, under `jit`, `vmap`, `grad` and in scans. For new numbers take a new key: `split`, `fold_in`.
"""

from polyad.random.bits import bits, uniform
from polyad.random.keys import PRNGKey, fold_in, key, split

__all__ = ["PRNGKey", "bits", "fold_in", "key", "split", "uniform"]
