"""What texts and pictures read in a state: functions of the rules as plain Python, so that no board has to wait."""

from zermelo.core import as_python
from zermelo.games.parcheckers import rules

destination = as_python(rules.destination)
distance_of = as_python(rules.distance_of)
field = as_python(rules.field)
victim = as_python(rules.victim)
