"""Words that several pages of the arena use."""

from zermelo.language import _, marked, ngettext

STATE_NAMES = {
    "waiting": marked("waiting"),
    "checking": marked("being checked"),
    "valid": marked("accepted"),
    "refused": marked("refused"),
    "withdrawn": marked("withdrawn"),
}
"""What the pages call the states of a submission."""

MINUTE, HOUR, DAY = 60, 3600, 86400


def duration(seconds: float) -> str:
    """A time in words, rounded: 40 seconds, 3 minutes, 26 hours, 12 days."""
    if seconds < 100:
        number = max(1, round(seconds))
        return ngettext("{number} second", "{number} seconds", number).format(number=number)
    if seconds < 100 * MINUTE:
        number = round(seconds / MINUTE)
        return ngettext("{number} minute", "{number} minutes", number).format(number=number)
    if seconds < 48 * HOUR:
        number = round(seconds / HOUR)
        return ngettext("{number} hour", "{number} hours", number).format(number=number)
    number = int(seconds // DAY)
    return ngettext("{number} day", "{number} days", number).format(number=number)


def place_in_queue(place: int, wait: float) -> str:
    """Where a submission stands in the queue, and how long it will take."""
    return _("number {place} in the queue, about {time} to wait").format(place=place, time=duration(wait))
