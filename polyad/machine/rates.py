"""How fast GPUs are, for the expected times of launches (inspect/launch_lines.py); no result depends on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from polyad.machine.device import DEVICE, LIMITS, Limits

__all__ = ["RATES", "Rates"]


@dataclass(frozen=True, slots=True)
class Rates:
    """The speed of a device.

    Attributes:
        name: as people write it.
        limits: of its blocks.
        bandwidth: bytes a second between memory and multiprocessors, as a long pointwise chain moves them.
        operations: bytes of a number -> scalar operations a second (analysis/statement_cost.py), as tiles do them.
        step_operations: the same in the steps of a recurrence, where each block waits for its shared memory.
        launch: seconds from the end of one kernel to the beginning of the next.
        phases: seconds of a phase that has nothing to compute: a meeting, and reads of what others wrote; of a "block",
            a "cluster", and blocks that "count" in memory.
    """

    name: str
    limits: Limits
    bandwidth: float
    operations: Mapping[int, float]
    step_operations: Mapping[int, float]
    launch: float
    phases: Mapping[str, float]

    def share(self, blocks: int, threads: int) -> float:
        """The part of the device that so many blocks keep busy."""
        busy = self.limits.multiprocessors * DEVICE.busy_warps * DEVICE.warp
        return min(1.0, blocks * threads / busy, blocks / self.limits.multiprocessors)


# Measured on an H200 (docs/performance-cuda.md, decision 63 for the launch): chain_16M moves three arrays of 64 MB in
# 0.077 ms; matmul_1024 has 3 * 1024**3 operations in 0.078 ms, doubles are half as fast on paper (34 and 67 TFLOP/s);
# lstm_T100_B64_H512 has 4e10 operations in its steps, in the 5.3 ms that its phases and its four products outside of
# the steps leave of 8.4. Networks of 100 steps have 400 phases: B 1, H 64, a block, in 0.51 ms, B 1, H 512, 64 blocks
# that count, in 1.43, B 16, H 128, clusters, in 0.77. Of each, launches are taken off, and what the rates say.
_H200 = Rates(
    name="H200",
    limits=LIMITS,
    bandwidth=2.6e12,
    operations={4: 4.1e13, 8: 2.0e13},
    step_operations={4: 7.6e12, 8: 3.8e12},
    launch=3e-6,
    phases={"block": 0.7e-6, "cluster": 1.2e-6, "count": 2.5e-6},
)

RATES = {
    "h200": _H200,
    # Memory by the data sheets, 3.35 and 4.8 TB/s; the chip is the same.
    "h100": replace(_H200, name="H100", bandwidth=_H200.bandwidth * 3.35 / 4.8),
    # By the data sheets: 2.04 TB/s, 19.5 TFLOP/s of float32, 9.7 of float64, 108 multiprocessors, 163 KB, no clusters.
    "a100": replace(
        _H200,
        name="A100",
        limits=Limits(108, 166912, 1),
        bandwidth=_H200.bandwidth * 2.04 / 4.8,
        operations={4: 4.1e13 * 19.5 / 67, 8: 2.0e13 * 9.7 / 34},
        step_operations={4: 7.6e12 * 19.5 / 67, 8: 3.8e12 * 9.7 / 34},
    ),
}
"""Name in small letters -> device."""
