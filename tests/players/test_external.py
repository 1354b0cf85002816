"""Players of other programs: the examples play, and one that misbehaves is told from one that plays badly."""

import json
import shutil
import sys
import time
from pathlib import Path

import pytest

import zermelo as z
from zermelo.errors import PlayerError
from zermelo.players import find_player
from zermelo.players.player import Resigned, WrongAnswer
from zermelo.tournaments.referee import play_game

ENGINES = Path(__file__).parent.parent.parent / "examples" / "engines"
CHANCE = f"{sys.executable} {ENGINES / 'chance.py'}"
MIDDLE = f"{sys.executable} {ENGINES / 'hex_gtp.py'}"
CONNECT4 = z.game("connect4")


def text(kind, **options):
    """A player's text; commands hold spaces, so they are quoted."""
    return f"{kind}({', '.join(f'{k}={json.dumps(v)}' for k, v in options.items())})"


def engine(tmp_path, body, **options):
    """A player whose process runs this code for each question."""
    file = tmp_path / f"engine{len(list(tmp_path.iterdir()))}.py"
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    file.write_text(
        "import json, sys, time, os\n"
        "def say(**answer):\n    print(json.dumps(answer), flush=True)\n"
        f"for line in sys.stdin:\n    q = json.loads(line)\n{lines}\n"
    )
    return z.player(text("process", command=f"{sys.executable} {file}", **options))


def test_the_python_example_plays_any_game():
    player = z.player(text("process", command=CHANCE))
    for name in ("tictactoe", "connect4", "tree/course"):
        record = z.play(player, z.random(seed=1), z.game(name).start())
        assert record.reason == "played out"
    assert not player.is_deterministic
    assert str(player) == f'process(command="{CHANCE}")'
    assert find_player(str(player)) == player


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no node here")
def test_the_javascript_example_wins_blocks_and_beats_chance():
    player = z.player(text("process", command=f"node {ENGINES / 'connect4.mjs'}"))
    assert player.choose(CONNECT4.start()) == "4"
    assert player.choose(CONNECT4.position("112233")) == "4", "wins"
    assert player.choose(CONNECT4.position("1122337")) == "4", "blocks"
    assert player.choose(CONNECT4.position("41424")) == "4", "blocks upwards"
    small = z.game("connect4", columns=5, rows=4)
    assert z.play(player, z.random(seed=1), small.start()).reason == "played out"
    report = z.tournament([{"name": "js", "player": str(player)}, "random"], "connect4", pairs=5, threads=2)
    assert report.score("js", "random") > 0.8
    assert report.endings == {"played out": 10}


def test_the_gtp_example_plays_hex():
    hex5 = z.game("hex", size=5)
    player = z.player(text("gtp", command=MIDDLE, seconds=5))
    assert player.choose(hex5.start()) == "c3"
    assert player.choose(hex5.position("c3")) != "c3"
    for first, second in ((player, z.random(seed=2)), (z.random(seed=2), player)):
        record = z.play(first, second, hex5.position("a1 b2"))
        assert record.reason == "played out"
    report = z.tournament([{"name": "middle", "player": str(player)}, "random"], "hex(size=4)", pairs=3, threads=2)
    assert report.endings == {"played out": 6}
    assert find_player(str(player)) == player


def test_gtp_is_for_games_it_can_be_told():
    player = z.player(text("gtp", command=MIDDLE))
    with pytest.raises(PlayerError, match="it is for Hex"):
        player.choose(CONNECT4.start())
    drawn = z.game("hex", size=2).position("B./.. w")
    with pytest.raises(PlayerError, match="told a game from its beginning"):
        player.choose(drawn)


def test_what_a_process_is_told(tmp_path):
    player = engine(tmp_path, "say(id=q['id'], error=line)", seconds=0.25, depth=3)
    with pytest.raises(PlayerError) as caught:
        player.choose(CONNECT4.position("44"))
    assert (
        '{"protocol": 1, "id": 1, "game": "connect4", "start": "-", "line": ["4", "4"], "position": "44", "player": 1, '
        '"legal": ["1", "2", "3", "4", "5", "6", "7"], "seconds": 0.25, "depth": 3}'
    ) in str(caught.value)


def test_what_a_process_says_of_its_move(tmp_path):
    choice = engine(tmp_path, "say(id=q['id'], move='3', score=-7, depth=2, nodes=99)").think(CONNECT4.start())
    assert (choice.move, choice.score, choice.depth, choice.nodes) == ("3", -7, 2, 99)


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ("print('c4', flush=True)", WrongAnswer, "'c4' is not a JSON object"),
        ("print('[4]', flush=True)", WrongAnswer, "is not a JSON object"),
        ("say(id=q['id'])", WrongAnswer, "its move is None, not a text"),
        ("say(id=q['id'], move=4)", WrongAnswer, "its move is 4, not a text"),
        ("say(move='4')", WrongAnswer, "its id is None, the question's is 1"),
        ("say(id=q['id'], move='4', score='high')", WrongAnswer, "its score is 'high', not a whole number"),
        ("say(id=q['id'], error='no idea')", PlayerError, "no idea"),
        ("raise KeyError('oops')", PlayerError, "the process ended with status 1\n(.|\n)*KeyError: 'oops'"),
        ("os._exit(5)", PlayerError, "the process ended with status 5"),
        ("say(id=q['id'], resign=True)", Resigned, "^$"),
        ("time.sleep(60)", TimeoutError, "no answer in 0.3 s"),
    ],
)
def test_a_process_that_misbehaves(tmp_path, body, error, message):
    player = engine(tmp_path, body, patience=0.3 if "sleep" in body else 20)
    with pytest.raises(error, match=message) as caught:
        player.choose(CONNECT4.start())
    if error is not Resigned:
        assert isinstance(caught.value, PlayerError)
        assert str(caught.value).startswith(f"{player.command}: "), "it is said who did that"


def test_a_process_that_dies_is_started_again(tmp_path):
    player = engine(tmp_path, "say(id=q['id'], move='4') if q['id'] == 1 else os._exit(1)")
    for _ in range(2):
        assert player.choose(CONNECT4.start()) == "4"
        with pytest.raises(PlayerError):
            player.choose(CONNECT4.start())


def test_the_referee_names_the_fault(tmp_path):
    def reason(body, **options):
        player = engine(tmp_path, body, **options)
        record = play_game((player, z.random(seed=1)), ("it", "chance"), CONNECT4.start())
        assert record.winner == 2
        return record.reason

    assert reason("print('what?', flush=True)").startswith("wrong answer: 'what?'")
    assert reason("say(id=q['id'], move='9')").startswith("illegal move: 9 is illegal: the columns are 1 to 7")
    assert reason("time.sleep(60)", patience=0.3) == "timeout: no answer in 0.3 s"
    assert reason("os._exit(3)").startswith("crash: PlayerError: ")
    assert reason("say(id=q['id'], resign=True)") == "resigned"


def test_a_command_that_cannot_be_run():
    with pytest.raises(PlayerError, match="no-such-program: cannot be started"):
        z.player('process(command="no-such-program")').prepare(CONNECT4)
    with pytest.raises(PlayerError, match="the command is missing"):
        z.player("process")
    with pytest.raises(PlayerError, match="seconds=-1 is not a number above 0"):
        z.player('gtp(command="x", seconds=-1)')


def test_a_process_is_kept_from_move_to_move(tmp_path):
    player = engine(tmp_path, "say(id=q['id'], move='4', nodes=os.getpid())")
    began = time.monotonic()
    processes = {player.think(CONNECT4.start()).nodes for _ in range(20)}
    assert len(processes) == 1
    assert time.monotonic() - began < 20
