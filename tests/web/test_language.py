"""The lab in the browser's language, or in the one chosen at the foot of a page."""

import pytest
from playwright.sync_api import expect

from zermelo.language import LANGUAGES

BUSY = 180_000  # milliseconds for a process to start and compile, on a busy machine
WRONG = """
import zermelo as z
from zermelo.games.tictactoe.rules import TicTacToe


@z.heuristic
def mine(state: TicTacToe):
    wrong = state.men
    return z.count(state.mine)
"""
SPANISH = {"Accept-Language": "es-ES,es;q=0.9,en;q=0.8"}


@pytest.fixture
def get(server):
    with server.client() as client:
        yield client.get


def test_a_page_speaks_the_browsers_language(get):
    for headers, language, words in (
        ({}, "en", "Play, analyse, see why"),
        (SPANISH, "es", "Juega, analiza, descubre por qué"),
    ):
        answer = get("/", headers=headers)
        assert words in answer.text
        assert f'<html lang="{language}">' in answer.text
        assert answer.headers["Content-Language"] == language
        assert "Accept-Language" in answer.headers["Vary"]


def test_other_languages_get_english(get):
    assert '<html lang="en">' in get("/", headers={"Accept-Language": "de-DE,de;q=0.9"}).text


def test_the_choice_is_kept(server):
    with server.client() as client:
        assert '<html lang="es">' in client.get("/?lang=es").text
        assert '<html lang="es">' in client.get("/tournaments").text
        assert '<html lang="en">' in client.get("/tournaments?lang=en", headers=SPANISH).text
        assert '<html lang="en">' in client.get("/", headers=SPANISH).text
        assert '<html lang="en">' in client.get("/?lang=de").text


def test_the_foot_links_to_this_page_in_every_language(get):
    text = get("/analyse/connect4/7x6/44?at=1").text
    for code, name in LANGUAGES.items():
        assert f'href="/analyse/connect4/7x6/44?at=1&amp;lang={code}"' in text
        assert f">{name}</a>" in text


def test_errors_of_the_api_speak_it_too(get):
    query = {"line": "connect4/7x6/9"}
    assert "es ilegal: las columnas van de 1 a 7" in get("/api/position", params=query, headers=SPANISH).json()["error"]
    assert "is illegal: the columns are 1 to 7" in get("/api/position", params=query).json()["error"]


@pytest.mark.parametrize(
    "address",
    ["/", "/saved", "/why", "/tournaments", "/tournaments/new", "/workshop", "/tictactoe", "/analyse/tictactoe"],
)
def test_pages_in_spanish_are_sound(address, open_page, check_axe):
    page = open_page(locale="es-ES")
    page.goto(address)
    assert page.evaluate("document.documentElement.lang") == "es"
    check_axe(page)


def test_scripts_speak_spanish(open_page):
    page = open_page(locale="es-ES")
    page.goto("/why")
    expect(page.locator("#said")).to_have_text("A vale 5. La búsqueda ha terminado.", timeout=60_000)
    expect(page.locator("#where")).to_have_text("Paso 22 de 22")
    expect(page.locator(".counts").first).to_contain_text("14 nodos, un 13 % menos, 2 podas")
    page.locator("[data-step=first]").click()
    expect(page.locator("#said")).to_have_text("A: mueve MAX, con la ventana [-inf, inf].")


@pytest.mark.parametrize("locale", ["en-GB", "es-ES"])
def test_every_place_of_the_lab_is_in_sight_on_a_phone(locale, open_page):
    phone = open_page(locale=locale, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone.goto("/why")
    links = phone.locator(".top nav a")
    assert links.count() == 8
    for link in links.all():
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
        expect(link).to_be_in_viewport()


def test_the_workshop_and_tournaments_speak_it_though_other_processes_tell_them(open_page):
    page = open_page(locale="es-ES")
    page.goto("/workshop")
    page.wait_for_selector(".CodeMirror")
    page.evaluate("text => document.querySelector('.CodeMirror').CodeMirror.setValue(text)", WRONG)
    page.get_by_role("button", name="Compilar y probar").click()
    expect(page.locator("#fault")).to_contain_text("TicTacToe no tiene 'men'", timeout=BUSY)
    page.goto("/tournaments/new?game=tictactoe")
    page.get_by_label("Parejas de partidas").fill("2")
    page.get_by_role("button", name="Empezar").click()
    expect(page.locator("#state")).to_have_text("terminado", timeout=BUSY)
    expect(page.locator("#chart svg title").first).to_have_text("Copa de Tres en raya: Elo con intervalos del 95 %")


def test_nothing_is_wider_than_a_phone_in_spanish(open_page):
    for address in ("/", "/tictactoe", "/tournaments/new", "/why/tree:course"):
        phone = open_page(locale="es-ES", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
        phone.goto(address)
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390, address
