"""The campaign: random programs over the whole public surface, judged by references that share nothing with polyad.

    python -m tests.campaign --programs 1000 --seed 1

A program is a few lines of Python over one namespace `m` (draft.py), drawn from a seed by one of the classes in
`classes/`. The same text runs on polyad (words_polyad.py), on NumPy with dual numbers (words_reference.py) and, where
JAX is installed, on JAX (words_jax.py). `trial.py` compiles a batch of them with one run of the C compiler, runs each
in memory full of NaN and then of large numbers, and judges values and derivatives; `pool.py` survives crashes and
hangs; `shrink.py` makes failures short.
"""
