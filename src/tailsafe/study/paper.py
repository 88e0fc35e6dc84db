"""The paper's study, and what goes beyond it: domains, log sizes, numbers of logs, profiles.

    domain          what it is                                              profiles
    ring, chain     as the published program has them                       all three
    lake 1 .. 4     random lakes as the published program has them          all three
    ring (text) ..  Ring, Chain, two random lakes as the text has them      paper, tailsafe
    garnet 1, 2     random problems of the literature                       paper, tailsafe
    ring (prior) .. Ring, Chain with a truth from the prior for each log    tailsafe

On one domain all profiles see the same logs. The program's domains serve all three, so that there
the profiles differ in nothing but the method.
"""

from tailsafe.estimators.bvft import BVFT
from tailsafe.estimators.doubly_robust import WDR
from tailsafe.estimators.fitted_q import FQE
from tailsafe.estimators.importance_sampling import WIS
from tailsafe.estimators.uno import SelfNormalisedUnO, UnO
from tailsafe.mc2ps import PrintedRule
from tailsafe.risk import CVaR
from tailsafe.study.default import Default
from tailsafe.study.design import Grid, Study
from tailsafe.study.paper_numbers import TEXT
from tailsafe.study.profile import Profile
from tailsafe.study.published.profile import Published
from tailsafe.study.sources import FromPrior, Origin, Source
from tailsafe.study.text import Text

SEED = 2022

SMALL_STEPS, SMALL_SIZES, SMALL_TRIALS = 8, (8, 16, 24, 32, 40, 48, 56), 100
LAKE_STEPS, LAKE_SIZES, LAKE_TRIALS = 15, (15, 45, 75, 105, 135), 8
"""The paper has 50 logs of each size of a lake; ``trials`` asks for more."""

LAKES, TEXT_LAKES = (1, 2, 3, 4), (1, 2)
GARNETS = {1: (12, 3, 3), 2: (20, 4, 3)}
"""States, actions and successors, by seed."""

LAKE_MODELS = 10
"""The paper's l for lakes."""

OURS = Default(
    estimators=(UnO(CVaR(0.25)), SelfNormalisedUnO(CVaR(0.25)), WIS(), WDR(), FQE(), BVFT()),
    printed=PrintedRule(),
)
"""The package's default, with the printed rule and the estimators on the same candidates."""

TEXT_SMALL, TEXT_LAKE = Text(), Text(n_models=LAKE_MODELS)
PROGRAM_SMALL, PROGRAM_LAKE = Published(), Published(n_models=LAKE_MODELS, norbu_weight=0.25)


def paper_study(seed: int = SEED) -> Study:
    """Return all of it; ``narrowed`` gives a part.

    Parameters
    ----------
    seed
        Of everything.
    """
    small = [
        _small(name, Source(f"{name}_published"), PROGRAM_SMALL, TEXT_SMALL, OURS)
        for name in ("ring", "chain")
    ]
    lakes = [
        _lake(f"lake {k}", _numbered("random_lake_published", k), PROGRAM_LAKE, TEXT_LAKE, OURS)
        for k in LAKES
    ]
    as_written = [_small(name + TEXT, Source(name), TEXT_SMALL, OURS) for name in ("ring", "chain")]
    as_written += [
        _lake(f"lake {k}{TEXT}", _numbered("random_lake", k), TEXT_LAKE, OURS) for k in TEXT_LAKES
    ]
    garnets = [
        _small(f"garnet {k}", _garnet(k, *shape), TEXT_SMALL, OURS) for k, shape in GARNETS.items()
    ]
    drawn = [
        _small(f"{name} (prior)", FromPrior(Source(f"{name}_published")), OURS)
        for name in ("ring", "chain")
    ]
    return Study("paper", seed, (*small, *lakes, *as_written, *garnets, *drawn))


def _small(label: str, source: Origin, *profiles: Profile) -> Grid:
    return Grid(label, source, SMALL_STEPS, SMALL_SIZES, SMALL_TRIALS, profiles)


def _lake(label: str, source: Origin, *profiles: Profile) -> Grid:
    return Grid(label, source, LAKE_STEPS, LAKE_SIZES, LAKE_TRIALS, profiles)


def _numbered(function: str, seed: int) -> Source:
    return Source(function, (("seed", seed),))


def _garnet(seed: int, n_states: int, n_actions: int, n_successors: int) -> Source:
    shape = (("n_states", n_states), ("n_actions", n_actions), ("n_successors", n_successors))
    return Source("garnet", (*shape, ("seed", seed)))
