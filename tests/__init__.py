"""The tests of polyad. The folders mirror those of `polyad/`; `docs/` and `project/` check the repository itself."""

import os
import sys

# Before NumPy and OpenMP are loaded: several processes of tests share the cores, and threads that wait for work by
# looking for it would take them from those that work. What NumPy multiplies here is small. Benchmarks time C functions
# that tests have, too: they wait as everybody's kernels do.
if "pytest" in sys.modules:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
