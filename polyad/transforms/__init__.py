"""Transforms: functions from a program to an equal program that says it with less work (docs/architecture.md)."""
