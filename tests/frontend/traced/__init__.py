"""Tests of further transformations of functions."""
