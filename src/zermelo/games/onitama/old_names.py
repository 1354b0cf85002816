"""Names of version 0.1. Remove this module in version 0.3."""

OLD_FIELDS = {"mover": "player"}  # of the state, as datasets name their columns
