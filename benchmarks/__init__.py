"""Benchmarks: polyad and its peers on the same work, in the same run.

    python -m benchmarks                                        everything, all peers that are installed
    python -m benchmarks lstm matmul --peer torch --threads 1,2
    python -m benchmarks lstm --cases "H64 f32"                 some cases only
    python -m benchmarks --quick --json run.json                a glance, kept in a file
    python -m benchmarks --page run.json                        the page docs/performance.md of such a file

Each contender lives in a process of its own, so that thread pools and allocators do not disturb each other. Before
anything is timed their results are compared with those of a peer in double precision. Then they take turns, round
after round, and the medians of all rounds are printed with the ratio time of polyad / time of the best peer, so below
1 polyad is faster.
"""
