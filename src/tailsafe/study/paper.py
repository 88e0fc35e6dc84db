"""The paper's study, and what goes beyond it: domains, log sizes, numbers of logs, profiles.

    domain   what it is                                                            profiles
    ring     Ring and Chain as the published program has them                      all three
    chain
    lake     four random lakes as the published program has them                   all three
    text     Ring, Chain and two random lakes as the paper's text has them         paper, tailsafe
    garnet   two random problems of the literature                                 paper, tailsafe
    prior    Ring and Chain whose truth is drawn from the prior for each log       tailsafe

On one domain all profiles see the same logs. The program's domains serve all three, so that there
the profiles differ in nothing but the method.
"""

from collections.abc import Sequence

from tailsafe.errors import InvalidData
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
PROFILES = ("published", "paper", "tailsafe")
DOMAINS = ("ring", "chain", "lake", "text", "garnet", "prior")

SMALL_STEPS, SMALL_SIZES, SMALL_TRIALS = 8, (8, 16, 24, 32, 40, 48, 56), 100
LAKE_STEPS, LAKE_SIZES, LAKE_TRIALS = 15, (15, 45, 75, 105, 135), 8
"""The paper has 50 logs of each size; ``trials`` asks for more."""

LAKES, TEXT_LAKES = (1, 2, 3, 4), (1, 2)
LAKE_MODELS = 10
"""The paper's l for lakes."""

GARNETS = {"garnet 1": (12, 3, 3), "garnet 2": (20, 4, 3)}
"""States, actions and successors; the seed is the number."""

QUICK_TRIALS = 3
"""Of ``quick``: how many logs of the smallest and of the largest size."""

OURS = Default(
    estimators=(UnO(CVaR(0.25)), SelfNormalisedUnO(CVaR(0.25)), WIS(), WDR(), FQE(), BVFT()),
    printed=PrintedRule(),
)
"""The package's default, with the printed rule and the estimators on the same candidates."""


def paper_study(
    profiles: Sequence[str] = PROFILES,
    domains: Sequence[str] = DOMAINS,
    trials: int | None = None,
    seed: int = SEED,
    *,
    quick: bool = False,
) -> Study:
    """Return the study, or the part of it that is asked for; all parts fit into one store.

    Parameters
    ----------
    profiles, domains
        Names, of ``PROFILES`` and ``DOMAINS``.
    trials
        Logs of each size; by default 100, and 8 of lakes.
    seed
        Of everything.
    quick
        The smallest and the largest size only, and three logs of each: to see what comes out.
    """
    _check("profile", profiles, PROFILES)
    _check("domain", domains, DOMAINS)
    grids = [
        _grid(label, source, able, profiles, quick=quick, trials=trials)
        for domain in DOMAINS
        if domain in domains
        for label, source, able in _places(domain)
        if set(able) & set(profiles)
    ]
    if not grids:
        raise InvalidData(
            f"none of the profiles {', '.join(profiles)} is made for {', '.join(domains)}"
        )
    return Study("paper", seed, tuple(grids))


def _places(domain: str) -> list[tuple[str, Origin, tuple[str, ...]]]:
    """Return (label, source, profiles) of the problems that a name stands for."""
    if domain == "lake":
        return [(f"lake {k}", _numbered("random_lake_published", k), PROFILES) for k in LAKES]
    if domain == "text":
        small = [(name + TEXT, Source(name), PROFILES[1:]) for name in ("ring", "chain")]
        lakes = [(f"lake {k}{TEXT}", _numbered("random_lake", k), PROFILES[1:]) for k in TEXT_LAKES]
        return [*small, *lakes]
    if domain == "garnet":
        return [
            (name, _garnet(number, *shape), PROFILES[1:])
            for number, (name, shape) in enumerate(GARNETS.items(), start=1)
        ]
    if domain == "prior":
        return [
            (f"{name} (prior)", FromPrior(Source(f"{name}_published")), PROFILES[2:])
            for name in ("ring", "chain")
        ]
    return [(domain, Source(f"{domain}_published"), PROFILES)]


def _grid(
    label: str,
    source: Origin,
    able: Sequence[str],
    profiles: Sequence[str],
    *,
    quick: bool,
    trials: int | None,
) -> Grid:
    lake = label.startswith("lake")
    steps, all_sizes = (LAKE_STEPS, LAKE_SIZES) if lake else (SMALL_STEPS, SMALL_SIZES)
    sizes = (all_sizes[0], all_sizes[-1]) if quick else all_sizes
    usual = QUICK_TRIALS if quick else LAKE_TRIALS if lake else SMALL_TRIALS
    made = tuple(_profile(name, lake=lake) for name in PROFILES if name in {*able} & {*profiles})
    return Grid(label, source, steps, sizes, trials or usual, made)


def _profile(name: str, *, lake: bool) -> Profile:
    """Return a profile with the parameters that the paper has for the domain."""
    if name == "tailsafe":
        return OURS
    if name == "paper":
        return Text(n_models=LAKE_MODELS) if lake else Text()
    return Published(n_models=LAKE_MODELS, norbu_weight=0.25) if lake else Published()


def _numbered(function: str, seed: int) -> Source:
    return Source(function, (("seed", seed),))


def _garnet(seed: int, n_states: int, n_actions: int, n_successors: int) -> Source:
    shape = (("n_states", n_states), ("n_actions", n_actions), ("n_successors", n_successors))
    return Source("garnet", (*shape, ("seed", seed)))


def _check(what: str, names: Sequence[str], known: Sequence[str]) -> None:
    for name in names:
        if name not in known:
            raise InvalidData(f"there is no {what} {name!r}; there are {', '.join(known)}")
    if not names:
        raise InvalidData(f"no {what} is asked for; there are {', '.join(known)}")
