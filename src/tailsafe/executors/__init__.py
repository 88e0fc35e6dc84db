"""Keyed maps: each unit of work is determined by its key, so it can be done anywhere, and again.

A module here has one function, ``map_keyed(function, keys, workers)``, which yields
(key, function(key)) once for each different key, in the order the units are finished. An error in
a unit is raised by the map; when it is left early, units that have not begun are dropped.
"""

from tailsafe.errors import TailsafeError


class WorkersKeepDying(TailsafeError):
    """Workers died again and again without finishing a unit (out of memory?)."""
