"""selection.json: all that a report shows, as plain JSON."""
