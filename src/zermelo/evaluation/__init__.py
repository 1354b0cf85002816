"""Whatever can be turned into a heuristic: features, tables, nets, models, and the files that hold their weights."""
