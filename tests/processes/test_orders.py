"""The line protocol of our own processes: orders in, answers out, and nothing left behind."""

import os
import textwrap

import pytest

from zermelo.language import speaking
from zermelo.processes.lines import ProcessEnded
from zermelo.processes.orders import OwnProcess, WrongAnswer


@pytest.fixture
def start(tmp_path, monkeypatch):
    """Start a process that runs this code, with Orders imported."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    started = []

    def start(code):
        module = f"module{len(started)}"
        (tmp_path / f"{module}.py").write_text(f"from zermelo.processes.orders import Orders\n{textwrap.dedent(code)}")
        started.append(OwnProcess(module))
        return started[-1]

    yield start
    for process in started:
        process.kill()


COUNTING = """
    from zermelo.language import language

    def count(to):
        print("this is printed by a file, and is no answer", flush=True)
        for number in range(to):
            yield {"number": number, "language": language()}

    def main():
        Orders().serve({"count": count})
"""


def test_an_order_has_the_answers_that_its_function_gives(start):
    process = start(COUNTING)
    with speaking("es"):
        process.order("count", to=2)
    process.order("count", to=1)
    answers = [process.answer(60) for _ in range(3)]
    assert [answer["number"] for answer in answers] == [0, 1, 0]
    assert answers[0]["language"] == "es"
    process.kill()
    assert "printed by a file" in process.errors


def test_a_process_ends_when_it_is_told_even_at_work(start):
    code = """
        import time

        def main():
            orders = Orders(lambda: print("the end", flush=True))
            orders.say({"order": orders.next()["do"]})
            time.sleep(600)
    """
    process = start(code)
    process.order("work")
    assert process.answer(60) == {"order": "work"}
    process.order("stop")
    with pytest.raises(ProcessEnded, match="status 0"):
        process.answer(60)
    assert process.errors == "the end\n"


@pytest.mark.parametrize("line", ["hello", "[1]", "[" * 100_000])
def test_what_is_not_an_answer_ends_the_process(start, line):
    process = start(f"""
        def main():
            orders = Orders()
            orders._output.write({line!r} + "\\n")
            orders._output.flush()
            orders.next()
    """)
    with pytest.raises(WrongAnswer, match="not an answer"):
        process.answer(60)
    process.kill()
    assert process.is_over


def test_a_file_of_the_current_folder_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "json.py").write_text("raise SystemExit(7)")
    monkeypatch.chdir(tmp_path)
    process = OwnProcess("zermelo.tournaments.guest", tmp_path)
    process.greet()
    process.kill()
