"""Linear algebra under the names of NumPy, and of SciPy where NumPy has none; `polyad.linalg` is the same module.

Each is a definition by recurrences and sums: it has derivatives, batches and C of its own, and needs no library. The
matrices are the last two dimensions, the others a batch. docs/decisions/0070-linear-algebra-is-defined.md says why.
"""

from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.numpy.linalg.cholesky import cho_factor, cholesky
from polyad.numpy.linalg.lu import SlogdetResult, det, inv, lu, slogdet, solve
from polyad.numpy.linalg.norms import matrix_norm, norm, vector_norm
from polyad.numpy.linalg.triangular import cho_solve, solve_triangular

__all__ = [
    "cho_factor",
    "cho_solve",
    "cholesky",
    "det",
    "inv",
    "lu",
    "matrix_norm",
    "norm",
    "slogdet",
    "solve",
    "solve_triangular",
    "vector_norm",
]

_explain_arguments("polyad.numpy.linalg", __all__, globals())

__all__ += ["SlogdetResult"]
