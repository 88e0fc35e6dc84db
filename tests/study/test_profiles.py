"""The three profiles on small logs: what each records, and the report of all together."""

from html.parser import HTMLParser

import pytest

import tailsafe as ts
from tailsafe.estimators import FQE, IS
from tailsafe.mc2ps import PrintedRule
from tailsafe.solvers import Nominal, PosteriorMean
from tailsafe.study.default import Default
from tailsafe.study.design import Grid, Study
from tailsafe.study.paper_numbers import COLUMNS
from tailsafe.study.published.profile import Published
from tailsafe.study.report import study_report
from tailsafe.study.rows import TIMES
from tailsafe.study.sources import Source
from tailsafe.study.store import open_store, read_rows
from tailsafe.study.text import Text
from tailsafe.study.trial import conduct, rows

RULE = PrintedRule(eps_rel=0.05, block=500)
DEFAULT = Default(
    portfolio=(Nominal(), PosteriorMean()),
    estimators=(IS(), FQE()),
    printed=RULE,
    eps_rel=0.1,
    max_models=2**12,
)
STUDY = Study(
    "small",
    3,
    (
        Grid(
            "ring", Source("ring_published"), 8, (8, 24), 1, (Published(), Text(rule=RULE), DEFAULT)
        ),
    ),
)


@pytest.fixture(scope="module")
def found():
    return {unit: rows(STUDY, unit, conduct(STUDY, unit)) for unit in STUDY.units()}


def of(found, profile, size):
    unit = next(u for u in found if (u.profile, u.size) == (profile, size))
    return {row.method: row for row in found[unit]}


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["published", "paper"])
def test_a_profile_of_the_paper_fills_all_its_columns(found, profile):
    by_method = of(found, profile, 24)
    assert set(COLUMNS) <= set(by_method)
    for row in by_method.values():
        assert row.gain == pytest.approx((row.u - row.u_trivial) / row.u_star)
    assert by_method["trivial"].gain == 0.0


@pytest.mark.slow
def test_only_the_program_scores_stochastic_policies_otherwise(found):
    program, text = of(found, "published", 24), of(found, "paper", 24)
    assert program["SPIBB"].u < program["SPIBB"].u_exact
    assert text["SPIBB"].u == text["SPIBB"].u_exact
    assert text["SPIBB"].stochastic == 1


@pytest.mark.slow
def test_the_program_chooses_among_deterministic_candidates_only(found):
    for size in (8, 24):
        by_method = of(found, "published", size)
        for risk in ("VaR(0.25)", "CVaR(0.25)"):
            assert by_method[f"EvC {risk}"].stochastic == 0
            assert by_method[f"EvC {risk}"].n_models >= 40_001


@pytest.mark.slow
def test_one_trajectory_is_a_named_refusal_in_the_text_and_a_policy_in_the_program(found):
    assert "trajectories" in of(found, "paper", 8)["BOPAH(20)"].status
    assert of(found, "published", 8)["BOPAH"].status == "ok"


@pytest.mark.slow
def test_the_default_profile_says_what_it_promised_and_whether_it_held(found):
    by_method = of(found, "tailsafe", 24)
    race = by_method["race VaR(0.25)"]
    assert race.confidence == 0.75
    assert race.covered == int(race.u_exact >= race.bound)
    assert race.regret >= -1e-12
    assert by_method["printed rule VaR(0.25)"].status in ("selected", "budget")
    assert {"IS", "FQE"} <= set(by_method)
    refused = [row for row in by_method.values() if row.status.startswith("refused")]
    assert all(row.u is None and "effective samples" in row.status for row in refused)


@pytest.mark.slow
def test_a_unit_gives_the_same_rows_again(found):
    for unit in list(STUDY.units())[:3]:
        again = rows(STUDY, unit, conduct(STUDY, unit))
        assert [cells_but_times(row) for row in again] == [
            cells_but_times(row) for row in found[unit]
        ]


def cells_but_times(row):
    return [getattr(row, name) for name in type(row).__slots__ if name not in TIMES]


class Balanced(HTMLParser):
    """Remembers open tags."""

    VOID = ("meta", "br")

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        del attributes
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag or tag in self.VOID

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_data(self, data):
        self.text += data


@pytest.mark.slow
def test_the_report_shows_every_profile_beside_the_paper(found, tmp_path):
    path = tmp_path / "small.study"
    with open_store(path, STUDY.identity()) as store:
        for unit in STUDY.units():
            outcome = conduct(STUDY, unit)
            store.put(unit, rows(STUDY, unit, outcome), outcome.policies, outcome.seconds)
    assert len(read_rows(path)) == sum(len(some) for some in found.values())
    html = study_report(path)
    page = Balanced()
    page.feed(html)
    assert page.open == []
    for words in ("What was run", "profile published", "profile paper", "On the same logs"):
        assert words in page.text
    assert "paper −0.290" in page.text
    assert "bound kept" in page.text
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert ts.__version__ in page.text
