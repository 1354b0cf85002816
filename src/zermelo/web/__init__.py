"""The web lab: play, analyse, see why, watch. `zermelo serve` runs it; create_app is in app.py."""
