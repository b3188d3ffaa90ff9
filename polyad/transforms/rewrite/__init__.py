"""The pieces of passes, and rewrites that no list holds."""
