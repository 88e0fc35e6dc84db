"""Which methods to run: hyper-parameters are candidates too, so that nothing needs tuning."""

from collections.abc import Sequence
from typing import TypeAlias

from tailsafe.solvers.bcq import BCQ
from tailsafe.solvers.bcr import BCR, BCRLocal
from tailsafe.solvers.behaviour import Behaviour
from tailsafe.solvers.bopah import BOPAH
from tailsafe.solvers.brac import BRAC
from tailsafe.solvers.cql import CQL
from tailsafe.solvers.duipi import DUIPI, FrequentistDUIPI
from tailsafe.solvers.improve import Improvement
from tailsafe.solvers.mbie import MBIE
from tailsafe.solvers.mopo import MOPO
from tailsafe.solvers.morel import MOReL
from tailsafe.solvers.multi_model import MultiModel, MultiModelCVaR, MultiModelMean
from tailsafe.solvers.nominal import Nominal
from tailsafe.solvers.norbu import NORBU, NORBUVaR
from tailsafe.solvers.percentile import Percentile
from tailsafe.solvers.posterior_mean import PosteriorMean
from tailsafe.solvers.ramdp import RaMDP
from tailsafe.solvers.rmin import RMin
from tailsafe.solvers.robust_sets import RobustChi2, RobustKL, RobustL1, RobustLinf
from tailsafe.solvers.rsvf import RSVF
from tailsafe.solvers.s_rectangular import SRectangularL1
from tailsafe.solvers.sampled_model import SampledModel
from tailsafe.solvers.soft_spibb import (
    AdvantageousSoftSPIBB,
    ApproximateSoftSPIBB,
    LowerSoftSPIBB,
    SoftSPIBB,
)
from tailsafe.solvers.solver import Solver
from tailsafe.solvers.spibb import SPIBB, LowerSPIBB
from tailsafe.solvers.uniform import Uniform
from tailsafe.solvers.var_value_iteration import VaRValueIteration
from tailsafe.solvers.vi_lcb import VILCB, BernsteinVILCB
from tailsafe.solvers.weighted_l1 import RobustWeightedL1

Method: TypeAlias = Solver | Improvement
"""What proposes candidates: a solver, or an improvement of what solvers proposed."""

Portfolio: TypeAlias = Sequence[Method]

PAPER_DISCOUNTS = (0.2, 0.4, 0.6, 0.8, 0.9)
"""The paper's G; those above the discount of the task are skipped."""

SOFT = (SoftSPIBB, ApproximateSoftSPIBB, AdvantageousSoftSPIBB, LowerSoftSPIBB)
"""Kinds that take an epsilon."""

REGIONS = (BCR, BCRLocal, SRectangularL1)
"""Kinds that take a confidence and a weight."""

ROBUST_SETS = (RobustL1, RobustLinf, RobustKL, RobustChi2, RobustWeightedL1)
"""Kinds that take a probability of failure, delta."""

PAPER_MODELS = 3
"""The paper's l for Ring and Chain; 10 for Random Frozen Lake."""


def paper_portfolio(
    n_models: int = PAPER_MODELS,
    discounts: Sequence[float] = PAPER_DISCOUNTS,
    level: float = 0.25,
) -> tuple[Method, ...]:
    """Return the methods of the paper (Alg. 2): the trivial policy, models at discounts, rivals.

    Parameters
    ----------
    n_models
        How many posterior models are solved besides the most likely one, the paper's l.
    discounts
        At which they are solved, the paper's G.
    level
        The risk level that BCR and NORBU are set to, the paper's q.
    """
    return (
        Nominal(),
        *_planned(n_models, discounts),
        *(SPIBB(1), BOPAH(), BCR(1.0 - level), NORBU(level, 0.5)),
    )


def standard_portfolio(level: float = 0.25) -> tuple[Method, ...]:
    """Return the methods to run by default; fewer than 60 distinct candidates.

    Parameters
    ----------
    level
        The risk level that robust methods are set to.
    """
    sure = 1.0 - level
    return (
        *(Behaviour(), Uniform(), Nominal(), PosteriorMean()),
        *_planned(3, (0.4, 0.8)),
        *(SampledModel(index) for index in range(5)),
        *(SPIBB(1), SPIBB(3), SPIBB(7), SPIBB(20), LowerSPIBB(5), BCQ(), CQL()),
        *(ApproximateSoftSPIBB(0.5), ApproximateSoftSPIBB(2.0), BOPAH(), BRAC()),
        *(RaMDP(), RMin(), DUIPI(), MBIE(), VILCB(), MOPO(0.1), MOPO(0.5), MOReL(0.75)),
        *(BCR(sure, weight) for weight in (0.25, 0.5, 1.0)),
        *(BCRLocal(sure, weight) for weight in (0.25, 1.0)),
        *(NORBU(level, weight) for weight in (0.25, 0.5, 1.0)),
        *(NORBUVaR(level, 0.5), VaRValueIteration(level), RSVF(sure)),
        *(RobustL1(), RobustKL(), RobustChi2(), RobustWeightedL1(), SRectangularL1(sure, 0.25)),
        *(Percentile(level), MultiModel(), MultiModelCVaR(level)),
        Improvement(),
    )


def full_portfolio(level: float = 0.25) -> tuple[Method, ...]:
    """Return every method there is, at more parameters; slow on large problems.

    Parameters
    ----------
    level
        The risk level that robust methods are set to.
    """
    *standard, improvement = standard_portfolio(level)
    sure = 1.0 - level
    more = (
        *_planned(10, PAPER_DISCOUNTS),
        *(SampledModel(index) for index in range(20)),
        *(PosteriorMean(discount) for discount in PAPER_DISCOUNTS),
        *(kind(n) for kind in (SPIBB, LowerSPIBB, RMin) for n in (1, 2, 3, 5, 7, 10, 20)),
        *(kind(epsilon) for kind in SOFT for epsilon in (0.1, 0.5, 1.0, 2.0, 5.0)),
        *(kind(xi) for kind in (DUIPI, FrequentistDUIPI) for xi in (0.1, 0.5, 1.0, 2.0)),
        *(kind(delta) for kind in (MBIE, VILCB, BernsteinVILCB) for delta in (0.1, 0.5)),
        *(kind(w) for kind in (RaMDP, BRAC, BCQ, CQL) for w in (0.03, 0.1, 0.3, 0.9)),
        *(MOPO(scale) for scale in (0.1, 0.5, 1.0)),
        *(MOReL(quantile) for quantile in (0.5, 0.75, 0.9)),
        *(kind(sure, weight) for kind in REGIONS for weight in (0.1, 0.25, 0.5, 1.0)),
        *(kind(level, weight) for kind in (NORBU, NORBUVaR) for weight in (0.25, 0.5, 0.75, 1.0)),
        *(kind(delta) for kind in ROBUST_SETS for delta in (0.1, 0.5, 0.9)),
        *(Percentile(q) for q in (0.05, 0.1, 0.25, 0.4)),
        *(kind(n_models=n) for kind in (MultiModelMean, MultiModel) for n in (20, 100)),
    )
    return tuple(dict.fromkeys((*standard, *more, improvement)))


def _planned(n_models: int, discounts: Sequence[float]) -> tuple[Method, ...]:
    """Return plans on the most likely model and on some of the posterior, at each discount."""
    return (
        *(Nominal(discount) for discount in discounts),
        *(SampledModel(index, discount) for index in range(n_models) for discount in discounts),
    )
