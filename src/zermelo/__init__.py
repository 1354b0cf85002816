"""zermelo: a laboratory for two-player games of perfect information."""
