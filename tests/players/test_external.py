"""Players that are other programs: the examples play, and errors of a program are told apart from bad moves."""

import gc
import json
import re
import shutil
import sys
import threading
from pathlib import Path

import pytest

import waiting
import zermelo as z
from zermelo.errors import PlayerError
from zermelo.match import Record
from zermelo.players import find_player
from zermelo.players.external import LATE
from zermelo.players.gtp import GtpPlayer
from zermelo.players.player import Crashed, Resigned, WrongAnswer
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
    with pytest.raises(PlayerError, match="it is for Hex, Reversi"):
        player.choose(CONNECT4.start())
    drawn = z.game("hex", size=2).position("B./.. w")
    with pytest.raises(PlayerError, match="needs a game from the beginning"):
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
        ("say(id=q['id'])", WrongAnswer, "its move is None, which is not a text"),
        ("say(id=q['id'], move=4)", WrongAnswer, "its move is 4, which is not a text"),
        ("say(move='4')", WrongAnswer, "its id is None, the question's is 1"),
        ("say(id=q['id'], move='4', score='high')", WrongAnswer, "its score is 'high', which is not a number"),
        ("say(id=q['id'], error='no idea')", Crashed, "no idea"),
        ("raise KeyError('oops')", Crashed, "the process ended with status 1\n(.|\n)*KeyError: 'oops'"),
        ("os._exit(5)", Crashed, "the process ended with status 5"),
        ("print('x' * 100000, flush=True)", WrongAnswer, "wrote a line of more than 65536 bytes"),
        ("say(id='x' * 60000)", WrongAnswer, "its id is 'x{199}[.]{3}, the question's is 1$"),
        ("while True: print(flush=True)", WrongAnswer, "'' is not a JSON object"),
        ("say(id=q['id'], resign=True)", Resigned, "^$"),
        ("time.sleep(60)", TimeoutError, "no answer in 0.3 s"),
    ],
)
def test_a_process_that_misbehaves(tmp_path, body, error, message):
    player = engine(tmp_path, body, patience=0.3 if "sleep" in body else 120)
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
    assert reason("os._exit(3)") == "crash: the process ended with status 3"
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
    processes = {player.think(CONNECT4.start()).nodes for _ in range(20)}
    assert len(processes) == 1


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("os._exit(3)", "crash: the process ended with status 3"),
        ("say(id=q['id'], error='no idea')", "crash: no idea"),
        ("print('what?', flush=True)", "wrong answer: 'what?' is not a JSON object"),
        ("time.sleep(60)", "timeout: no answer in 1 s"),
        ("say(id=q['id'], move='9')", "illegal move: 9 is illegal: the columns are 1 to 7"),
    ],
)
def test_a_game_that_an_engine_loses_without_playing(tmp_path, body, reason):
    """z.play goes on, and the record says why; so a match of many games has a result."""
    player = engine(
        tmp_path, f"print('its last words', file=sys.stderr)\n{body}", patience=1 if "sleep" in body else 120
    )
    for number, players in enumerate([(player, z.random(seed=1)), (z.random(seed=1), player)]):
        record = z.play(*players, CONNECT4.start())
        assert record.winner == 2 - number
        assert record.reason.startswith(reason)
        assert Record.from_json(record.to_json()) == record
        if "_exit" in body:
            assert record.error == "its last words"


def test_an_engine_behind_a_shell_script_that_never_answers(tmp_path):
    """The shell waits for the engine, and the engine holds our pipe: neither is waited for, and both are ended."""
    script = tmp_path / "wrapper.sh"
    script.write_text(f"sleep 1000 &\necho $! > {tmp_path}/number\nwait\n")
    player = z.player(text("process", command=f"sh {script}", patience=2))
    report = z.tournament([{"name": "it", "player": str(player)}, "random"], "tictactoe", pairs=1, threads=1)
    assert set(report.endings) == {"timeout"}
    number = int((tmp_path / "number").read_text())
    waiting.until(lambda: not waiting.is_running(number))


def test_the_process_of_a_thread_ends_with_it(tmp_path):
    player = engine(tmp_path, "say(id=q['id'], move='4', nodes=os.getpid())")
    numbers = []
    thread = threading.Thread(target=lambda: numbers.append(player.think(CONNECT4.start()).nodes))
    thread.start()
    thread.join()
    gc.collect()
    waiting.until(lambda: not waiting.is_running(numbers[0]))


# ------------------------------------------------------------------------------------------------------------- GTP


def gtp_engine(tmp_path, body="", **options):
    """A GTP program that writes down what it is told; body may answer first, with `command` and `say`."""
    file = tmp_path / f"gtp{len(list(tmp_path.iterdir()))}.py"
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    file.write_text(
        "import sys, time\n"
        "def say(text):\n    print(text, end='\\n\\n', flush=True)\n"
        "for line in sys.stdin:\n"
        f"    command = line.strip()\n    with open({str(tmp_path / 'told')!r}, 'a') as told: told.write(line)\n"
        f"{lines}\n"
        "    say('= a1' if command.startswith('genmove') else '=')\n"
    )
    return z.player(text("gtp", command=f"{sys.executable} {file}", **options))


REFUSE_TIME = "if command.startswith('time_settings'):\n    say('? unknown command: time_settings')\n    continue"
HEX5 = z.game("hex", size=5)


def told(tmp_path):
    return (tmp_path / "told").read_text().splitlines()


def test_start_up_commands_come_first_and_once(tmp_path):
    player = gtp_engine(tmp_path, seconds=2, init=["param_mohex max_time 2", "param_game allow_swap 1"])
    assert find_player(str(player)) == player
    assert player.choose(HEX5.start()) == player.choose(HEX5.position("b2")) == "a1"
    assert told(tmp_path) == [
        "name", "param_mohex max_time 2", "param_game allow_swap 1",
        "boardsize 5", "clear_board", "time_settings 0 2 1", "genmove black",
        "boardsize 5", "clear_board", "time_settings 0 2 1", "play black b2", "genmove white",
    ]  # fmt: skip
    assert z.player('gtp(command=x, init="one command")').init == ("one command",)


def test_a_start_up_command_that_is_refused(tmp_path):
    player = gtp_engine(
        tmp_path, "if 'max_tme' in command:\n    say('? unknown parameter')\n    continue", init="max_tme 1"
    )
    with pytest.raises(WrongAnswer, match=r"it answered 'max_tme 1' with '\? unknown parameter'"):
        player.prepare(HEX5)
    for wrong in ("3", '[3, "a"]', '""', "yes"):
        with pytest.raises(PlayerError, match="is not a command, as in init="):
            z.player(f"gtp(command=x, init={wrong})")


def test_refused_time_settings_are_told(tmp_path, caplog):
    player = gtp_engine(tmp_path, REFUSE_TIME, seconds=3)
    for _ in range(3):
        assert player.choose(HEX5.position("b2")) == "a1"
        assert player.choose(HEX5.position("b2c3")) == "a1"
    assert len(caplog.messages) == 1, "once"
    assert "'? unknown command: time_settings'" in caplog.text
    assert 'init=["param_mohex max_time 3"]' in caplog.text
    caplog.clear()
    assert gtp_engine(tmp_path, REFUSE_TIME, seconds=3, init="param_mohex max_time 3").choose(HEX5.start()) == "a1"
    assert not caplog.messages, "its time is set by other means"


def test_a_program_that_was_not_told_its_time_is_late(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.players.external.LATE", 0.2)
    player = gtp_engine(tmp_path, REFUSE_TIME + "\nif 'genmove' in command: time.sleep(60)", seconds=0.2)
    record = z.play(player, z.random(seed=1), HEX5.start())
    assert (
        record.reason == "timeout: no answer in 0.4 s; it refused time_settings, so its time must be set by init=[...]"
    )


def test_only_thinking_has_the_time_of_a_move(tmp_path, monkeypatch):
    """A program may take longer to load its tables than to choose a move."""
    limits, ask = {}, GtpPlayer._ask

    def noted(self, talk, command, seconds=None):
        limits[command] = seconds
        return ask(self, talk, command, seconds)

    monkeypatch.setattr(GtpPlayer, "_ask", noted)
    player = gtp_engine(tmp_path, seconds=30)
    assert player.choose(HEX5.start()) == "a1"
    assert {command: seconds for command, seconds in limits.items() if seconds} == {"genmove black": 30 + LATE}
    assert "name" in limits


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (
            "print('= a1')\n    while True: print('and', flush=True)",
            "wrong answer: it answered 'genmove black' with more than",
        ),
        ("while True: print(flush=True)", "timeout: no answer in 1 s"),
        ("while True:\n        print('=', flush=True)\n        time.sleep(0.3)", "timeout: no answer in 1 s"),
        ("say('? ' + 'x' * 9999)", "wrong answer: it answered 'genmove black' with '\\? x{197}[.]{3}$"),
    ],
)
def test_answers_without_end(tmp_path, body, reason):
    player = gtp_engine(tmp_path, f"if 'genmove' in command:\n    {body}", patience=1 if "timeout" in reason else 120)
    record = z.play(player, z.random(seed=1), HEX5.start())
    assert re.match(reason, record.reason)


def test_a_swap_is_told_as_the_stone_that_then_lies_there(tmp_path):
    swap = z.game("hex", size=5, swap=True)
    player = gtp_engine(tmp_path)
    position = swap.position("b3").play("swap")
    assert player.choose(position) == "a1"
    assert player.choose(position.play("a1").play("e5")) == "a1"
    assert "play white c2" in told(tmp_path), "the same board that we have"
    assert "c2" not in position.moves
    assert "b3" in position.moves
    assert [line for line in told(tmp_path) if line.startswith(("boardsize", "play", "genmove"))] == [
        "boardsize 5", "play white c2", "genmove black", "play white e5", "genmove black"
    ]  # fmt: skip


def test_a_program_that_swaps(tmp_path):
    swap = z.game("hex", size=5, swap=True)
    player = gtp_engine(tmp_path, "if command == 'genmove white':\n    say('= swap-pieces')\n    continue")
    assert player.choose(swap.position("c2")) == "swap"
    assert player.choose(swap.position("c2").play("swap").play("e1")) == "swap"
    assert told(tmp_path)[-4:] == ["clear_board", "play white b3", "play black e1", "genmove white"]
