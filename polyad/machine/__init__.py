"""Numbers of a machine. `python -m polyad.machine` measures the few numbers that vary from one to the next."""

from polyad.machine.record import MACHINE, TINY, Like, Machine

__all__ = ["MACHINE", "TINY", "Like", "Machine"]
