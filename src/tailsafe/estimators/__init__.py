"""Off-policy estimators: baselines of policy selection that use the log alone, one a file."""

from importlib import import_module

# Public name -> module that defines it.
_HOME = {
    "Estimator": "estimator",
    "Choice": "estimator",
    "choose": "estimator",
    # Of the whole distribution of returns.
    "UnO": "uno",
    "SelfNormalisedUnO": "uno",
    # Reweighted episodes and steps.
    "IS": "importance_sampling",
    "WIS": "importance_sampling",
    "PDIS": "per_decision",
    "WPDIS": "per_decision",
    # Reweighted, with a model's values as control.
    "DR": "doubly_robust",
    "WDR": "doubly_robust",
    "MAGIC": "magic",
    # Values fitted to the log.
    "FQE": "fitted_q",
    "DirectMethod": "direct_method",
    "PessimisticFQE": "pessimistic",
    "BVFT": "bvft",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> object:
    """Load an estimator when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'tailsafe.estimators' has no attribute {name!r}")
    value: object = getattr(import_module(f"tailsafe.estimators.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the estimators."""
    return sorted(__all__)
