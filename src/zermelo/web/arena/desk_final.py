"""The desk's page of the rounds and the final: begin a round, freeze, and play the final from nothing."""

from fastapi import HTTPException, Request
from starlette.responses import Response

from zermelo.arena.exports import shown_names
from zermelo.arena.roster import FINAL
from zermelo.arena.rounds import next_round, order_final, order_round, rounds_of
from zermelo.errors import ZermeloError
from zermelo.language import _
from zermelo.web.arena.desk_pages import TEACHER, Form, arena_of, desk_page, desk_router, go
from zermelo.web.arena.signing import records_of

router = desk_router()
HERE = "/desk/final"
LARGEST = 10**18


@router.get("/final")
def final(request: Request) -> Response:
    """The rounds so far, and the final."""
    return _page(request)


def _page(request: Request, problem: str = "", status: int = 200) -> Response:
    records, arena = records_of(request), arena_of(request)
    order, table = records.flag(FINAL), records.published(FINAL)[1]
    has_begun = FINAL in records.store.names()
    return desk_page(
        request,
        "desk_final.html",
        status,
        problem=problem,
        rounds=rounds_of(records)[::-1],
        next_round=next_round(records, arena),
        is_frozen=bool(records.flag("frozen", False)),
        order=order,
        codes=sorted((order or {}).get("contestants", {}).items()),
        names=shown_names(records, "names"),
        ended=table.get("ended"),
        games=records.store.counts(FINAL)[0] if has_begun else 0,
    )


@router.post("/rounds")
def begin_round(request: Request, fields: Form) -> Response:
    """Begin a round now, besides those of the schedule."""
    records = records_of(request)
    if records.flag("frozen", False):
        raise HTTPException(409, _("The arena is frozen for the final."))
    this = order_round(records, TEACHER)
    return go(request, HERE, _("Round {number} begins.").format(number=this.number))


@router.post("/freeze")
def freeze(request: Request, fields: Form) -> Response:
    """Let nobody hand in any more."""
    records_of(request).set_flag("frozen", True, TEACHER)
    return go(request, HERE, _("The arena is frozen: nothing more can be handed in."))


@router.post("/unfreeze")
def unfreeze(request: Request, fields: Form) -> Response:
    """Let students hand in again. While a final is being played, that is not possible."""
    records = records_of(request)
    if records.flag(FINAL) is not None and records.published(FINAL)[1].get("ended") is None:
        raise HTTPException(409, _("The final is being played; the arena stays frozen until it has ended."))
    records.set_flag("frozen", False, TEACHER)
    return go(request, HERE, _("Students can hand in again."))


@router.post("/final")
def play_final(request: Request, fields: Form) -> Response:
    """Freeze the arena and order the final. It must be confirmed, because it cannot be undone."""
    records, arena = records_of(request), arena_of(request)
    if fields.value("sure") != "yes":
        return _page(request, _("Nothing was done: confirm that the final may begin."), 400)
    text = fields.value("number").strip()
    if text and not (text.isascii() and text.isdecimal() and int(text[:30]) <= LARGEST):
        return _page(request, _("{text!r} is not a whole number of at most 18 digits.").format(text=text[:50]), 400)
    try:
        number = order_final(records.store, records, arena, TEACHER, int(text) if text else None)
    except ZermeloError as error:
        return _page(request, str(error), error.http_status)
    return go(request, HERE, _("The final is ordered. Its random number is {number}.").format(number=number))
