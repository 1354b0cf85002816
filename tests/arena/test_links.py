"""The arena's own links outlive the server, and a renewed one replaces the old."""

import stat

from zermelo.arena.links import link_key, renewed
from zermelo.arena.records import Records
from zermelo.tournaments.store import open_store


def test_links_are_kept_renewed_and_never_brought_back(tmp_path):
    store = open_store(tmp_path / "arena.db")
    records = Records(store)
    key = link_key(records, tmp_path, "join")
    assert link_key(records, tmp_path, "join") == key and records.is_key("join", key)
    assert stat.S_IMODE((tmp_path / "join.key").stat().st_mode) == 0o600
    new = renewed(records, tmp_path, "join")
    assert link_key(records, tmp_path, "join") == new != key and not records.is_key("join", key)
    leaked, other = new, records.make_key("join")  # by another program, which does not know the file
    third = link_key(records, tmp_path, "join")
    assert third not in (leaked, other) and not records.is_key("join", leaked)
    assert key not in str(store.execute("SELECT * FROM arena_keys"))
    store.close()
