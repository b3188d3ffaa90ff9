"""What passes are made of, and rewrites that no list holds."""
