"""The question and the answer in plain words."""

from decimal import ROUND_CEILING, Context, Decimal

from tailsafe.certificate.words import spelt
from tailsafe.record.schema import Question, RiskRecord
from tailsafe.risk import CVaR, RiskMeasure, VaR

NOTHING = 1e-300
"""Below this a precision is only there to be positive: no performance is told from another."""


def risk_record(risk: RiskMeasure) -> RiskRecord:
    """Return a risk measure and what it means."""
    if isinstance(risk, CVaR):
        words = f"the mean performance over the worst {_percent(risk.level)} of the models"
        return {"kind": "cvar", "level": risk.level, "name": risk.name, "words": words}
    if isinstance(risk, VaR):
        words = f"the performance that {_percent(1.0 - risk.level)} of the models reach"
        return {"kind": "var", "level": risk.level, "name": risk.name, "words": words}
    words = "the mean performance over all models"
    return {"kind": "mean", "level": None, "name": risk.name, "words": words}


def question_words(kind: str, risk: RiskRecord) -> str:
    """Return the question in one sentence."""
    name = risk["name"] if risk["level"] is not None else "mean"
    if kind == "select":
        return f"Which policy has the largest {name}: {risk['words']} that the log leaves possible?"
    return f"How large is the {name} of each policy: {risk['words']} that the log leaves possible?"


def answer_words(status: str, question: Question, n_ties: int, regret: float | None) -> str:
    """Return what came out, in one or two sentences."""
    if status == "evaluated":
        return "Each policy was judged on its own; none was chosen."
    if status == "selected":
        return (
            f"No other candidate has a {question['risk']['name']} that is better"
            f"{_by_more_than(question['eps'])}; this holds with probability "
            f"{1.0 - question['alpha']:g} over the models drawn."
        )
    why = {
        "budget": f"The budget of {question['max_models']:,} models was spent",
        "interrupted": "The race was interrupted",
    }[status]
    bound = "" if regret is None else f", and none is better than the leader{_by_more_than(regret)}"
    return (
        f"{why} before one policy was proved best: {n_ties} are not shown to be worse{bound}. "
        f"This holds with probability {1.0 - question['alpha']:g} over the models drawn."
    )


def standing_words(standing: str, status: str) -> str:
    """Return a standing as it is shown: who leads an undecided race is not called the best."""
    return "leading" if standing == "best" and status in ("budget", "interrupted") else standing


def _by_more_than(bound: float | None) -> str:
    """Return a bound in four digits, never less than it is; nothing if it is as good as 0."""
    if bound is None or bound < NOTHING:
        return ""
    up = Context(4, ROUND_CEILING).plus(Decimal(repr(bound)))
    return f" by more than {spelt(float(up), 4)}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.4g} %"
