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
    # Towards the data: near the behaviour, or with a price on doubt.
    "SPIBB": "spibb",
    "LowerSPIBB": "spibb",
    "SoftSPIBB": "soft_spibb",
    "ApproximateSoftSPIBB": "soft_spibb",
    "AdvantageousSoftSPIBB": "soft_spibb",
    "LowerSoftSPIBB": "soft_spibb",
    "BOPAH": "bopah",
    "BRAC": "brac",
    "BCQ": "bcq",
    "CQL": "cql",
    "RaMDP": "ramdp",
    "RMin": "rmin",
    "DUIPI": "duipi",
    "FrequentistDUIPI": "duipi",
    "MBIE": "mbie",
    "MOPO": "mopo",
    "MOReL": "morel",
    "VILCB": "vi_lcb",
    "BernsteinVILCB": "vi_lcb",
    # Against the worst, or a bad, model: robust.py is their common loop.
    "BCR": "bcr",
    "BCRLocal": "bcr",
    "NORBU": "norbu",
    "NORBUVaR": "norbu",
    "RSVF": "rsvf",
    "VaRValueIteration": "var_value_iteration",
    "RobustL1": "robust_sets",
    "RobustLinf": "robust_sets",
    "RobustKL": "robust_sets",
    "RobustChi2": "robust_sets",
    "RobustWeightedL1": "weighted_l1",
    "SRectangularL1": "s_rectangular",
    # For several models at once.
    "Percentile": "percentile",
    "MultiModelMean": "multi_model",
    "MultiModel": "multi_model",
    "MultiModelCVaR": "multi_model",
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
