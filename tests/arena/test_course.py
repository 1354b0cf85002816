"""A simulated course: the final order is the true one, which is known by construction, within the error bars."""

from pathlib import Path

import pytest
from quick_class import hand_in, quick_settings

from zermelo.arena import settings as toml
from zermelo.arena.records import Records
from zermelo.arena.rounds import order_final, play_final
from zermelo.tournaments.store import open_store


def test_the_final_order_is_the_true_one_where_error_bars_tell_students_apart():
    """The same search at rising depths. Nothing in this final depends on chance or on the machine."""
    settings = quick_settings(
        rungs=["random", "alphabeta(heuristic=centre, depth=1)"], game="connect4", final=toml.Final(pairs=8)
    )
    store = open_store(None)
    records = Records(store)
    truth = {}
    for depth in (3, 1, 5, 2, 4):
        student, _ = records.add_student(f"Depth {depth}")
        truth[hand_in(records, student, f"alphabeta(heuristic=centre, depth={depth})")] = depth
    order_final(store, records, settings, "teacher", 2027)
    assert play_final(store, records, settings, threads=1)
    rows = {truth[row["contestant"]]: row for row in records.published("final")[1]["rows"] if not row["is_rung"]}
    for deep, row in rows.items():
        for deeper, other in rows.items():
            if deep < deeper:
                assert not row["ranks"][1] < other["ranks"][0], f"{deep} is not better than {deeper}"
    assert rows[1]["ranks"][0] > rows[5]["ranks"][1], "the best and the weakest are told apart"


@pytest.mark.slow
def test_a_course_of_files_in_processes_of_their_own(tmp_path, monkeypatch, record_property):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "bench"))
    import arena_course

    found = arena_course.course(tmp_path, students=8, games=400, pairs=10, threads=4)
    for name, one in found.items():
        figure = f"Spearman {one['spearman']:.2f}, {one['wrong']:.0f} of {one['told apart']:.0f} wrong"
        record_property("figure", [20, f"simulated course of 8 students, {name}: agreement with the truth", "", figure])
        assert one["wrong"] <= 1
    assert found["final"]["spearman"] > 0.7
