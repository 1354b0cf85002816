"""Our players as programs for other people's front ends: `zermelo engine` speaks GTP and the NBoard protocol."""
