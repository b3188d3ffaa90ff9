"""Benchmarks: polyad and its peers on the same work, in the same run.

    python -m benchmarks                                     all workloads, all peers that are installed
    python -m benchmarks lstm --peer torch --threads 1,2

Each contender lives in a process of its own, so that thread pools and allocators do not disturb each other. Before
anything is timed their results are compared. Then they take turns, round after round, and the medians of all rounds and
their ratios are printed: a ratio is time of the peer / time of polyad, so above 1 polyad is faster.
"""
