"""Measuring the few numbers that vary from machine to machine: once, and where the user asks (docs/decisions/0029)."""
