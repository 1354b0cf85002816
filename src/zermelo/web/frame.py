"""The frame of our servers, the lab and the arena: errors become answers, static files, layers, uvicorn's options."""

import hashlib
import logging
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException as StarletteHTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.errors import GameError, PlayerError, PositionError, ZermeloError
from zermelo.language import _, marked
from zermelo.web.access import Watch
from zermelo.web.connections import timed_protocol
from zermelo.web.pages import STATIC, Look, page
from zermelo.web.security import Guard, is_api, new_token
from zermelo.web.settings import Settings
from zermelo.web.speaking import Speaking

log = logging.getLogger("zermelo.web")

HEADINGS = {
    400: marked("This request is not valid"),
    403: marked("Not allowed"),
    404: marked("Nothing was found here"),
    405: marked("This is not possible here"),
    429: marked("Too many requests"),
    503: marked("The server is busy"),
}


def server_options(settings: Settings) -> dict[str, Any]:
    """Options of uvicorn. Addresses may be longer than usual, because they hold long games. They are never logged,
    because some hold secrets. What a proxy says about a request is read by our own code (web/proxies.py), if at all.
    """
    return {
        "h11_max_incomplete_event_size": 1 << 20,
        "http": timed_protocol(settings.request_seconds, settings.most_incomplete, settings.most_idle),
        "timeout_keep_alive": settings.idle_seconds,
        "server_header": False,
        "access_log": False,
        "proxy_headers": False,
        "ws_max_size": 1 << 16,
    }


class Problem(BaseModel):
    """An error."""

    error: str = Field(description="What is wrong with the request, as a sentence.")


PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem} for status in (400, 403, 404, 405, 409, 413, 422, 429, 500, 503)
}
"""The errors that any route of a server may answer with, for the schema."""


def frame(app: FastAPI, settings: Settings, access: Watch, look: Look, guard: type[Guard]) -> None:
    """Give an app what every server of ours has: its settings, static files, answers for errors, and its layers."""
    app.state.settings, app.state.access, app.state.look, app.state.token = settings, access, look, new_token()
    app.state.static = f"/static/{digest_of_static()}"
    app.mount(app.state.static, Static(directory=STATIC), name="static")
    app.add_exception_handler(StarletteHTTPException, on_http_error)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, on_invalid)  # type: ignore[arg-type]
    app.add_exception_handler(ZermeloError, on_mistake)  # type: ignore[arg-type]
    app.add_middleware(GZipMiddleware, minimum_size=1000, compresslevel=4)
    app.add_middleware(Bugs)
    app.add_middleware(guard, settings=settings, access=access)
    app.add_middleware(Speaking)


# ------------------------------------------------------------------------------------------ static files


def digest_of_static() -> str:
    """A digest of all static files. It is part of their addresses, so that browsers may keep them for ever."""
    digest = hashlib.sha256()
    for file in sorted(STATIC.rglob("*")):
        if file.is_file():
            digest.update(str(file.relative_to(STATIC)).encode() + file.read_bytes())
    return digest.hexdigest()[:12]


class Static(StaticFiles):
    """Static files. A file never changes under its address."""

    def file_response(self, *args: object, **options: object) -> Response:
        response = super().file_response(*args, **options)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return response

    async def get_response(self, path: str, scope: Scope) -> Response:
        try:
            return await super().get_response(path, scope)
        except (UnicodeError, ValueError):  # no file can have this path
            raise HTTPException(404) from None


# ------------------------------------------------------------------------------------------ errors


def problem(request: Request, status: int, text: str) -> Response:
    """An error as JSON for the API, and as a page for everybody else."""
    if is_api(request.url.path) or request.method not in ("GET", "HEAD"):
        return JSONResponse({"error": text}, status)
    other = marked("Something went wrong") if status >= 500 else HEADINGS[400]
    heading = _(HEADINGS.get(status, other))
    return page(request, "error.html", status, heading=heading, text=text)


async def on_http_error(request: Request, error: StarletteHTTPException) -> Response:
    text = {
        404: _("There is no {path} here.").format(path=request.url.path[:200]),
        405: _("{method} is not possible here.").format(method=request.method),
    }
    known = isinstance(error.detail, str) and error.detail not in ("Not Found", "Method Not Allowed")
    words = error.detail if known else text.get(error.status_code, str(error.detail))
    response = problem(request, error.status_code, words)
    response.headers.update(error.headers or {})
    return response


async def on_invalid(request: Request, error: RequestValidationError) -> Response:
    parts = []
    for one in error.errors():
        where = ".".join(str(place) for place in one["loc"][1:]) or str(one["loc"][0])
        parts.append(f"{where}: {one['msg']}")
    return problem(request, 422, "; ".join(parts))


async def on_mistake(request: Request, error: ZermeloError) -> Response:
    """A mistake that the user can correct, in the words of the command line. In the address of a page it means 404."""
    in_address = isinstance(error, (GameError, PositionError, PlayerError)) and not is_api(request.url.path)
    return problem(request, 404 if in_address else error.http_status, str(error))


class Bugs:
    """Writes the traceback of a bug to the log, never to the page."""

    def __init__(self, app: ASGIApp):
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def send_and_see(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, send_and_see)
        except Exception:
            if begun or scope["type"] != "http":
                raise
            log.exception("%s %s failed", scope["method"], scope["path"])
            response = problem(Request(scope), 500, _("Something went wrong on the server. Its log has the details."))
            await response(scope, receive, send)
