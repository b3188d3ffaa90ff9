"""The C of a kernel read back, and compared with its plan."""
