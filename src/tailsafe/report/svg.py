"""Charts as SVG text: no scripts, no fonts, no network; readable in light and dark.

Each chart is one complete ``<svg>`` that may stand in an HTML page or in a file of its own. Its
title and description say to those who cannot see it what it shows.
"""

from tailsafe.report.bars import Dot, dots, stacked_bars
from tailsafe.report.lines import Series, lines
from tailsafe.report.ridges import Ridge, ridges

__all__ = ["Dot", "Ridge", "Series", "dots", "lines", "ridges", "stacked_bars"]
