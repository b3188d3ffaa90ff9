"""From schedule to loops: isl's AST is read, and what it runs, and in which order, is proved."""
