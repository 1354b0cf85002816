"""Errors carry an English text and its values, and are translated when they are shown."""

import pickle

import pytest

from zermelo.errors import FileError, PlayerError, ResourceError, ZermeloError
from zermelo.language import Message, speaking


def test_an_error_is_translated_when_it_is_shown():
    error = FileError("{path}: cannot be read: {reason}", path="a.txt", reason=PlayerError("unfinished"))
    with speaking("es"):
        spanish = str(error)
    with speaking("en"):
        assert str(error) == "a.txt: cannot be read: unfinished"
    assert spanish == "a.txt: no se puede leer: sin terminar"
    assert repr(error.args[0]) == "'a.txt: cannot be read: unfinished'"


@pytest.mark.parametrize("text", ["braces {as they are}", "", "100% {", "played out"])
def test_a_text_without_values_is_shown_as_it_is(text):
    with speaking("en"):
        assert str(ZermeloError(text)) == text


def test_errors_and_messages_go_from_process_to_process():
    error = pickle.loads(pickle.dumps(ResourceError("{name} is busy", name="x{y}")))
    assert type(error) is ResourceError and str(error) == "x{y} is busy"
    assert (error.exit_status, ZermeloError.exit_status) == (1, 2)
    assert f"{Message('{n} games', n=3):>8}" == " 3 games"
