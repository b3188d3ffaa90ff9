"""Analyse: dependences, contractions, and how much a program executes (docs/architecture.md)."""
