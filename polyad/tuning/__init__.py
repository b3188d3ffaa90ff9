"""Measured schedules: candidates are proved legal, certified, run in a process of their own, and measured in turns."""
