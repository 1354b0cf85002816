"""The experiments of the course reports, played again with error bars."""
