"""Forms that work without scripts. They carry the page's token in a field."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl

from fastapi import HTTPException, Request

from zermelo.errors import ZermeloError
from zermelo.language import _

TOKEN = "token"


@dataclass(frozen=True)
class Fields:
    """What somebody filled in."""

    texts: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)  # field -> the file's name, and its content

    def value(self, name: str) -> str:
        return self.texts.get(name, "")


async def form(request: Request) -> Fields:
    """A dependency of every route to which a form is sent: what was filled in. It must carry the token of our pages."""
    fields = read_form(request.headers.get("content-type", ""), await request.body())
    if not secrets.compare_digest(fields.value(TOKEN).encode(), request.app.state.token.encode()):
        raise HTTPException(403, _("This page is out of date. Go back, reload it, and try again."))
    return fields


def read_form(content_type: str, body: bytes) -> Fields:
    """Read a form in one of the two ways in which browsers send them."""
    kind = content_type.partition(";")[0].strip().lower()
    if kind == "application/x-www-form-urlencoded":
        try:
            return Fields(dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=100)))
        except ValueError:
            raise ZermeloError("this form has too many fields") from None
    if kind != "multipart/form-data":
        raise ZermeloError("this is not a form")
    texts: dict[str, str] = {}
    files: dict[str, tuple[str, bytes]] = {}
    whole = BytesParser(policy=HTTP).parsebytes(b"Content-Type: " + content_type.encode("latin-1") + b"\r\n\r\n" + body)
    for part in whole.iter_parts():
        name, content = _parameter(part, "name"), part.get_payload(decode=True)
        if isinstance(content, bytes):
            if part.get_filename() is None:
                texts[name] = content.decode("utf-8", "replace")
            else:
                files[name] = (part.get_filename() or "", content)
    return Fields(texts, files)


def _parameter(part: Message, name: str) -> str:
    return str(part.get_param(name, "", "content-disposition") or "")
