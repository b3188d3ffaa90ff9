"""Random numbers in the words of `jax.random`: functions of a key, the same bits on every target.

Nothing has a state. A key is an array uint32[2]; each draw is a definition of tensors by it, so that it runs inside of
the kernel that uses it, under `jit`, `vmap`, `grad` and in scans. For new numbers take a new key: `split`, `fold_in`.
"""

from polyad.frontend.absent_names import RANDOM as _ABSENT
from polyad.frontend.absent_names import explain_absence as _explain_absence
from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.random.bits import bits, uniform
from polyad.random.distributions import (
    bernoulli,
    categorical,
    choice,
    exponential,
    gumbel,
    normal,
    randint,
    truncated_normal,
)
from polyad.random.keys import PRNGKey, fold_in, key, split

__all__ = [
    "PRNGKey",
    "bernoulli",
    "bits",
    "categorical",
    "choice",
    "exponential",
    "fold_in",
    "gumbel",
    "key",
    "normal",
    "randint",
    "split",
    "truncated_normal",
    "uniform",
]

__getattr__ = _explain_absence("module 'polyad.random'", __all__, _ABSENT, {})

_explain_arguments("polyad.random", __all__, globals())
