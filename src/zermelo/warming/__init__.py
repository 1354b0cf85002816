"""Compiling in advance, in other processes: for `zermelo warm`, and for the lab while it has nothing else to do."""
