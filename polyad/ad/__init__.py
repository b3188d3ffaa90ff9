"""Automatic differentiation, Program -> Program: reverse mode turns access relations around, forward mode goes along.

Entry points: `reverse.reverse`, `forward.tangent`, `overrides.Override`; they return a `derivative.Derivative`.
"""
