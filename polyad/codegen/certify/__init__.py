"""The certifier: what the final loops do to memory, held against what the program says."""
