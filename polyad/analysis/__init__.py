"""Analyse: the dependences of a program, how much it executes, and at which sizes (docs/architecture.md)."""
