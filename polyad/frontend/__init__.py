"""Define: what users type in Python, to equations (docs/architecture.md)."""
