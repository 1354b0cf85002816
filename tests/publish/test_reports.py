"""Results on a site: a tournament's report leads to a page on which its contestants can be played against."""

from dataclasses import replace

import pytest

import zermelo as z
from zermelo.errors import FileError, PlayerError
from zermelo.publish.reports import arena_plan, tournament_plan
from zermelo.publish.sites import SitePlan, page_plan, site_files


def test_contestants_can_be_played_against(tmp_path, compile_player):
    z.tournament(["alphabeta(depth=2)", "random(seed=1)"], "tictactoe", pairs=1, store=tmp_path / "cup.db", name="cup")
    plan = tournament_plan({"store": "cup.db", "name": "cup"}, tmp_path / "site.toml")

    def compile_or_refuse(game, player):
        if player.startswith("random"):
            raise PlayerError("random players cannot be published")
        return compile_player(game, "alphabeta(nodes=2000)")

    said = []
    site = site_files(SitePlan("Ours", (), (plan,)), said.append, compile_or_refuse)
    assert any("is left out: random players cannot be published" in text for text in said)
    report = site.files["cup/index.html"].decode()
    assert 'href="../cup-play/index.html#second=0.0"' in report
    assert "cup-play/player-1.wasm" in site.files
    assert "cup-play/player-2.wasm" not in site.files
    assert 'href="cup/index.html"' in site.files["index.html"].decode()


def test_a_gallery_says_in_both_languages_who_plays(compile_player):
    plan = page_plan("tictactoe")

    def small(game, player):
        return compile_player(game, "alphabeta(nodes=2000)")

    site = site_files(SitePlan("Ours", (plan, replace(plan, name="again"))), print, small)
    assert '<p><span data-t="Engine">Engine</span></p>' in site.files["index.html"].decode()
    assert '"Engine":"Motor"' in site.files["gallery.js"].decode()


def test_an_arena_is_archived_without_what_students_handed_in(tmp_path):
    plan = arena_plan({"folder": "."}, tmp_path / "site.toml", "Our class", lambda above: f"<h1>Final</h1>{above}")
    site = site_files(SitePlan("Ours", (), (plan,)), print)
    back = '<p><a href="../index.html">← Ours</a></p>'
    assert site.files["our-class/index.html"].decode() == f"<h1>Final</h1>{back}"
    assert not [path for path in site.files if path.endswith(".wasm")]
    with pytest.raises(FileError, match="needs a game"):
        arena_plan({"players": ["random"]}, tmp_path / "site.toml", "Our class", str)
