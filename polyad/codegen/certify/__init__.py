"""The certifier: what the final loops do to memory, at given sizes, held against what the program says."""
