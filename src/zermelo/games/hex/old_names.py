"""Names of version 0.1, which called the course reports "seeds". Remove this module in version 0.3."""

OLD_NAMES = {"seed": "report", "seed_tuned": "report_tuned"}
OLD_FIELDS = {"turn": "player"}  # of the state, as datasets name their columns
