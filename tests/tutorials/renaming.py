"""The way back from a program of the folder `programs` to JAX: imports renamed, changed lines as they were.

A line that polyad wants otherwise ends with `# JAX: ` and what it was.
"""

import re

__all__ = ["MOST_CHANGES", "as_jax", "changes"]

MOST_CHANGES = 3
"""Lines of a program, beside its imports, that may differ from JAX's."""

_CHANGED = re.compile(r"^( *)\S.*  # JAX: (.*)$", re.MULTILINE)
_IMPORTS = {
    "import polyad as jax": "import jax",
    "import polyad as lax": "from jax import lax",
    "import polyad.numpy as jnp": "import jax.numpy as jnp",
    "from polyad import Tensor as Array": "from jax import Array",
    "from polyad import random": "from jax import random",
    "from polyad.nn import logsumexp": "from jax.scipy.special import logsumexp",
    "from polyad.numpy.linalg import solve_triangular": "from jax.scipy.linalg import solve_triangular",
}


def changes(text: str) -> int:
    """How many lines differ from JAX's, without those that import."""
    return len(_CHANGED.findall(text))


def as_jax(text: str) -> str:
    """The program for JAX."""
    text = _CHANGED.sub(r"\1\2", text)
    lines = [_IMPORTS.get(line, line) for line in text.splitlines()]
    assert not any("polyad" in line for line in lines), "a line that is neither renamed nor marked"
    return "\n".join(lines) + "\n"
