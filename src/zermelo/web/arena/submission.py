"""The page of one submission: whether it is valid, how it does, what it does wrong, and its code.

Only the student who handed it in and the teacher can open it.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request, Response

from zermelo.arena.blunders import score_words
from zermelo.arena.feedback import comparison_state, snapshot_name
from zermelo.arena.records import Records
from zermelo.arena.settings import ArenaSettings
from zermelo.arena.tables import Rating, Student, Submission
from zermelo.drawing.charts import Point, course
from zermelo.errors import ZermeloError
from zermelo.games import find_game
from zermelo.language import _, marked, ngettext
from zermelo.match import reason_text
from zermelo.tournaments.intervals import Z95
from zermelo.web.arena.games import game_address
from zermelo.web.arena.showing import own_submission
from zermelo.web.arena.signing import records_of, visitor_of
from zermelo.web.arena.words import STATE_NAMES
from zermelo.web.notation import shown_move
from zermelo.web.pages import page

router = APIRouter()

MOST_POINTS = 120
"""The number of points of the rating chart."""

MOST_VERSIONS = 20
"""The number of versions in the list: the latest."""

PILLS = {"waiting": "preparing", "checking": "playing", "valid": "finished", "refused": "failed", "withdrawn": ""}
"""States -> the look of the pill that shows them."""


@router.get("/submissions/{submission_id}", include_in_schema=False)
def one_submission(request: Request, submission_id: int) -> Response:
    """The page of a submission."""
    one = own_submission(request, submission_id)
    records, arena = records_of(request), request.app.state.arena
    queue = records.queue() if one.state in ("waiting", "checking") else None
    feedback = records.published(snapshot_name(one.contestant))[1] if one.contestant else {}
    present = present_ratings(records)
    ratings = ratings_of(records, one.contestant, present)
    versions = records.submissions(one.student)
    return page(
        request,
        "arena/submission.html",
        one=one,
        student=author(records, one) if visitor_of(request).is_teacher else None,
        state=_(STATE_NAMES[one.state]),
        pill=PILLS[one.state],
        handed_in=shown_time(one.time, arena),
        waits=waiting_words(queue.place(one.id), queue.wait(one.id)) if queue is not None else "",
        findings=findings_of(one),
        files=files_of(records, one),
        feedback=feedback,
        rating=rating_words(ratings[-1]) if ratings else "",
        charts=rating_charts(ratings),
        rungs=[rung_row(rung) for rung in feedback.get("rungs", ())],
        students=rung_row(feedback["students"]) if feedback.get("students", {}).get("games") else None,
        thought=thought_rows(feedback.get("thought") or {}),
        comparison=comparison_words(feedback["previous"]) if feedback.get("previous") else "",
        aim=aim_words(feedback) if feedback else "",
        faults=[fault_view(fault, arena) for fault in feedback.get("faults", ())],
        fault_words=fault_words(feedback.get("fault_kinds", {})),
        blunders=[blunder_view(blunder, arena) for blunder in feedback.get("blunders", ())],
        reviewed=len(feedback.get("reviewed", ())),
        versions=[version_row(records, each, arena, present) for each in versions[: -MOST_VERSIONS - 1 : -1]],
    )


def present_ratings(records: Records) -> dict[str, Rating]:
    """The ratings on the ladder as everybody sees them now. What is noted down over time may be a few games older."""
    table = records.published("standings")[1]
    return {
        row["contestant"]: Rating(table["updated"], row["games"], row["elo"], row["error"])
        for row in table.get("rows", ())
        if row["elo"] is not None
    }


def ratings_of(records: Records, contestant: str | None, present: Mapping[str, Rating]) -> list[Rating]:
    """The ratings of a contestant over time, the last one as it stands on the ladder."""
    if contestant is None:
        return []
    noted, last = records.ratings(contestant), present.get(contestant)
    return noted if last is None else [*(one for one in noted if one.games < last.games), last]


def author(records: Records, one: Submission) -> Student | None:
    """Who handed it in; None if the student's data was deleted."""
    try:
        return records.student(one.student)
    except ZermeloError:
        return None


# ------------------------------------------------------------------------------------------ in words


def shown_time(time: float, arena: ArenaSettings) -> str:
    """A time in the time zone of the class."""
    return datetime.fromtimestamp(time, arena.course.zone).strftime("%Y-%m-%d %H:%M")


def waiting_words(place: int | None, seconds: float | None) -> str:
    """Where a submission is in the queue, and when its turn is expected."""
    if place is None or seconds is None:
        return ""
    if seconds < 90:
        wait = ngettext("{number} second", "{number} seconds", round(seconds)).format(number=round(seconds))
    else:
        minutes = round(seconds / 60)
        wait = ngettext("{number} minute", "{number} minutes", minutes).format(number=minutes)
    return _("Place {place} in the queue; the verdict is expected in about {wait}.").format(place=place, wait=wait)


def rating_words(rating: Rating) -> str:
    """A rating with its 95% interval."""
    if rating.elo is None:
        return _("not rated yet")
    if rating.error is None:
        return f"{rating.elo:+z.0f}"
    return f"{rating.elo:+z.0f} ± {rating.error:.0f}"


def rating_charts(ratings: Sequence[Rating]) -> list[str]:
    """The rating over the games played, drawn for a wide page and for a phone; nothing with fewer than two points."""
    known = [one for one in ratings if one.elo is not None and one.error is not None]
    if len(known) < 2:
        return []
    every = -(-len(known) // MOST_POINTS)
    thinned = [*known[-1::-every]][::-1]
    points = [
        Point(
            one.games,
            one.elo or 0.0,
            (one.elo or 0.0) - (one.error or 0.0),
            (one.elo or 0.0) + (one.error or 0.0),
            _("{rating} after {games} games").format(rating=rating_words(one), games=one.games),
        )
        for one in thinned
    ]
    return [course(_("Rating with its 95% interval"), points, _("games"), narrow) for narrow in (False, True)]


RUNG_STATES = {
    "beaten": marked("beaten"),
    "open": marked("undecided"),
    "behind": marked("stronger than you"),
    "unplayed": marked("not met yet"),
}


def rung_row(rung: Mapping[str, Any]) -> dict[str, Any]:
    """A line of the table of results."""
    played = rung["games"] > 0
    return {
        "name": rung.get("title", ""),
        "points": f"{rung['points']:g} / {rung['games']}" if played else "",
        "score": f"{rung['score']:.0%}" if played else "",
        "interval": f"{rung['low']:.0%} – {rung['high']:.0%}" if played else "",
        "state": _(RUNG_STATES[rung["state"]]) if "state" in rung else "",
        "is_beaten": rung.get("state") == "beaten",
        "contestant": rung.get("contestant", ""),
    }


def thought_rows(thought: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What is measured of a move: its name, the mean and the largest value."""
    rows = []
    if thought.get("seconds"):
        mean, most = thought["seconds"]
        rows.append((_("Time"), shown_seconds(mean), shown_seconds(most)))
    if thought.get("nodes"):
        mean, most = thought["nodes"]
        rows.append((_("Nodes"), f"{mean:,.0f}", f"{most:,}"))
    if thought.get("depth"):
        mean, most = thought["depth"]
        rows.append((_("Depth"), f"{mean:.1f}", f"{most}"))
    return rows


def shown_seconds(seconds: float) -> str:
    """A time with a unit that suits it."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} µs"


def comparison_words(found: Mapping[str, Any]) -> str:
    """How a version compares with the one before, in sentences. What the games do not tell is said, too."""
    state, direct = comparison_state(found), found["direct"]
    if state == "unknown":
        text = _("No games connect this version with the one before, so nobody can tell which is stronger.")
    else:
        lead = f"{found['elo']:+z.0f} ± {Z95 * found['error']:.0f}"
        texts = {
            "stronger": _("Stronger than your version before, with a probability of {chance} ({lead} Elo)."),
            "weaker": _(
                "Weaker than your version before: it is stronger only with a probability of {chance} ({lead} Elo)."
            ),
            "open": _(
                "The games do not tell yet whether it is stronger than your version before: it is with a "
                "probability of {chance} ({lead} Elo)."
            ),
        }
        text = texts[state].format(chance=shown_chance(found["superiority"]), lead=lead)
    if direct["games"]:
        text += " " + ngettext(
            "In {number} game against each other it scored {score}.",
            "In {number} games against each other it scored {score}.",
            direct["games"],
        ).format(number=direct["games"], score=f"{direct['score']:.0%}")
    return text


def shown_chance(chance: float) -> str:
    """A probability in per cent, never as certain as 0% or 100%."""
    if chance > 0.999:
        return _("more than {percent}").format(percent="99.9%")
    if chance < 0.001:
        return _("less than {percent}").format(percent="0.1%")
    return f"{chance:.1%}" if chance > 0.99 or chance < 0.01 else f"{chance:.0%}"


def aim_words(feedback: Mapping[str, Any]) -> str:
    """What to do next: the nearest rung that is not beaten with confidence."""
    rungs = {rung["contestant"]: rung for rung in feedback["rungs"]}
    if not rungs:
        return ""
    aim = rungs.get(feedback["next"])
    if aim is None:
        return _("Every rung is beaten with confidence. What is left is to climb past the others.")
    texts = {
        "unplayed": _("Next: {rung}. There are no games against it yet."),
        "open": _(
            "Next: {rung}. You score {score} against it; it counts as beaten when the whole interval, "
            "{interval}, is above 50%."
        ),
        "behind": _("Next: {rung}. It is stronger so far: you score {score} against it. Look at the games you lost."),
    }
    row = rung_row(aim)
    return texts[aim["state"]].format(rung=row["name"], score=row["score"], interval=row["interval"])


def fault_words(kinds: Mapping[str, int]) -> str:
    """How many games were lost by which faults."""
    return ", ".join(f"{reason_text(kind)}: {number}" for kind, number in sorted(kinds.items()))


# ------------------------------------------------------------------------------------------ parts of the page


def findings_of(one: Submission) -> list[dict[str, Any]]:
    """What the validation found, with the place in the code."""
    return [
        {"level": "", "text": "", "file": None, "line": None} | dict(finding)
        for finding in one.report.get("findings", ())
    ]


def files_of(records: Records, one: Submission) -> list[dict[str, Any]]:
    """The code of a submission, file by file, in lines."""
    return [
        {"name": name, "lines": text.splitlines(), "number": number}
        for number, (name, text) in enumerate(records.texts(one.id).items(), 1)
    ]


def drawn(position: str, arena: ArenaSettings) -> str:
    """The picture of a position, for the HTML of a page. The style of the game is in the style sheet of the page."""
    return find_game(arena.game).position(position).picture().svg("view")


def fault_view(fault: Mapping[str, Any], arena: ArenaSettings) -> dict[str, Any]:
    """A fault with its board."""
    return {
        "address": game_address(fault["tournament"], fault["pair"], fault["swapped"], fault["ply"]),
        "board": drawn(fault["position"], arena),
        "position": fault["position"],
        "reason": reason_text(fault["reason"]),
        "error": fault["error"],
    }


def blunder_view(blunder: Mapping[str, Any], arena: ArenaSettings) -> dict[str, Any]:
    """A blunder with its board, in words."""
    game = find_game(arena.game)
    return {
        "address": game_address(blunder["tournament"], blunder["pair"], blunder["swapped"], blunder["ply"]),
        "board": drawn(blunder["position"], arena),
        "position": blunder["position"],
        "played": shown_move(game, blunder["played"]),
        "right": ", ".join(shown_move(game, move) for move in blunder["right"][:6]),
        "before": score_words(blunder["before"]),
        "after": score_words(blunder["after"]),
    }


def version_row(
    records: Records, one: Submission, arena: ArenaSettings, present: Mapping[str, Rating]
) -> dict[str, Any]:
    """A line of the list of versions."""
    ratings = ratings_of(records, one.contestant, present)
    feedback = records.published(snapshot_name(one.contestant))[1] if one.contestant else {}
    superiority = (feedback.get("previous") or {}).get("superiority")
    return {
        "id": one.id,
        "version": one.version,
        "time": shown_time(one.time, arena),
        "file": one.filename,
        "state": _(STATE_NAMES[one.state]),
        "pill": PILLS[one.state],
        "rating": rating_words(ratings[-1]) if ratings else "",
        "stronger": "" if superiority is None else shown_chance(superiority),
    }
