"""Inspecting: kernels as text (describe.py), and the machine that they run on (doctor.py).

Nothing is imported here: `polyad doctor` has to work where half of what kernels need is missing.
"""
