"""The little language of games and players."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.calls import Call, call_of, parse_call
from zermelo.errors import ZermeloError


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("random", Call("random")),
        ("random()", Call("random")),
        ("random(seed=3)", Call("random", {"seed": 3})),
        ("a(b=1, c=2.5, d=yes, e=no)", Call("a", {"b": 1, "c": 2.5, "d": True, "e": False})),
        ("a(lines2, depth = 3)", Call("a", {0: "lines2", "depth": 3})),
        ("a(h=b(c=1), d=2)", Call("a", {"h": Call("b", {"c": 1}), "d": 2})),
        ("a(nodes=3_500_000)", Call("a", {"nodes": 3500000})),
        ('a(cards="boar ox", x=1)', Call("a", {"cards": "boar ox", "x": 1})),
        ('a(b=["c d", e, 3, 2.5, "3"], f=1)', Call("a", {"b": ("c d", "e", 3, 2.5, "3"), "f": 1})),
        ('a(b=[ "c" , ], [])', Call("a", {"b": ("c",), 1: ()})),
        ('a(b="[c]", d="[")', Call("a", {"b": "[c]", "d": "["})),
        ("mine.py:corners", Call("mine.py:corners")),
        ('"mine (v2).py:corners"', Call("mine (v2).py:corners")),
        ('"heurística final.py:f"(w=3)', Call("heurística final.py:f", {"w": 3})),
        ('a(h="a,b.py:f"(w=3), d=2)', Call("a", {"h": Call("a,b.py:f", {"w": 3}), "d": 2})),
        ('a(h="a,b.py:f", d=2)', Call("a", {"h": "a,b.py:f", "d": 2})),
        ('"so ""called"".py:f"', Call('so "called".py:f')),
        ('a(command="run ""my engine"" 3", b="")', Call("a", {"command": 'run "my engine" 3', "b": ""})),
        ("a(h=mine.py:corners(corner=-8))", Call("a", {"h": Call("mine.py:corners", {"corner": -8})})),
    ],
)
def test_reading_and_writing(text, call):
    assert parse_call(text) == call
    assert parse_call(str(call)) == call
    assert hash(parse_call(str(call))) == hash(call)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a name expected at the end"),
        ("a(", "expected at the end"),
        ("a(b", "',' or ')' expected at the end"),
        ("a(b=)", "a name expected at ')'"),
        ("a)b", "nothing more expected at ')b'"),
        ("a(b=1 c=2)", "',' or ')' expected at 'c=2)'"),
        ("a(b=1,b=2)", "'b' is given twice"),
        ('a("b)', "expected at"),
        ("a(b=[c", "a text or a number expected at the end"),
        ("a(b=[c d])", "',' or ']' expected at 'd])'"),
        ("a(b=[,])", "a text or a number expected at ',])'"),
        ("a(b=[c(d=1)])", "a text or a number expected at '(d=1)])'"),
        ('""', "a name expected"),
    ],
)
def test_what_cannot_be_read_is_shown(text, message):
    with pytest.raises(ZermeloError) as caught:
        parse_call(text)
    assert message in str(caught.value)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text):
    try:
        call = parse_call(text)
    except ZermeloError:
        return
    assert parse_call(str(call)) == call


@given(st.text(min_size=1, max_size=40), st.text(max_size=40))
def test_any_name_and_any_text_can_be_written(name, value):
    assert parse_call(str(Call(name))) == Call(name)
    call = Call(name, {"w": 1, "x": 'say "' + value})
    assert parse_call(str(call)) == call


def test_the_name_of_a_file_alone_needs_no_quotes():
    for name in ("mine (v2).py:f", "a,b.py:f", "heurística final.py:f", "my table.npz"):
        assert call_of(name) == call_of(str(Call(name))) == Call(name)
    with pytest.raises(ZermeloError, match="expected at the end"):
        call_of("alphabeta(heuristic=mine.py:f")
