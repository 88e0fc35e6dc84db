"""Risk measures by the names that people type: cvar:0.25, var:0.1, mean."""

from math import isfinite

from tailsafe.errors import InvalidData
from tailsafe.risk import CVaR, Mean, RiskMeasure, VaR


def risk_named(text: str) -> RiskMeasure:
    """Return the measure; anything else is refused with what to write."""
    kind, colon, level = text.strip().lower().partition(":")
    if kind == "mean" and not colon:
        return Mean()
    if kind not in ("cvar", "var"):
        raise InvalidData(f"{text!r} is no risk measure: write cvar:0.25, var:0.1 or mean")
    if not colon:
        raise InvalidData(f"{text!r} lacks its level: write {kind}:0.25, for one")
    share = proper_share(level)
    return CVaR(share) if kind == "cvar" else VaR(share)


def proper_share(text: str) -> float:
    """Return a number strictly between 0 and 1."""
    try:
        value = float(text)
    except ValueError:
        raise InvalidData(f"{text!r} is not a number") from None
    if not isfinite(value):
        raise InvalidData(f"{text!r} is not a finite number")
    if not 0.0 < value < 1.0:
        raise InvalidData(f"{text} is not strictly between 0 and 1")
    return value
