"""Methods that propose a policy: one published method a file, loaded on first use."""

from importlib import import_module

# Public name -> module that defines it.
_HOME = {
    "Solver": "solver",
    # What is already there, and plans on one model.
    "Behaviour": "behaviour",
    "Given": "given",
    "Nominal": "nominal",
    "PosteriorMean": "posterior_mean",
    "SampledModel": "sampled_model",
    "Uniform": "uniform",
    # Against the worst, or a bad, model: robust.py is their common loop.
    "BCR": "bcr",
    "BCRLocal": "bcr",
    "NORBU": "norbu",
    "NORBUVaR": "norbu",
    # From candidates to better ones.
    "Improvement": "improve",
}

__all__ = [*_HOME]


def __getattr__(name: str) -> object:
    """Load a solver when it is first asked for."""
    if name not in _HOME:
        raise AttributeError(f"module 'tailsafe.solvers' has no attribute {name!r}")
    value: object = getattr(import_module(f"tailsafe.solvers.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the solvers."""
    return sorted(__all__)
