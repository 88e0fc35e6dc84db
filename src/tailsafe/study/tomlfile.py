"""A study of one's own, from a TOML file.

    name = "wards"                    # by default the file's
    seed = 1
    metrics = ["gain", "regret"]      # what the report has tables of

    [[domains]]
    name = "small"                    # how tables call it
    source = "garnet"                 # of tailsafe.domains; or "module.function"
    arguments = {n_states = 8, n_actions = 3, n_successors = 3, seed = 1}
    truth = "fixed"                   # or "prior": another truth for each log
    steps = 10
    sizes = [40, 80]
    trials = 20

    [[profiles]]                      # what is done with each log of each domain
    like = "tailsafe"                 # or "paper", "published", "module.Class"
    name = "ours"
    risks = ["var:0.25", "cvar:0.1"]
    portfolio = "standard"            # or "paper", "full", or a list of methods
    mc2ps = {block = 1000}            # the printed rule beside the race
    estimators = ["FQE", {method = "UnO", risk = "cvar:0.25"}]

A method is a name, or a table with its ``method`` and its parameters.
"""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path

from tailsafe.errors import InvalidData
from tailsafe.mc2ps import PrintedRule
from tailsafe.portfolio import Portfolio, full_portfolio, paper_portfolio
from tailsafe.risk_names import risk_named
from tailsafe.study.default import Default
from tailsafe.study.design import Grid, Study
from tailsafe.study.fields import Fields
from tailsafe.study.named import called
from tailsafe.study.profile import Profile
from tailsafe.study.published.profile import Published
from tailsafe.study.sources import FromPrior, Origin, Source
from tailsafe.study.text import Text

TRUTHS: dict[str, Callable[[Source], Origin]] = {"fixed": lambda source: source, "prior": FromPrior}
PORTFOLIOS: dict[str, Callable[[], Portfolio]] = {
    "standard": lambda: (),
    "paper": paper_portfolio,
    "full": full_portfolio,
}


def read_study(path: Path) -> Study:
    """Return the study that a file describes; what it does not understand is refused."""
    try:
        text = path.read_bytes().decode("utf-8")
        given = tomllib.loads(text)
    except OSError as error:
        raise InvalidData(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise InvalidData(f"{path.name} is not TOML: {error}") from None
    top = Fields(path.name, given)
    profiles = tuple(_profile(entry) for entry in top.tables("profiles"))
    grids = tuple(_grid(entry, profiles) for entry in top.tables("domains"))
    study = (
        top.get("name", str, path.stem),
        top.get("seed", int, 0),
        grids,
        top.texts("metrics", ("gain",)),
    )
    top.end()
    return Study(*study)


def _grid(entry: Fields, profiles: tuple[Profile, ...]) -> Grid:
    name = entry.get("name", str)
    arguments = tuple(entry.get("arguments", dict, {}).items())
    source = Source(entry.get("source", str, name), arguments)
    truth = entry.get("truth", str, "fixed")
    if truth not in TRUTHS:
        entry.refuse(f"truth must be one of {', '.join(TRUTHS)}, got {truth!r}")
    steps, trials = entry.get("steps", int), entry.get("trials", int)
    sizes = tuple(entry.get("sizes", list))
    entry.end()
    # Made once here, so that a wrong source is refused before anything is run.
    entry.understood(source.domain, 0)
    grid = (name, TRUTHS[truth](source), steps, sizes, trials, profiles)
    return entry.understood(Grid, *grid)


def _profile(entry: Fields) -> Profile:
    like = entry.get("like", str, "tailsafe")
    if like == "tailsafe":
        return entry.understood(_ours, entry)
    kinds: dict[str, type[Text | Published]] = {"paper": Text, "published": Published}
    if like in kinds:
        return _of_the_paper(entry, kinds[like])
    if "." not in like:
        entry.refuse(f"like must be tailsafe, {', '.join(kinds)} or module.Class, got {like!r}")
    own = entry.understood(called, like, "", **entry.left)
    if not (hasattr(own, "judge") and hasattr(own, "name")):
        entry.refuse(f"{like} has no judge or no name, so it is no profile")
    return own


def _of_the_paper(entry: Fields, kind: type[Text | Published]) -> Profile:
    parameters = {
        field.name: entry.get(field.name, type(field.default), field.default)
        for field in fields(kind)
        if field.name != "rule"
    }
    entry.end()
    make: Callable[..., Profile] = kind
    return entry.understood(make, **parameters)


def _ours(entry: Fields) -> Default:
    usual = Default()
    methods = entry.get("estimators", list, [])
    ours = Default(
        label=entry.get("name", str, usual.label),
        risks=tuple(map(risk_named, entry.texts("risks", ("var:0.25", "cvar:0.25")))),
        portfolio=_portfolio(entry),
        # Whatever cannot score or propose fails in its unit, with its name.
        estimators=tuple(_method(entry, one, "tailsafe.estimators") for one in methods),  # type: ignore[misc]
        printed=_printed(entry),
        eps_rel=entry.get("eps_rel", float, usual.eps_rel),
        max_models=entry.get("max_models", int, usual.max_models),
    )
    entry.end()
    return ours


def _portfolio(entry: Fields) -> Portfolio:
    asked = entry.any("portfolio")
    if isinstance(asked, list) and asked:
        return tuple(_method(entry, one, "tailsafe.solvers") for one in asked)  # type: ignore[misc]
    if asked is None:
        return ()
    if not isinstance(asked, str) or asked not in PORTFOLIOS:
        entry.refuse(
            f"portfolio must be one of {', '.join(PORTFOLIOS)}, or a list of methods, got {asked!r}"
        )
    return tuple(PORTFOLIOS[asked]())


def _printed(entry: Fields) -> PrintedRule | None:
    asked = entry.any("mc2ps")
    if asked is None or asked is False:
        return None
    given = {} if asked is True else asked
    if not isinstance(given, dict):
        entry.refuse(f"mc2ps must be true, or a table of its parameters, got {asked!r}")
    made = called("PrintedRule", "tailsafe.mc2ps", **given)
    assert isinstance(made, PrintedRule)
    return made


def _method(entry: Fields, asked: object, home: str) -> object:
    """Return a solver or an estimator; texts of the parameter ``risk`` name a measure."""
    given = {"method": asked} if isinstance(asked, str) else asked
    if not isinstance(given, dict) or not isinstance(given.get("method"), str):
        entry.refuse(f'a method is a name or a table with its "method", got {asked!r}')
    parameters = {key: _value(key, value) for key, value in given.items() if key != "method"}
    return called(str(given["method"]), home, **parameters)


def _value(key: str, value: object) -> object:
    if key == "risk" and isinstance(value, str):
        return risk_named(value)
    return tuple(value) if isinstance(value, Sequence) and not isinstance(value, str) else value
