"""The pages of the arena. `zermelo arena serve` runs them; create_arena_app is in app.py."""
