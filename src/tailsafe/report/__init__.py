"""The report: one self-contained HTML file that shows a selection, and the charts it uses."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tailsafe.report.html import render

__all__ = ["render"]


def __getattr__(name: str) -> object:
    """Load the report when it is first asked for."""
    if name != "render":
        raise AttributeError(f"module 'tailsafe.report' has no attribute {name!r}")
    from tailsafe.report.html import render

    return render
