"""Linear algebra under the names of NumPy, and of SciPy where NumPy has none; `polyad.linalg` is the same module.

Each is a definition by recurrences and sums: it has derivatives, batches and C of its own, and needs no library. The
matrices are the last two dimensions, the others a batch. docs/decisions/0070-linear-algebra-is-defined.md says why.
"""

from polyad.frontend.absent_names import LINALG as _ABSENT
from polyad.frontend.absent_names import explain_absence as _explain_absence
from polyad.frontend.given_arguments import NUMPYS_NAMES as _NUMPYS_NAMES
from polyad.frontend.given_arguments import explain_arguments as _explain_arguments
from polyad.numpy.diagonals import diagonal, trace
from polyad.numpy.linalg.banded import solve_banded, tridiagonal_solve
from polyad.numpy.linalg.cholesky import cho_factor, cholesky
from polyad.numpy.linalg.eigh import EighResult, eigh, eigvalsh
from polyad.numpy.linalg.exponential import expm
from polyad.numpy.linalg.lu import SlogdetResult, det, inv, lu, slogdet, solve
from polyad.numpy.linalg.norms import matrix_norm, norm, vector_norm
from polyad.numpy.linalg.products import cross, matrix_power, multi_dot, vecdot
from polyad.numpy.linalg.qr import LstsqResult, QRResult, lstsq, qr
from polyad.numpy.linalg.triangular import cho_solve, solve_triangular
from polyad.numpy.matmul import matmul, outer, tensordot
from polyad.numpy.permutation import matrix_transpose

__all__ = [
    "expm",
    "solve_banded",
    "tridiagonal_solve",
    "eigh",
    "eigvalsh",
    "lstsq",
    "qr",
    "matrix_transpose",
    "tensordot",
    "outer",
    "matmul",
    "trace",
    "diagonal",
    "vecdot",
    "multi_dot",
    "matrix_power",
    "cross",
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

_explain_arguments("polyad.numpy.linalg", __all__, globals(), _NUMPYS_NAMES)

__all__ += ["EighResult", "LstsqResult", "QRResult", "SlogdetResult"]

__getattr__ = _explain_absence("module 'polyad.numpy.linalg'", __all__, _ABSENT, {})
