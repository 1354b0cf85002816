"""Does it keep its promise? Tries what users write, such as heuristics, and says what is wrong with it, and where."""
