"""The experiments of the course reports, repeated with confidence intervals."""
