"""Learning to judge positions: data, features, models, and the heuristics that they become."""
