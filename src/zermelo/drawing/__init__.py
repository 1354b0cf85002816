"""Everything that is drawn as SVG: the elements, charts, game trees."""
