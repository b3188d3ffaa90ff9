"""The certifier for all sizes."""
