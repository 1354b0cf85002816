"""Sheets of exercises are printed by a browser: one page of A4 each, with nothing cut off."""

import itertools
import re

from zermelo.exercises import DIFFICULTIES, KINDS, exercise
from zermelo.exercises.sheets import page
from zermelo.language import LANGUAGES, speaking

A4_INSIDE = {"width": 703, "height": 1016}  # 186 x 269 mm at 96 dots per inch: A4 without the margins


def test_every_sheet_fits_on_one_page(browser, tmp_path):
    made = [exercise(kind, 2, difficulty=difficulty) for kind in KINDS for difficulty in DIFFICULTIES]
    made.append(exercise("tolerance", 1, depth=4, children=2))
    made += [exercise("tolerance", number, difficulty="hard") for number in (6, 8)]
    for solved, code in itertools.product((False, True), LANGUAGES):
        file = tmp_path / "sheets.html"
        with speaking(code):
            file.write_text(page(made, solved), encoding="utf-8")
        paper = browser.new_page(viewport=A4_INSIDE)
        paper.goto(file.as_uri())
        printed = paper.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type /Page\b", printed)) == len(made)
        paper.emulate_media(media="print")
        heights = paper.evaluate("[...document.querySelectorAll('section')].map(s => s.getBoundingClientRect().height)")
        assert max(heights) < A4_INSIDE["height"]
        assert paper.evaluate("document.documentElement.scrollWidth") <= A4_INSIDE["width"]
        paper.set_viewport_size({"width": 390, "height": 844})
        paper.emulate_media(media="screen")
        assert paper.evaluate("document.documentElement.scrollWidth") <= 390
        paper.close()
