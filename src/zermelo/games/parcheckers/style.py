"""The colours of the drawn board, by the numbers of the rules: yellow, green, blue, red."""

from zermelo.drawing.picture import dark_style

FILL = ("#f6c61c", "#35a455", "#3273d3", "#d93a3f")
PALE = ("#fdf0bd", "#cfebd6", "#d2e2f8", "#f8d3d3")
DARK = ("#8a6a00", "#15602c", "#173f80", "#8c1a1e")
ON_FILL = ("#3d2f00", "#ffffff", "#ffffff", "#ffffff")  # text on a fill

PAPER, BOARD_EDGE, LINE, INK, FAINT = "#fffdf8", "#c9b896", "#9b8f7a", "#3a352c", "#8d8474"
BONUS = "#fff0c2"

STYLE = (
    "[data-move]{cursor:pointer}"
    "[data-move]:hover .chip,[data-move]:focus-visible .chip{stroke-width:4}"
    "[data-move]:focus{outline:none}"
)

DARK_MODE = dark_style(
    "parcheckers",
    {PAPER: "#24221e", BOARD_EDGE: "#5a5140", LINE: "#6a614f", INK: "#efe9dc", FAINT: "#a59b89", BONUS: "#574a1c"}
    | dict(zip(FILL, ("#d0a30f", "#2c8546", "#2b62b3", "#b93236"), strict=True))
    | dict(zip(PALE, ("#4a3f14", "#1e3d28", "#1d3354", "#4d2324"), strict=True))
    | dict(zip(DARK, ("#e3c65c", "#7fcf98", "#8fb6ef", "#f0a0a2"), strict=True))
    | {"#fff": "#2e2b25"},
)

CHOOSING = (
    ".parcheckers .move{opacity:0;pointer-events:none}"
    ".parcheckers .move:focus-visible,.parcheckers .move[data-quality=hint]{opacity:1}"
    ".parcheckers.choosing .move:not(.other){opacity:1;pointer-events:auto}"
)
"""In a page, moves are hidden until a die or a piece is chosen: there may be two dozen of them."""
