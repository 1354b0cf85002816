"""A search step by step: every position in the order of the visits, its window, its value, and what was cut and why."""

from zermelo.tracing.trace import Step, Trace, bound_number, bound_text, trace_search, traced

__all__ = ["Step", "Trace", "bound_number", "bound_text", "trace_search", "traced"]
