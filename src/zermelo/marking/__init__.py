"""Marks for what students hand in: a rubric, hidden cases, a separate process for their code, and files of marks."""
