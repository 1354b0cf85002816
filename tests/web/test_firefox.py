"""The lab in Firefox, on a desktop and on a phone."""

import pytest

from web.conftest import DESKTOP, PHONE, until

pytestmark = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])


def test_a_move_and_its_reply(in_firefox, size, check_axe):
    page = in_firefox(viewport=size)
    page.goto("/tictactoe/-/-?first=human&second=random(seed=1)")
    page.click("#board [data-move] >> nth=4")
    until(page, "document.querySelectorAll('#moves li').length === 2")
    assert page.locator("#board [data-move]").count() == 7
    check_axe(page)
