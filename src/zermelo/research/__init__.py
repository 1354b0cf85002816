"""For researchers: games as arrays, records as tables, and environments for reinforcement learning."""
