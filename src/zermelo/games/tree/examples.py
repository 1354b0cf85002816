"""The tree that the page begins with when somebody writes one."""

TREE = """\
[children]
A = ["B", "C", "D"]
B = ["E", "F", "G"]
C = ["H", "I", "J"]
D = ["K", "L", "M"]

[scores]
E = 3
F = 12
G = 8
H = 2
I = 4
J = 6
K = 14
L = 5
M = 2
"""
