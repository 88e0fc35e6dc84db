"""The report: one self-contained HTML file that shows a selection, and the charts it uses."""
