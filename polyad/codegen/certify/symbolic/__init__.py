"""The certifier for all sizes: what the final loops do to memory as integer sets and maps, held against the program."""
