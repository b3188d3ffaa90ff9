"""State of scheduling: statements that are left, loops around them, dependences, accesses."""
