"""Analyse: dependences, contractions, how much a program executes, and at which sizes (docs/architecture.md)."""
