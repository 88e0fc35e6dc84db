"""Logs from the outside: tables, recorders, what a log shows and what it does not."""

from importlib import import_module

# Public name -> module that defines it.
_HOME = {
    "read_log": "reader",
    "Columns": "columns",
    "Labels": "labels",
    "Log": "log",
    "log_of_batch": "log",
    "from_arrays": "recorded",
    "from_minari": "recorded",
    "from_gymnasium": "recorded",
    "RewardLaw": "rewards",
    "reward_law": "rewards",
    "Setting": "posing",
    "Posed": "posing",
    "Assumption": "assumptions",
    "Caution": "assumptions",
    "pose": "posing",
    "ThinPair": "coverage",
    "Sufficiency": "coverage",
    "sufficiency": "coverage",
    "read_policies": "policies",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> object:
    """Load a public name when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'tailsafe.data' has no attribute {name!r}")
    value: object = getattr(import_module(f"tailsafe.data.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)
