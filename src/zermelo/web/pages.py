"""Pages from templates."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from zermelo import __version__
from zermelo.language import LANGUAGES, gettext, language, ngettext
from zermelo.web.access import STRANGER, asker_of
from zermelo.web.speaking import address_in

HERE = Path(__file__).parent
STATIC = HERE / "static"

environment = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    extensions=["jinja2.ext.i18n"],
)
environment.install_gettext_callables(gettext, ngettext)  # type: ignore[attr-defined]
environment.filters["prose"] = lambda text: text.replace("`", "")  # docstrings mark code with backticks


@dataclass(frozen=True)
class Look:
    """What the pages of one server have in common."""

    base: str  # the template that they extend
    values: Callable[[Request], dict[str, Any]] = lambda request: {}  # what only the templates of this server know
    has_play: bool = True  # whether games can be played and searches watched here, besides being analysed


def page(request: Request, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of a server from its template. Besides its own values and those of the server's look, the template knows
    the address of the static files, the token, the settings, whether the owner reads it, its path (`here`), the
    version, and the languages.
    """
    state, asker = request.app.state, asker_of(request)
    shared = {
        "base": state.look.base,
        "has_play": state.look.has_play,
        "static": state.static,
        "token": "" if asker is STRANGER else state.token,
        "settings": state.settings,
        "is_owner": asker.is_owner,
        "here": request.url.path,
        "version": __version__,
        "language": language(),
        "languages": LANGUAGES,
        "here_in": lambda code: address_in(request, code),
    }
    text = environment.get_template(name).render(**(shared | state.look.values(request) | values))
    return HTMLResponse(text, status, {"Cache-Control": "no-cache"})


def plain_page(request: Request, name: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page for people who may not see the server's pages. It holds nothing but its own text."""
    shared = {"static": request.app.state.static, "language": language()}
    text = environment.get_template(name).render(**(shared | values))
    return HTMLResponse(text, status, {"Cache-Control": "no-store"})
