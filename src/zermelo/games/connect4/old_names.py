"""Names of version 0.1, which called the course reports "seeds". Remove this module in version 0.3."""

OLD_NAMES = {"seed": "report"}  # the feature set of this name
