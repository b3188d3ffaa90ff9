"""Linear algebra against LAPACK, through NumPy and SciPy."""
