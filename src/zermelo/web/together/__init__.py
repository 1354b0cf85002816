"""Two devices: a game between two people at their own screens, watched by others. The routes are in routes.py."""
