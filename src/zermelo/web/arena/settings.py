"""The settings of an arena's server. What the teacher decides for the class is in arena.toml (arena/settings.py)."""

from dataclasses import dataclass, field

from zermelo.web.limits import Rate
from zermelo.web.settings import Settings

# A whole class may share one address, and static files are not counted.
ADDRESS, PERSON, WRONG_KEYS = Rate(1500, 100.0), Rate(120, 10.0), Rate(60, 0.5)
JOINING = Rate(150, 0.5)


@dataclass(frozen=True)
class Rates:
    """How often somebody may ask for something."""

    address: Rate = ADDRESS  # all requests from one address
    person: Rate = PERSON  # all requests of one student
    wrong_keys: Rate = WRONG_KEYS  # from one address
    joining: Rate = JOINING  # from one address


@dataclass(frozen=True)
class ServerSettings(Settings):
    """The options of `zermelo arena serve`."""

    workshop: bool = False
    public: str = ""  # the address at which the class finds the server, such as https://arena.example.org
    proxies: tuple[str, ...] = ()  # addresses and networks of reverse proxies whose headers are believed
    trusts_everyone: bool = False  # whether submissions run without a sandbox
    poll_seconds: float = 0.5  # between two looks at what the worker has published
    rates: Rates = field(default_factory=Rates)
