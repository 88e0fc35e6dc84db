"""Certificates in words: each names its probabilities, and the prior that it rests on."""

from math import floor, isfinite, log10

from tailsafe.certificate.certificate import Certificate
from tailsafe.risk import CVaR, Mean, RiskMeasure, VaR

DIGITS, LARGE = 6, 1e9


def worded(
    risk: RiskMeasure,
    bound: float,
    confidence: float,
    prior: str,
    *,
    marginal: float | None = None,
    floor_: float | None = None,
    n_models: int,
) -> Certificate:
    """Return the certificate of a bound found on fresh models."""
    models = f"the models that the log and the prior{f' ({prior})' if prior else ''} allow"
    promise = claim(risk, models, bound)
    sentence = f"With Monte Carlo probability at least {confidence:g}, {promise}"
    if floor_ is not None:
        sentence += f" (performances below {rounded_down(floor_)} count as that)"
    share = share_of(risk)
    return Certificate(risk, bound, share, confidence, marginal, n_models, sentence + ".", floor_)


def claim(risk: RiskMeasure, models: str, bound: float) -> str:
    """Return what a bound says of the models, as a clause."""
    least = rounded_down(bound)
    if isinstance(risk, VaR):
        share = f"{100.0 * (1.0 - risk.level):.6g} % of {models}"
        return f"at least {share} give this policy a performance of at least {least}"
    if isinstance(risk, CVaR):
        share = f"the worst {100.0 * risk.level:.6g} % of {models}"
        return f"{share} give this policy a performance of at least {least} on average"
    if isinstance(risk, Mean):
        return f"{models} give this policy a performance of at least {least} on average"
    return f"the performance of this policy over {models} has a {risk.name} of at least {least}"


def share_of(risk: RiskMeasure) -> float | None:
    """Return the share of models that reach a bound of the measure, None if it says nothing."""
    return 1.0 - risk.level if isinstance(risk, VaR | CVaR) else None


def rounded_down(value: float) -> str:
    """Return the number with six digits, never more than it is: a promise is not rounded up."""
    if value == 0.0 or not isfinite(value):
        return f"{value:g}"
    digits = DIGITS - 1 - floor(log10(abs(value)))
    unit = 10.0**-digits
    down = floor(value / unit + 1e-9) * unit
    return spelt(down, DIGITS)


def spelt(value: float, digits: int) -> str:
    """Return a number with so many digits, up to a billion without a power of ten."""
    shown = f"{value:.{digits}g}"
    return f"{float(shown):,.0f}" if 10.0**digits <= abs(float(shown)) < LARGE else shown
