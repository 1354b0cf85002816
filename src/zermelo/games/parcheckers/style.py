"""The colours of the drawn board, by the numbers of the rules: yellow, green, blue, red."""

FILL = ("#f6c61c", "#35a455", "#3273d3", "#d93a3f")
PALE = ("#fdf0bd", "#cfebd6", "#d2e2f8", "#f8d3d3")
DARK = ("#8a6a00", "#15602c", "#173f80", "#8c1a1e")
ON_FILL = ("#3d2f00", "#fff", "#fff", "#fff")  # text on a fill

PAPER, BOARD_EDGE, LINE, INK, FAINT = "#fffdf8", "#c9b896", "#9b8f7a", "#3a352c", "#8d8474"
BONUS = "#fff0c2"

STYLE = (
    "[data-move]{cursor:pointer}"
    "[data-move]:hover .chip,[data-move]:focus-visible .chip{stroke-width:4}"
    "[data-move]:focus{outline:none}"
)
