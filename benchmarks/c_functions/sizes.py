"""At which sizes the functions are timed: C takes some milliseconds, so that what a call costs beside is nothing."""

from collections.abc import Mapping

__all__ = ["SIZES"]

SIZES: Mapping[str, Mapping[str, int]] = {
    # products of matrices and vectors
    "gemm": {"n": 200, "m": 200, "k": 200},
    "two_mm": {"n": 180, "m": 180, "k": 180, "l": 180},
    "three_mm": {"N": 180, "M": 180, "K": 180, "L": 180},
    "atax": {"m": 1200, "n": 1200},
    "bicg": {"n": 1200, "m": 1200},
    "mvt": {"n": 1200},
    "gemver": {"n": 1000},
    "gesummv": {"n": 1000},
    "syrk": {"n": 200, "m": 200},
    "syr2k": {"n": 200, "m": 200},
    "symm": {"m": 200, "n": 200},
    "trmm": {"m": 200, "n": 200},
    "doitgen": {"R": 40, "Q": 60, "P": 80},
    "covariance": {"m": 160, "n": 250},
    "correlation": {"m": 160, "n": 250},
    # solvers
    "trisolv": {"n": 1500},
    "cholesky": {"n": 300},
    "lu": {"n": 300},
    "ludcmp": {"n": 250},
    "durbin": {"n": 2000},
    "gramschmidt": {"m": 150, "n": 150},
    # grids
    "jacobi_1d": {"steps": 500, "n": 8000},
    "jacobi_2d": {"STEPS": 40, "N": 250},
    "seidel_2d": {"steps": 20, "n": 200},
    "heat_3d": {"steps": 10, "n": 50},
    "fdtd_2d": {"steps": 40, "nx": 200, "ny": 240},
    "adi": {"steps": 10, "n": 150},
    "deriche": {"w": 500, "h": 400},
    "image_pipeline": {"h": 600, "w": 500},
    "spectral_filter": {"n": 40000, "K": 16},
    # paths and pairs
    "floyd_warshall": {"n": 150},
    "nussinov": {"n": 200},
    "soft_dtw": {"n": 200, "m": 200, "D": 40},
    # along time
    "lstm": {"T": 20, "B": 16, "D": 32, "H": 64, "K": 10},
    "gru": {"T": 20, "B": 16, "D": 32, "H": 64, "K": 10},
    "kalman": {"T": 300, "n": 16, "m": 8},
    "neural_ode": {"steps": 200, "D": 40, "H": 80},
    "adbench_lstm": {"L": 4, "C": 1024, "B": 14},
    "adbench_gmm": {"K": 25, "D": 10, "N": 3000, "P": 45},
}
"""Case of the tests -> sizes."""
