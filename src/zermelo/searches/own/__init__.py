"""A search that a user wrote: what it sees, how it is compiled, run and watched."""
