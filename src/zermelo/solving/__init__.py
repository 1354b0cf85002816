"""Exact values: what a solution is, the games' own solvers, and solving any position."""
