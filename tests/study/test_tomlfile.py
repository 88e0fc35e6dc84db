"""Studies from TOML files: what is understood, and what is refused with its place."""

import pytest

import tailsafe.domains
from tailsafe.errors import InvalidData
from tailsafe.estimators import FQE, UnO
from tailsafe.mc2ps import PrintedRule
from tailsafe.portfolio import full_portfolio, paper_portfolio
from tailsafe.risk import CVaR, Mean, VaR
from tailsafe.solvers import SPIBB, Nominal
from tailsafe.study.default import Default
from tailsafe.study.named import named
from tailsafe.study.published.profile import Published
from tailsafe.study.sources import FromPrior, Source
from tailsafe.study.text import Text
from tailsafe.study.tomlfile import read_study

DOMAIN = """
[[domains]]
name = "small"
source = "garnet"
arguments = {n_states = 6, n_actions = 2, n_successors = 2, seed = 1}
steps = 5
sizes = [10, 20]
trials = 3
"""
PROFILE = "[[profiles]]\n"


def read(tmp_path, text):
    path = tmp_path / "wards.toml"
    path.write_text(text, "utf-8")
    return read_study(path)


def test_the_smallest_study_is_a_domain_and_the_packages_own_choice(tmp_path):
    study = read(tmp_path, DOMAIN + PROFILE)
    (grid,) = study.grids
    arguments = (("n_states", 6), ("n_actions", 2), ("n_successors", 2), ("seed", 1))
    assert (study.name, study.seed, study.metrics) == ("wards", 0, ("gain",))
    assert (grid.label, grid.source) == ("small", Source("garnet", arguments))
    assert (grid.steps, grid.sizes, grid.trials) == (5, (10, 20), 3)
    assert grid.profiles == (Default(),)


def test_everything_can_be_said(tmp_path):
    text = f"""
    name = "all"
    seed = 7
    metrics = ["gain", "regret"]
    {DOMAIN}
    [[domains]]
    name = "ring"
    truth = "prior"
    steps = 8
    sizes = [8]
    trials = 1
    [[profiles]]
    name = "ours"
    risks = ["mean", "var:0.1"]
    portfolio = ["Nominal", {{method = "SPIBB", min_visits = 3}}]
    mc2ps = {{block = 500}}
    estimators = ["FQE", {{method = "UnO", risk = "cvar:0.5"}}]
    eps_rel = 1
    max_models = 1000
    [[profiles]]
    like = "paper"
    n_models = 5
    [[profiles]]
    like = "published"
    norbu_weight = 0.25
    """
    study = read(tmp_path, text)
    ours, text_, program = study.grids[0].profiles
    assert (study.name, study.seed, study.metrics) == ("all", 7, ("gain", "regret"))
    assert study.grids[1].source == FromPrior(Source("ring"))
    assert ours == Default(
        risks=(Mean(), VaR(0.1)),
        portfolio=(Nominal(), SPIBB(3)),
        estimators=(FQE(), UnO(CVaR(0.5))),
        printed=PrintedRule(block=500),
        eps_rel=1.0,
        max_models=1_000,
        label="ours",
    )
    assert (text_, program) == (Text(n_models=5), Published(norbu_weight=0.25))


def test_ones_own_domains_and_profiles_are_named_with_their_module(tmp_path, monkeypatch):
    (tmp_path / "wards_of_mine.py").write_text(
        "from dataclasses import dataclass\n"
        "from tailsafe.domains import garnet\n"
        "def ward(beds):\n    return garnet(beds, 2, 2, seed=0)\n"
        "@dataclass(frozen=True)\nclass Mine:\n    weight: float\n    name: str = 'mine'\n"
        "    def judge(self, case):\n        ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    text = DOMAIN.replace('"garnet"', '"wards_of_mine.ward"').replace(
        "{n_states = 6, n_actions = 2, n_successors = 2, seed = 1}", "{beds = 4}"
    )
    study = read(tmp_path, text + '[[profiles]]\nlike = "wards_of_mine.Mine"\nweight = 0.5\n')
    assert study.grids[0].source.domain(0).task.n_states == 4
    assert study.grids[0].profiles[0].weight == 0.5


def test_a_profile_of_ones_own_may_have_any_parameter(tmp_path, monkeypatch):
    (tmp_path / "named_of_mine.py").write_text(
        "from dataclasses import dataclass\n"
        "from tailsafe.domains import garnet\n"
        "def ward(name, home):\n    return garnet(home, 2, 2, seed=0)\n"
        "@dataclass(frozen=True)\nclass Mine:\n    name: str\n    read: int = 0\n"
        "    def judge(self, case):\n        ...\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    text = DOMAIN.replace('"garnet"', '"named_of_mine.ward"').replace(
        "{n_states = 6, n_actions = 2, n_successors = 2, seed = 1}", '{name = "east", home = 4}'
    )
    mine = '[[profiles]]\nlike = "named_of_mine.Mine"\n'
    study = read(tmp_path, f'{text}{mine}name = "a"\n{mine}name = "b"\nread = 1\n')
    assert [(p.name, p.read) for p in study.grids[0].profiles] == [("a", 0), ("b", 1)]


@pytest.mark.parametrize(
    ("said", "portfolio"),
    [("standard", ()), ("paper", paper_portfolio()), ("full", full_portfolio())],
)
def test_a_portfolio_by_its_name_is_that_portfolio(said, portfolio, tmp_path):
    study = read(tmp_path, f'{DOMAIN}{PROFILE}portfolio = "{said}"\n')
    assert study.grids[0].profiles[0].portfolio == portfolio


@pytest.mark.parametrize(("said", "rule"), [("true", PrintedRule()), ("false", None)])
def test_the_printed_rule_is_there_if_it_is_asked_for(said, rule, tmp_path):
    study = read(tmp_path, f"{DOMAIN}{PROFILE}mc2ps = {said}\n")
    assert study.grids[0].profiles[0].printed == rule


def test_parts_of_a_module_that_it_does_not_offer_have_no_name():
    assert hasattr(tailsafe.domains, "domain")
    with pytest.raises(InvalidData, match=r"there is no 'domain' in tailsafe\.domains"):
        named("domain", "tailsafe.domains")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name = ", "wards.toml is not TOML"),
        (PROFILE, r"wards.toml: there must be at least one table \[\[domains\]\]"),
        (DOMAIN, r"wards.toml: there must be at least one table \[\[profiles\]\]"),
        (DOMAIN + PROFILE + "[more]\n", "wards.toml: unknown more; known are profiles, domains"),
        (DOMAIN.replace("steps = 5\n", "") + PROFILE, r"domains\[1\]: steps is missing"),
        (DOMAIN.replace("steps", "stpes") + PROFILE, r"domains\[1\]: steps is missing"),
        (DOMAIN + "beds = 1\n" + PROFILE, r"domains\[1\]: unknown beds; known are name, argum"),
        (DOMAIN.replace("= 5", '= "5"') + PROFILE, "steps must be a whole number, got '5'"),
        (DOMAIN.replace("= 5", "= true") + PROFILE, "steps must be a whole number, got True"),
        (DOMAIN.replace("= 5", "= 3") + PROFILE, r"domains\[1\]: domain small: size 10 is no mult"),
        (DOMAIN.replace("[10, 20]", "[10, 10]") + PROFILE, "sizes of domain small must differ"),
        (DOMAIN.replace("[10, 20]", '["ten"]') + PROFILE, "size"),
        (DOMAIN.replace("garnet", "garnets") + PROFILE, "there is no 'garnets' in tailsafe.dom"),
        (DOMAIN.replace("garnet", "no.where") + PROFILE, "cannot import no"),
        (DOMAIN.replace("seed = 1", "sed = 1") + PROFILE, "garnet: .*seed"),
        (DOMAIN + 'truth = "known"\n' + PROFILE, "truth must be one of fixed, prior, got 'known'"),
        (DOMAIN + DOMAIN + PROFILE, "domains of study wards must differ, got small, small"),
        (DOMAIN + PROFILE + PROFILE, "profiles of small must differ, got tailsafe, tailsafe"),
        (DOMAIN + PROFILE + 'like = "ours"\n', r"profiles\[1\]: like must be tailsafe, paper"),
        (DOMAIN + PROFILE + 'like = "math.floor"\nx = 1\n', "math.floor: "),
        (DOMAIN + PROFILE + 'like = "paper"\nname = "x"\n', r"profiles\[1\]: unknown name"),
        (DOMAIN + PROFILE + 'like = "paper"\nrule = {}\n', r"profiles\[1\]: unknown rule; known"),
        (DOMAIN + PROFILE + 'like = "paper"\nn_models = "3"\n', "n_models must be a whole number"),
        (DOMAIN + PROFILE + 'like = "paper"\nlevel = 2\n', r"profiles\[1\]: level must be in"),
        (DOMAIN + PROFILE + 'like = "published"\nalpha = 0\n', r"profiles\[1\]: alpha must be in"),
        (DOMAIN + PROFILE + 'like = "published"\nnorbu_weight = 2\n', r"profiles\[1\]: .*weight"),
        (DOMAIN + PROFILE + 'like = ".Class"\n', "'.Class' names no module: write module.name"),
        (DOMAIN + PROFILE + "risks = []\n", "there must be at least one risk measure"),
        (DOMAIN + PROFILE + "eps_rel = nan\n", "eps_rel must be a positive number, got nan"),
        (DOMAIN.replace('"small"', '" "') + PROFILE, "1 to 60 printable characters, got ' '"),
        (DOMAIN + PROFILE + 'risks = ["tvar:0.1"]\n', r"profiles\[1\]: 'tvar:0.1' is no risk"),
        (DOMAIN + PROFILE + "risks = [0.1]\n", "risks must be a list of texts"),
        (DOMAIN + PROFILE + 'portfolio = "best"\n', "portfolio must be one of standard, paper"),
        (DOMAIN + PROFILE + 'portfolio = ["SPIB"]\n', "there is no 'SPIB' in tailsafe.solvers"),
        (DOMAIN + PROFILE + 'portfolio = [{method = "SPIBB", visits = 3}]\n', "SPIBB: .*'visits'"),
        (DOMAIN + PROFILE + "estimators = [3]\n", 'a method is a name or a table with its "method'),
        (DOMAIN + PROFILE + "mc2ps = 3\n", "mc2ps must be true, or a table"),
        (DOMAIN + PROFILE + "mc2ps = {eps = 3}\n", "PrintedRule: .*'eps'"),
        (DOMAIN + PROFILE + 'eps_rel = "1"\n', "eps_rel must be a number, got '1'"),
        (
            'metrics = ["profit"]\n' + DOMAIN + PROFILE,
            "there is no metric 'profit'; there are gain",
        ),
        ("seed = -1\n" + DOMAIN + PROFILE, "seed"),
    ],
)
def test_what_is_not_understood_is_refused_with_its_place(text, words, tmp_path):
    with pytest.raises(InvalidData, match=words) as refused:
        read(tmp_path, text)
    assert str(refused.value).count("wards.toml") <= 1


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InvalidData, match=r"cannot read .*none.toml: No such file"):
        read_study(tmp_path / "none.toml")
