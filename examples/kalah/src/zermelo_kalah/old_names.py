"""Names of version 0.1, when "seed" was not yet kept for random generators. Remove this module in version 0.3."""

OLD_NAMES = {"seeds": "stones"}
OLD_FIELDS = {"mover": "player"}
