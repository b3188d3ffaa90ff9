"""Generate: loops, storage and C text from a program and a schedule (docs/architecture.md)."""
