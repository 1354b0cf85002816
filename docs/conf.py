"""The site: `make docs` builds it from these pages, offline, into build/docs. Nothing is loaded from elsewhere."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_site"))

import zermelo

project = "zermelo"
author = "The founders of zermelo"
version = release = zermelo.__version__
language = "en_GB"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_click", "zermelo_site"]
exclude_patterns = ["_site"]

# Links to headings (#such-ones), dollars for mathematics and pictures of a given width, as on GitHub.
myst_enable_extensions = ["dollarmath", "html_image"]
myst_heading_anchors = 4

smartquotes = False  # --depth keeps its dashes

# Docstrings are written as in the sources: `code` in single quotes.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True}
add_module_names = False
python_maximum_signature_line_length = 90
toc_object_entries = False

html_theme = "furo"
html_title = "zermelo"
html_copy_source = False
html_show_sourcelink = False
html_show_copyright = False
html_show_sphinx = False
html_math_renderer = "mathml"
html_static_path = ["_site/style.css"]
html_css_files = ["style.css"]
highlight_language = "text"
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f5f9e", "color-brand-content": "#2f5f9e"},
    "dark_css_variables": {"color-brand-primary": "#8fb8ee", "color-brand-content": "#8fb8ee"},
}
