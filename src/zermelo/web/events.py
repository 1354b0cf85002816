"""Server-sent events for finite streams: a search tells what it finds, then `done`, or `failed` with the reason."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any

from starlette.responses import StreamingResponse

from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.searches import Report, Searches

STILL_THERE = 1.0  # seconds between comments, which find out whether somebody still listens

log = logging.getLogger("zermelo.web")


def event(name: str, data: Any) -> str:
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


def event_stream(searches: Searches, work: Callable[[Report], None]) -> StreamingResponse:
    """A response of events. work(report) runs in a search thread, and reports (name, data) pairs."""
    searches.refuse_if_full()
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(_events(searches, work), media_type="text/event-stream", headers=headers)


async def _events(searches: Searches, work: Callable[[Report], None]) -> AsyncGenerator[str, None]:
    async with aclosing(searches.stream(work)) as found:
        following = asyncio.ensure_future(anext(found))
        try:
            while True:
                await asyncio.wait([following], timeout=STILL_THERE)
                if following.done():
                    yield event(*following.result())
                    following = asyncio.ensure_future(anext(found))
                else:
                    yield ": still there\n\n"
        except StopAsyncIteration:
            yield event("done", {})
        except ZermeloError as error:
            yield event("failed", {"error": str(error)})
        except Exception:
            log.exception("a search failed")
            yield event("failed", {"error": _("Something went wrong on the server. Its log has the details.")})
        finally:
            following.cancel()
            await asyncio.wait([following])
