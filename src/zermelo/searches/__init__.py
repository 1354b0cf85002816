"""The searches, compiled and without knowledge of any game: textbook searches, the engine, MCTS, proofs, perft."""
