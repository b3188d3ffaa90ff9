"""What scheduling knows: statements that are left, loops around them, dependences, accesses."""
