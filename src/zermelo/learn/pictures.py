"""Tables and pictures that show how good fitted models are."""

from collections.abc import Sequence

import numpy as np

from zermelo.core.parts import part_of
from zermelo.drawing import charts, svg
from zermelo.language import _, marked
from zermelo.learn.dataset_files import Dataset
from zermelo.learn.fitting import Result
from zermelo.learn.metrics import Measures
from zermelo.position import Game

HEADING = [
    marked("model"),
    marked("features"),
    "MSE",
    "R²",
    marked("sign"),
    marked("3 classes"),
    marked("report's test"),
    marked("quiet MSE"),
    marked("quiet R²"),
    marked("quiet sign"),
    marked("best move"),
    marked("quiet best"),
    marked("training"),
]


def _figures(measures: Measures) -> list[str]:
    def text(value: float | None, digits: int) -> str:
        return "" if value is None else f"{value:.{digits}f}"

    return [text(measures.mse, 2), text(measures.r2, 3), text(measures.sign, 3)]


def table(results: Sequence[Result], game: Game) -> tuple[list[str], list[list[str]]]:
    """Return the heading and the rows. Fits that were published for this game come first, if there are any."""
    published = getattr(part_of(type(game).__module__, "features"), "PUBLISHED_FITS", ())
    rows = [list(row) for row in published]
    for result in results:
        test = result.test
        three = "" if test.every.three is None else f"{test.every.three:.3f}"
        own = "" if test.every.report_test is None else f"{test.every.report_test:.3f}"
        rows.append(
            [
                result.name,
                ",".join(result.fitted.features) or _("its own"),
                *_figures(test.every),
                three,
                own,
                *_figures(test.quiet),
                f"{test.agreement.score:.3f}",
                f"{test.quiet_agreement.score:.3f}",
                f"{result.seconds:.1f} s",
            ]
        )
    return [_(name) for name in HEADING], rows


def _frame(heading: str, width: int, height: int, *parts: str) -> str:
    title = svg.text(heading, 20, 30, font_size=17, font_weight=600, fill=charts.INK, text_anchor="start")
    background = svg.tag("rect", width=width, height=height, rx=10, fill="#fbfcfe")
    return svg.picture(width, height, background, title, *parts, label=heading)


def predicted_against_exact(result: Result, data: Dataset) -> str:
    """Draw how often each prediction was made for each exact score. The darker a cell, the more often."""
    alive = ~data.over
    exact, said = data.score[alive], result.predicted[alive]
    most = float(np.abs(exact).max(initial=1.0))
    cells = 37
    edges = np.linspace(-most - 0.5, most + 0.5, cells + 1)
    counts = np.histogram2d(exact, np.clip(said, -most, most), (edges, edges))[0]
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    left, top, size = 70, 56, 10
    parts = []
    for i in range(cells):
        for j in range(cells):
            if shares[i, j] > 0.004:
                strength = min(1.0, float(shares[i, j]) ** 0.5 * 1.2)
                box = svg.tag(
                    "rect",
                    x=left + size * i,
                    y=top + size * (cells - 1 - j),
                    width=size,
                    height=size,
                    fill=charts.COLOURS[0],
                    fill_opacity=round(strength, 3),
                )
                parts.append(box)
    long = size * cells
    line = f"M{left} {top + long}L{left + long} {top}"
    parts.append(svg.tag("path", d=line, stroke=charts.COLOURS[1], stroke_width=1, fill="none"))
    for value in (-most, 0.0, most):
        place = (value + most + 0.5) / (2 * most + 1) * long
        parts.append(svg.text(f"{value:g}", left + place, top + long + 18, font_size=11, fill=charts.SOFT))
        parts.append(
            svg.text(f"{value:g}", left - 8, top + long - place + 4, font_size=11, fill=charts.SOFT, text_anchor="end")
        )
    parts.append(svg.text(_("exact score"), left + long / 2, top + long + 38, font_size=12, fill=charts.INK))
    turned = {"transform": f"rotate(-90 22 {top + long / 2:g})"}
    parts.append(svg.text(_("predicted"), 22, top + long / 2, font_size=12, fill=charts.INK, **turned))
    return _frame(
        _("{name}: predicted against exact").format(name=result.name), left + long + 30, top + long + 56, *parts
    )


def error_by_ply(results: Sequence[Result], data: Dataset) -> str:
    """Draw the root mean squared error of each model by the number of plies played."""
    series = []
    alive = ~data.over
    plies = data.plies[alive]
    shown = [ply for ply in range(int(plies.min()), int(plies.max()) + 1) if (plies == ply).sum() >= 20]
    for result in results:
        if result.fitted.in_points:
            squared = (result.predicted[alive] - data.score[alive]) ** 2
            points = [(float(ply), float(np.sqrt(squared[plies == ply].mean()))) for ply in shown]
            series.append((result.name, points))
    most = max((value for _, points in series for _, value in points), default=1.0)
    return charts.curves(
        _("Error by ply"), series, _("plies played"), _("root mean squared error"), float(np.ceil(most))
    )
