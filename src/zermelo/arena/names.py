"""The names of students: what is allowed in a name, and pseudonyms."""

import secrets
import unicodedata

from zermelo.errors import ZermeloError

LONGEST = 80
"""The number of characters of the longest name."""

STARS = (
    "Achernar Acrux Adhara Albireo Alcor Aldebaran Algol Alhena Alioth Alkaid Almach Alnair Alnilam Alnitak Alphard "
    "Altair Antares Arcturus Bellatrix Betelgeuse Canopus Capella Castor Deneb Denebola Dubhe Electra Elnath Enif "
    "Fomalhaut Gacrux Hadar Hamal Izar Kochab Maia Markab Megrez Menkar Merak Mimosa Mintaka Mira Mirach Mirfak Mizar "
    "Naos Nunki Phact Phecda Polaris Pollux Procyon Rasalhague Regulus Rigel Sabik Sadr Saiph Scheat Shaula Sirius "
    "Spica Suhail Tarazed Thuban Unukalhai Vega Wezen Zosma"
)
"""Pseudonyms, with spaces between them: names that are the same in every language."""


def clean_name(text: str) -> str:
    """The name with single spaces and without invisible characters. ZermeloError if it is empty or too long."""
    spaced = "".join(" " if letter.isspace() else letter for letter in unicodedata.normalize("NFC", text[:10_000]))
    name = " ".join("".join(c for c in spaced if not unicodedata.category(c).startswith("C")).split())
    if not name:
        raise ZermeloError("a name needs at least one letter")
    if len(name) > LONGEST:
        raise ZermeloError("a name has at most {most} characters", most=LONGEST)
    return name


def free_pseudonym(taken: set[str]) -> str:
    """A pseudonym that is not among those taken, which are given in small letters."""
    free = [star for star in STARS.split() if star.casefold() not in taken]
    number = 2
    while not free:
        free = [name for star in STARS.split() if (name := f"{star} {number}").casefold() not in taken]
        number += 1
    return secrets.choice(free)
