"""Pictures as SVG and as JSON, and pictures of games that draw SVG themselves."""

import json
import warnings
from xml.etree import ElementTree

import pytest

from zermelo.drawing import svg
from zermelo.drawing.picture import Picture, glyph, read_picture
from zermelo.games import find_game, game_names
from zermelo.games.tictactoe import TicTacToeGame
from zermelo.position import Game, random_playout


@pytest.fixture(scope="module", params=[*game_names(), "hex(size=4, swap=yes)"])
def positions(request):
    game = find_game(request.param)
    return [random_playout(game.start(), 3, plies) for plies in (0, 1, 2, 9, None)]


def small():
    picture = Picture(width=40, height=20, label="a <board>", style=".a{fill:red}", words="{from}-{to}")
    picture.background.append(svg.tag("rect", width=40, height=20))
    left, right = picture.place("left", 10, 10, 20), picture.place("right", 30, 10, 20)
    disc = svg.tag("circle", r=5)
    picture.put("one", "disc", left, disc, label="left & low")
    here = glyph("two", "disc", right, disc, offset=(1, -2))
    picture.draw("button", "button", right, svg.tag("path", d="M0 0h9"), label="go", move="go", parts=(here,))
    return picture


def test_a_picture_knows_what_stands_where():
    picture = small()
    assert [one.name for one in picture.at("left")] == ["one"]
    assert [one.name for one in picture.at("right")] == ["button", "two"]
    assert picture.moves == {"go": "right"}


def test_every_legal_move_is_at_a_place(positions):
    for position in positions:
        picture = position.picture()
        assert set(picture.moves) <= set(position.moves)
        assert set(picture.moves.values()) <= set(picture.places)
        assert {one.place for one in picture.all_glyphs()} <= {None, *picture.places}


def test_names_tell_the_glyphs_of_a_picture_apart(positions):
    for position in positions:
        names = [one.name for one in position.picture(dict.fromkeys(position.moves, "+1")).all_glyphs()]
        assert len(set(names)) == len(names)


def drawn_by_a_page(description):
    """What the script of a page makes of a description: (name, attributes, text) of the elements in their order."""

    def walk(part):
        name, attributes, *content = part
        yield name, attributes, "".join(inside for inside in content if isinstance(inside, str))
        for inside in content:
            if not isinstance(inside, str):
                yield from walk(inside)

    def of_glyph(one):
        attributes = dict(one["attributes"])
        if "offset" in one:
            x, y = (round(a + b, 2) for a, b in zip(description["places"][one["place"]], one["offset"], strict=False))
            attributes["transform"] = svg.translation(float(x), float(y))
        yield "g", attributes, ""
        if "title" in one:
            yield "title", {}, one["title"]
        for part in one["shapes"] if "shapes" in one else description["shapes"][one["kind"]]:
            yield from walk(part)
        for part in one.get("parts", []):
            yield from of_glyph(part)

    yield "svg", description["root"], ""
    for part in description["title"]:
        yield from walk(part)
    yield "g", {"class": "whole"}, ""
    for part in description["background"]:
        yield from walk(part)
    for one in description["glyphs"]:
        yield from of_glyph(one)


def read(text):
    for element in ElementTree.fromstring(text).iter():
        yield element.tag.rpartition("}")[2], dict(element.attrib), element.text or ""


def test_a_page_draws_the_same_from_json_as_it_is_sent_at_first(positions):
    for position in positions:
        picture = position.picture(dict.fromkeys(position.moves, "<1"))
        description = json.loads(json.dumps(picture.to_json("board", "Board")))
        assert list(drawn_by_a_page(description)) == list(read(picture.svg("board", "Board")))


def test_a_document_has_its_style_and_a_board_only_tells_it():
    picture = small()
    document, board = picture.svg(), picture.svg("board", "The board")
    assert "<style>.a{fill:red}</style>" in document and "<style" not in board
    assert picture.to_json()["style"] == ".a{fill:red}"
    root = ElementTree.fromstring(document)
    assert (root.get("role"), root.get("aria-label")) == ("img", "a <board>")
    root = ElementTree.fromstring(board)
    assert (root.get("role"), root.get("aria-label"), root.get("class")) == ("group", "The board", "wide")
    assert root.get("data-words") == "{from}-{to}"
    assert "data-glyph" not in document, "only pages move glyphs"


def test_nothing_in_a_view_can_be_clicked(positions):
    for position in positions:
        for _name, attributes, _text in drawn_by_a_page(position.picture().to_json("view")):
            assert not {"data-move", "role", "tabindex", "aria-label", "data-place"} & set(attributes)


def test_every_picture_has_dark_colours_wherever_a_page_shows_it(positions):
    for position in positions:
        picture = position.picture()
        assert picture.dark.startswith("@media (prefers-color-scheme:dark)")
        assert picture.dark in picture.to_json("board")["style"] and picture.dark == picture.to_json("view")["style"]
        assert "prefers-color-scheme" in picture.svg("image") and "data-move" not in picture.svg("image")
        assert "prefers-color-scheme" not in picture.svg() + picture.svg("view"), "a document may be printed"


def test_glyphs_of_one_kind_look_alike():
    picture = small()
    picture.put("three", "disc", "left", svg.tag("circle", r=6))
    with pytest.raises(ValueError, match="three: another glyph of the kind 'disc' is drawn differently"):
        picture.to_json()


def test_elements_that_were_joined_cannot_be_sent():
    picture = small()
    picture.background.append(svg.tag("g", svg.tag("a") + svg.tag("b")))
    assert "<a/><b/>" in picture.svg()
    with pytest.raises(TypeError, match="has lost its parts"):
        picture.to_json()


@pytest.mark.parametrize(("name", "moves"), [("onitama", None), ("parcheckers", None), ("reversi", ["f5", "d6"])])
def test_a_glyph_keeps_its_name_where_it_goes(name, moves):
    """So that a page can move it."""
    position = find_game(name).start()
    for number in range(2):
        before = {one.name: one for one in position.picture().all_glyphs()}
        position = position.play(moves[number] if moves else position.moves[0])
        after = {one.name: one for one in position.picture().all_glyphs()}
        moved = {one for one in before.keys() & after.keys() if before[one].place != after[one].place}
        flipped = {one for one in before.keys() & after.keys() if before[one].kind != after[one].kind}
        if name == "reversi":
            assert any(one.startswith("disc-") for one in flipped)
        else:
            assert any(one.startswith(("man-", "piece-")) for one in moved)


def test_the_men_of_onitama_are_told_apart_from_the_start():
    position = find_game("onitama").start()
    for _ply in range(12):
        position = position.play(position.moves[-1])
    men = [one for one in position.picture().glyphs if one.name.startswith("man-")]
    assert len({one.name for one in men}) == len(men)
    begin = {one.name: one.kind for one in position.path[0].picture().glyphs}
    assert all(begin[one.name] == one.kind for one in men)


# ------------------------------------------------------------------------------------------ games of version 0.1

OLD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 20" role="img" aria-label="Old &amp; good" fill="red">
  <title>Old &amp; good</title><style>.b{stroke:red}</style>
  <g data-move="a1" role="button" tabindex="0" aria-label="a1: empty"><title>a1: empty</title>
  <rect width="9" height="9"/>
  <text x="2">1 &lt; 2</text></g></svg>"""


def test_svg_is_read_back_element_by_element():
    picture = read_picture(OLD)
    assert (picture.width, picture.height, picture.label, picture.style) == (30, 20, "Old & good", ".b{stroke:red}")
    elements = list(drawn_by_a_page(picture.to_json()))
    assert ("text", {"x": "2"}, "1 < 2") in elements
    assert any(attributes.get("data-move") == "a1" for _, attributes, _ in elements)
    assert any(attributes.get("fill") == "red" for name, attributes, _ in elements if name == "g")
    assert not any("data-move" in attributes for _, attributes, _ in drawn_by_a_page(picture.to_json("view")))
    with pytest.raises(ValueError, match="this is not SVG"):
        read_picture("<svg>")


def test_a_game_that_overrides_svg_still_works_with_a_warning():
    with pytest.warns(DeprecationWarning, match=r"OldGame overrides svg\(\); override picture\(\)"):

        class OldGame(TicTacToeGame):
            def svg(self, position, marks=None):
                return OLD.replace("a1", position.moves[0])

    start = OldGame().start()
    assert start.svg().startswith("<svg") and start.picture().width == 30
    assert 'data-move="a1"' in start.picture().svg("board", "Board")
    with warnings.catch_warnings():

        class NewGame(OldGame):
            def picture(self, position, marks):
                return small()

            svg = Game.svg

    assert NewGame().start().svg() == small().svg()
