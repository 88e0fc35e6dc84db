"""Choose, from a fixed log, the policy whose bad tail is best, and say how sure that is."""

import sys
from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

# In the order of the pipeline: public name -> module that defines it. Loaded on first use, so
# that `import tailsafe` costs next to nothing.
_HOME = {
    "Task": "task",
    "Table": "table",
    "MDP": "mdp",
    "Policy": "policy",
    "Batch": "batch",
    "Dirichlet": "posterior",
    "Samples": "samples",
    "Problem": "problem",
    "Candidate": "candidate",
    "Engine": "engine",
    "Stream": "keys",
    "Key": "keys",
    "performance": "values",
    "performances": "evaluate",
    "solve": "solvers.planning",
    "simulate": "simulate",
    "propose": "propose",
    "paper_portfolio": "portfolio",
    "standard_portfolio": "portfolio",
    "full_portfolio": "portfolio",
    "VaR": "risk",
    "CVaR": "risk",
    "TailMean": "risk",
    "Mean": "risk",
    "Optimistic": "risk",
    "MeanDeviation": "risk",
    "Mixture": "risk",
    "Spectral": "risk",
    "soft_robust": "risk",
    "select": "select",
    "Selection": "selection",
    "certify": "certificate",
    "Certificate": "certificate",
    "mc2ps": "mc2ps",
    "PrintedRule": "mc2ps",
    "evc": "evc",
    "read_log": "data",
    "TailsafeError": "errors",
    "InvalidData": "errors",
    "MissingDependency": "errors",
    "NotSupported": "errors",
}
_MODULES = ("data", "domains", "estimators", "ranks", "report", "solvers", "study")

__all__ = ["__version__", *_HOME, *_MODULES]


def __getattr__(name: str) -> object:
    """Load a public name, or a public module, when it is first asked for."""
    if name in _MODULES:
        return import_module(f"tailsafe.{name}")
    if name not in _HOME:
        raise AttributeError(f"module 'tailsafe' has no attribute {name!r}")
    value: object = getattr(import_module(f"tailsafe.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)


class _Package(ModuleType):
    """This package, in which a function keeps its name when the file of that name is loaded.

    Importing ``tailsafe.select`` would otherwise put the file where ``ts.select`` was.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
