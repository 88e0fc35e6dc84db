"""The documentation: MyST pages, every example executed when the pages are built."""

import tailsafe

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
nb_execution_raise_on_error = True

autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_default_options = {"members": True}
