"""What may be said of the selected policy's performance, judged on fresh models."""

from dataclasses import dataclass

from tailsafe.risk import RiskMeasure


@dataclass(frozen=True, slots=True)
class Certificate:
    """A lower bound for the selected policy, with its probabilities kept apart.

    Parameters
    ----------
    risk
        The measure that was selected by.
    bound
        The value that the risk measure is at least. Both VaR and CVaR at level q then say: a
        share of at least ``probability`` of the posterior's models performs at least so well.
    probability
        1 - q: the share of models; None where the measure has no level (the mean).
    confidence
        Of the bound, over the models drawn for it; 1 where it is exact.
    marginal_bound
        What one further model reaches with ``probability``, over the draws and that model
        together; None where there is none.
    n_models
        How many fresh models were used.
    sentence
        The bound in words, with the prior that it rests on.
    floor
        Worse performances counted as this one; None if none was moved.
    """

    risk: RiskMeasure
    bound: float
    probability: float | None
    confidence: float
    marginal_bound: float | None
    n_models: int
    sentence: str
    floor: float | None = None
