"""Learning to evaluate positions: datasets, models fitted to them, self-play, and tuning the weights of heuristics."""
