"""The language of each request: from its address, else from the choice in the footer, else from the browser."""

from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.language import LANGUAGES, browser_language, process_language, speaking

PARAMETER = "lang"
COOKIE = "zermelo-language"
A_YEAR = 365 * 24 * 3600


class Speaking:
    """Answers each request in its own language. `?lang=es` in an address chooses a language, and a cookie keeps it."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        chosen = asked_for(scope)
        code = chosen or kept(headers) or preferred(headers)

        async def send_in_language(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer["Content-Language"] = code
                answer.add_vary_header("Accept-Language, Cookie")
                if chosen:
                    answer.append("Set-Cookie", f"{COOKIE}={code}; Path=/; Max-Age={A_YEAR}; SameSite=Lax; HttpOnly")
            await send(message)

        with speaking(code):
            await self.app(scope, receive, send_in_language)


def asked_for(scope: Scope) -> str | None:
    """The language in the address, if the lab speaks it."""
    given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get(PARAMETER, [""])[0]
    return given if given in LANGUAGES else None


def preferred(headers: Headers) -> str:
    """The language that the browser asks for, or else that of the server's own environment."""
    accepted = headers.get("accept-language")
    return browser_language(accepted) if accepted else process_language()


def kept(headers: Headers) -> str | None:
    """The language that was chosen before."""
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return None
    return cookie.value if cookie is not None and cookie.value in LANGUAGES else None


def address_in(request: Request, code: str) -> str:
    """The address of this page in another language."""
    rest = [(name, value) for name, value in request.query_params.multi_items() if name != PARAMETER]
    return f"{request.url.path}?{urlencode([*rest, (PARAMETER, code)])}"
