"""The items of a rubric for searches: one function for each, and so a long module.

The right values, moves and node counts are computed here.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from zermelo.check.drawn import Seen, drawn, in_its_order
from zermelo.check.positions import sample
from zermelo.check.search_mistakes import MISTAKES, named_mistake
from zermelo.check.search_trees import (
    MAX,
    Branch,
    Case,
    keeps_promise,
    least_nodes,
    minimax,
    nodes_of_alphabeta,
    nodes_of_minimax,
    random_cases,
    shrunk,
)
from zermelo.games import find_heuristic, read_game
from zermelo.language import _, gettext
from zermelo.marking.results import Look, Result, credit
from zermelo.marking.rubric import Item
from zermelo.marking.submission import MOST_DEATHS, Answer, Submission, Tell, number
from zermelo.position import Game, Position, random_playout
from zermelo.rules import end_score
from zermelo.scores import Score
from zermelo.searches.textbook import run_minimax

WHOLE = 60
SHRINKING = 250
"""Cases that are tried to find a small tree."""
ENOUGH = 0.75
"""A search that is right on a smaller share of the trees gets no points for the nodes that it saves."""
NAMED_BY = 80
"""Trees on which a mistake must give the same values to be named."""

# ------------------------------------------------------------------------------------------ trees


def _cases(seed: int, number: int, windows: bool = False) -> list[Case]:
    """Trees of all sizes; in most of them, at least two plies and six nodes, since small ones show few mistakes."""
    made = list(random_cases(seed, 4 * number, windows=windows))
    large = [case for case in made if case.depth >= 2 and case.tree.size >= 6][: number - number // 4]
    small = [case for case in made if case.depth < 2 or case.tree.size < 6][: number - len(large)]
    return small + large


def _case(case: Case, trace: bool = False) -> dict[str, Any]:
    return {"tree": case.tree.toml(), "depth": case.depth, "window": list(case.window), "trace": trace}


def _depth(work: Submission, case: Case) -> int:
    return case.depth if work.takes_depth else WHOLE


def _right(work: Submission, case: Case) -> int:
    return minimax(case.tree, _depth(work, case))


def _value_is_wrong(work: Submission, case: Case, answer: Answer) -> bool:
    """Is the value not the right one, or one that nobody can know after so few nodes?"""
    value, nodes = number(answer.get("value")), number(answer.get("nodes"))
    if value is None or nodes is None or not keeps_promise(value, _right(work, case), case.window):
        return True
    is_open = case.window == (-math.inf, math.inf)
    return is_open and nodes < least_nodes(case.tree, _depth(work, case))


def _move_is_wrong(work: Submission, case: Case, answer: Answer) -> bool:
    move = answer.get("move")
    if _depth(work, case) == 0:
        return False
    if type(move) is not int or not 0 <= move < len(case.tree.children):
        return True
    return minimax(case.tree.children[move], _depth(work, case) - 1) != _right(work, case)


IsWrong = Callable[[Submission, Case, Answer], bool]


def _on_trees(
    work: Submission, item: Item, tell: Tell, cases: Sequence[Case], is_wrong: IsWrong, name_it: bool = False
) -> Result:
    answers = work.answers("search", [_case(case) for case in cases], tell)
    wrong = [i for i, case in enumerate(cases) if is_wrong(work, case, answers[i])]
    share = credit(len(cases) - len(wrong), len(cases), item.settings.get("least", 0.0))
    facts = {"right": len(cases) - len(wrong), "tried": len(cases)}
    if not wrong:
        return Result(share, (_("right on all {number} trees").format(number=len(cases)),), facts)
    lines = [_("right on {right} of {number} trees").format(right=facts["right"], number=len(cases))]
    faults = [answers[i]["fault"] for i in wrong if "fault" in answers[i]]
    if faults:
        lines.append(faults[0])
    else:
        lines += _shown(work, min((cases[i] for i in wrong), key=lambda case: case.tree.size), is_wrong, facts)
        if name_it:
            lines += _named(work, item, facts)
    return Result(share, tuple(lines), facts)


def _shown(work: Submission, case: Case, is_wrong: IsWrong, facts: dict[str, Any]) -> list[str]:
    """The smallest tree that can be found on which it is wrong, as the check of searches draws it."""

    def fails(other: Case) -> bool:
        [answer] = work.answers("search", [_case(other)])
        return "fault" not in answer and is_wrong(work, other, answer)

    small = shrunk(case, fails, SHRINKING)
    [answer] = work.answers("search", [_case(small, trace=True)])
    got, right = number(answer.get("value")), _right(work, small)
    facts |= {"tree": small.tree.toml(), "depth": small.depth}
    values = {"depth": small.depth, "nodes": small.tree.size, "got": "-" if got is None else f"{got:g}", "right": right}
    if is_wrong is _move_is_wrong:
        text = _("depth {depth}, a tree of {nodes} nodes: it does not play the best move, which is worth {right}")
    elif small.window != (-math.inf, math.inf):
        facts["window"] = list(small.window)
        values |= {"alpha": f"{small.window[0]:g}", "beta": f"{small.window[1]:g}"}
        text = _(
            "depth {depth}, alpha {alpha}, beta {beta}, a tree of {nodes} nodes: it returns {got}, "
            "and the value is {right}"
        )
    elif got == right:
        text = _("depth {depth}, a tree of {nodes} nodes: nobody can know the value {right} after so few nodes")
    else:
        text = _("depth {depth}, a tree of {nodes} nodes: it returns {got}, and minimax returns {right}")
    return [text.format(**values), *drawn(small, _seen(answer.get("tree")))]


def _seen(node: Any, deepest: int = WHOLE) -> Seen | None:
    """The tree that the process says it has searched. It is not trusted."""
    if deepest < 0 or not (isinstance(node, list) and len(node) == 4 and isinstance(node[3], list)):
        return None
    below = [_seen(child, deepest - 1) for child in node[3]]
    move = node[0] if type(node[0]) is int else None
    return Seen(move, node[1] is True, number(node[2]), [child for child in below if child is not None])


def _named(work: Submission, item: Item, facts: dict[str, Any]) -> list[str]:
    """The name of the mistake, if it is one that we know."""
    if not work.takes_depth or work.deaths >= MOST_DEATHS:
        return []
    cases = list(random_cases(item.seed + 5, NAMED_BY))
    if work.takes_window:
        cases += random_cases(item.seed + 7, NAMED_BY, windows=True)
    values = [number(answer.get("value")) for answer in work.answers("search", [_case(case) for case in cases])]
    known = [value for value in values if value is not None]
    mistake = named_mistake(cases, known, work.takes_window) if len(known) == len(cases) else None
    if mistake is None:
        return []
    facts["mistake"] = mistake
    return [_("probably: {mistake}").format(mistake=gettext(MISTAKES[mistake]))]


def values(work: Submission, item: Item, tell: Tell) -> Result:
    """Are the values those of minimax?"""
    return _on_trees(work, item, tell, _cases(item.seed, item["trees"]), _value_is_wrong, name_it=True)


def windows(work: Submission, item: Item, tell: Tell) -> Result:
    """Are the values right in a window?"""
    if not work.takes_window:
        return Result(0.0, (_("it takes no alpha and beta"),))
    cases = _cases(item.seed, item["trees"], windows=True)
    return _on_trees(work, item, tell, cases, _value_is_wrong, name_it=True)


def moves(work: Submission, item: Item, tell: Tell) -> Result:
    """Is the move one of the best?"""
    cases = [replace(case, depth=max(1, case.depth)) for case in _cases(item.seed, item["trees"])]
    return _on_trees(work, item, tell, cases, _move_is_wrong)


def twice(work: Submission, item: Item, tell: Tell) -> Result:
    """Does it give the same answer again? The second time, the trees come in the opposite order."""
    cases = list(random_cases(item.seed, item["trees"]))
    asked = [_case(case) for case in cases]
    first = work.answers("search", asked, tell)
    second = work.answers("search", asked[::-1], tell)[::-1]
    pairs = [(one.get("value"), other.get("value")) for one, other in zip(first, second, strict=True)]
    same = sum(one is not None and one == other for one, other in pairs)
    facts = {"right": same, "tried": len(cases)}
    text = _("the same value again on {right} of {tried} trees").format(**facts)
    faults = [answer["fault"] for answer in (*first, *second) if "fault" in answer][:1]
    return Result(1.0 if same == len(cases) else 0.0, (text, *faults), facts)


def ends(work: Submission, item: Item, tell: Tell) -> Result:
    """Does it work at depth 0, where the game ends at once, and in positions where it has ended?"""
    chance = random.Random(item.seed)
    cases = []
    for _i in range(item["trees"]):
        leaves = tuple(Branch(chance.randint(-3, 3), 1 - MAX) for _n in range(chance.randint(1, 3)))
        cases.append(Case(Branch(chance.randint(-3, 3), MAX, leaves), chance.choice((0, 1, 2, 5))))
    found = _on_trees(work, item, tell, cases, _value_is_wrong)
    if item["game"] is None:
        return found
    game = read_game(item["game"])
    over = [_ended(game, item.seed + i) for i in range(5)]
    answers = work.answers("play", [case_of(place, 2) for place in over], game=item["game"])
    right = sum(
        number(answer.get("value")) == Score.of_units(int(end_score(place.state, 0))).number
        for place, answer in zip(over, answers, strict=True)
    )
    text = _("right in {right} of {number} positions in which the game is over")
    lines = [*found.feedback, text.format(right=right, number=len(over))]
    lines += [answer["fault"] for answer in answers if "fault" in answer][:1]
    return Result((found.share + credit(right, len(over))) / 2, tuple(lines), {**found.facts, "ended": right})


def _ended(game: Game, seed: int) -> Position:
    return random_playout(game.varied_start(seed), seed)


# ------------------------------------------------------------------------------------------ nodes


def _counted(work: Submission, cases: Sequence[Case], answers: Sequence[Answer]) -> list[float | None]:
    """The nodes of each search; None where the value is wrong, or where nobody can know it after so few nodes."""
    found: list[float | None] = []
    for case, answer in zip(cases, answers, strict=True):
        visited, nodes = number(answer.get("visited")), number(answer.get("nodes"))
        least = least_nodes(case.tree, _depth(work, case))
        if number(answer.get("value")) != _right(work, case) or visited is None or nodes is None or nodes < least:
            found.append(None)
        else:  # a search may look at the last nodes without being called for them
            found.append(visited if visited >= least else nodes)
    return found


def prunes(work: Submission, item: Item, tell: Tell) -> Result:
    """How many nodes are visited, between minimax (no points) and alpha-beta in the same order (all points)?"""
    cases = [case for case in _cases(item.seed, 2 * item["trees"]) if case.depth > 1][-item["trees"] :]
    answers = work.answers("search", [_case(case, trace=True) for case in cases], tell)
    most = [nodes_of_minimax(case.tree, _depth(work, case)) for case in cases]
    least = [
        nodes_of_alphabeta(in_its_order(case.tree, _seen(answer.get("tree"))), _depth(work, case))
        for case, answer in zip(cases, answers, strict=True)
    ]
    text = _("minimax visits {most}, and alpha-beta in the same order {least}")
    return _between(work, cases, answers, most, least, text)


def ordering(work: Submission, item: Item, tell: Tell) -> Result:
    """How many nodes are visited where the worst moves come first, between alpha-beta without and with ordering?

    The heuristic is nearly right about every position, so ordering the moves by it helps much.
    """
    cases = list(_badly_ordered(item.seed, item["trees"]))
    most = [nodes_of_alphabeta(case.tree, _depth(work, case)) for case in cases]
    least = [nodes_of_alphabeta(_ordered(case.tree), _depth(work, case)) for case in cases]
    text = _("alpha-beta visits {most} in the order given, and {least} if it tries promising moves first")
    answers = work.answers("search", [_case(case, trace=True) for case in cases], tell)
    return _between(work, cases, answers, most, least, text)


def _between(
    work: Submission,
    cases: Sequence[Case],
    answers: Sequence[Answer],
    most: Sequence[int],
    least: Sequence[int],
    text: str,
) -> Result:
    counted = _counted(work, cases, answers)
    faults = [answer["fault"] for answer in answers if "fault" in answer][:1]
    good = [i for i, count in enumerate(counted) if count is not None]
    own, high, low = (int(sum(numbers[i] or 0 for i in good)) for numbers in (counted, most, least))
    facts = {"right": len(good), "tried": len(cases), "yours": own, "most": high, "least": low}
    lines = [_("{own} nodes on {number} trees").format(own=own, number=len(good)) + "; " + text.format(**facts)]
    if len(good) < len(cases):
        told = _("the value is right on {right} of {tried} trees; only these count, and there must be enough of them")
        lines.append(told.format(**facts))
    share = min(1.0, max(0.0, (high - own) / (high - low))) if high > low else 1.0
    return Result(share * credit(len(good), len(cases), ENOUGH), (*lines, *faults), facts)


def _badly_ordered(seed: int, number: int) -> Iterator[Case]:
    """Trees in which the worst moves come first, with a heuristic that is wrong by at most one."""
    chance = random.Random(seed)

    def grow(deep: int, mover: int) -> tuple[Branch, int]:
        if deep == 0:
            score = chance.randint(-9, 9)
            return Branch(score, mover), score
        below = [grow(deep - 1, 1 - mover) for _n in range(3)]
        below.sort(key=lambda pair: pair[1], reverse=mover != MAX)
        best = below[-1][1]
        return Branch(best + chance.randint(-1, 1), mover, tuple(branch for branch, _value in below)), best

    for _i in range(number):
        yield Case(grow(4, MAX)[0], 4)


def _ordered(tree: Branch) -> Branch:
    """The same tree with the moves that the heuristic likes first."""
    children = sorted(map(_ordered, tree.children), key=lambda child: child.score, reverse=tree.mover == MAX)
    return replace(tree, children=tuple(children))


# ------------------------------------------------------------------------------------------ games


def case_of(position: Position, depth: int, nodes: int | None = None, heuristic: str | None = None) -> dict[str, Any]:
    """A case: the start of the game and its moves, because players may remember what they have seen."""
    start, moves = str(position.path[0]), list(position.line)
    return {"position": start, "moves": moves, "depth": depth, "nodes": nodes, "heuristic": heuristic}


def games(work: Submission, item: Item, tell: Tell) -> Result:
    """Are the values those of minimax in positions of a game?"""
    game = read_game(item["game"])
    heuristic = find_heuristic(game.default_heuristic, game)
    places = sample(game, item["positions"], item.seed)
    answers = work.answers("play", [case_of(place, item["depth"]) for place in places], tell, game=item["game"])
    lines: list[str] = []
    right = 0
    for place, answer in zip(places, answers, strict=True):
        expected = run_minimax(place.state, heuristic, item["depth"] if work.takes_depth else WHOLE).score
        got = number(answer.get("value"))
        if got == expected.number:
            right += 1
        elif not lines:
            text = _("position {position}, depth {depth}: it returns {got}, and minimax returns {right}")
            shown = "-" if got is None else Score.of_number(got).text
            values = {"position": place, "depth": item["depth"], "got": shown, "right": expected.text}
            lines.append(str(answer["fault"]) if "fault" in answer else text.format(**values))
    return _of_positions(right, places, item, lines)


def quick_wins(work: Submission, item: Item, tell: Tell) -> Result:
    """Does it play a move that wins at once, where there is one?"""
    game = read_game(item["game"])
    places: dict[Position, list[str]] = {}
    for place in sample(game, 20 * item["positions"], item.seed):
        after = {move: place.play(move) for move in place.moves}
        wins = [move for move, there in after.items() if there.is_over and there.winner == place.to_move]
        if wins and len(places) < item["positions"]:
            places[place] = wins
    asked = [case_of(place, item["depth"]) for place in places]
    answers = work.answers("play", asked, tell, game=item["game"])
    lines: list[str] = []
    right = 0
    for (place, wins), answer in zip(places.items(), answers, strict=True):
        if answer.get("move") in wins:
            right += 1
        elif not lines:
            text = _("position {position}: it plays {move}, and {wins} wins at once")
            told = text.format(position=place, move=str(answer.get("move"))[:40], wins=", ".join(wins))
            lines.append(str(answer["fault"]) if "fault" in answer else told)
    return _of_positions(right, list(places), item, lines)


def budget(work: Submission, item: Item, tell: Tell) -> Result:
    """Does it end with a legal move when its nodes are used up?"""
    game = read_game(item["game"])
    places = sample(game, item["positions"], item.seed)
    asked = [case_of(place, 20, item["nodes"]) for place in places]
    answers = work.answers("play", asked, tell, game=item["game"])
    lines = [str(answer["fault"]) for answer in answers if "fault" in answer][:1]
    right = sum(answer.get("move") in place.moves for place, answer in zip(places, answers, strict=True))
    return _of_positions(right, places, item, lines)


def legal(work: Submission, item: Item, tell: Tell) -> Result:
    """Are the moves of a player legal, and do they come in time?"""
    places = sample(read_game(item["game"]), item["positions"], item.seed)
    answers = work.answers("play", [case_of(place, 1) for place in places], tell, game=item["game"])
    lines = [str(answer["fault"]) for answer in answers if "fault" in answer][:1]
    right = sum(answer.get("move") in place.moves for place, answer in zip(places, answers, strict=True))
    return _of_positions(right, places, item, lines)


def _of_positions(right: int, places: Sequence[Position], item: Item, lines: Sequence[str]) -> Result:
    facts = {"right": right, "tried": len(places)}
    text = _("right in {right} of {tried} positions").format(**facts)
    return Result(credit(right, len(places), item.settings.get("least", 0.0)), (text, *lines), facts)


LOOKS: dict[str, Look] = {
    "values": values,
    "windows": windows,
    "moves": moves,
    "prunes": prunes,
    "ordering": ordering,
    "twice": twice,
    "ends": ends,
    "games": games,
    "quick_wins": quick_wins,
    "budget": budget,
    "legal": legal,
}
