"""The documentation: MyST pages, every example executed when the pages are built."""

import numpy.typing as npt
from sphinx.util.typing import stringify_annotation

import tailsafe
from tailsafe import arrays

project = "tailsafe"
author = "The tailsafe authors"
copyright = "2026, the tailsafe authors"
version = release = tailsafe.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx-mathjax-offline"]
exclude_patterns = ["_build", "jupyter_execute"]
html_theme = "furo"
html_title = f"tailsafe {release}"
html_static_path = []

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_timeout = 300
# A failing example is a warning with its traceback, and every warning fails the build in the end.
nb_execution_show_tb = True
# Cells that make tables print Markdown.
nb_render_markdown_format = "myst"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
napoleon_attr_annotations = False
python_maximum_signature_line_length = 88

ALIASES = {
    stringify_annotation(getattr(arrays, name, None) or getattr(npt, name), "smart"): name
    for name in ("FloatArray", "IntArray", "BoolArray", "ArrayLike")
}
"""How Sphinx spells our names of types, which it resolves, and the names."""


def name_types(app, what, name, obj, options, signature, returns):
    """Put the names of types back into a signature."""
    del app, what, name, obj, options

    def named(text):
        for spelled, alias in ALIASES.items():
            text = text and text.replace(spelled, alias)
        return text

    return named(signature), named(returns)


def setup(app):
    """Connect the hooks."""
    app.connect("autodoc-process-signature", name_types)
