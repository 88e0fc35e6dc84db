"""The reduced form of ./run coverage: the claims of the package, and the means of measuring."""

import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
if not (ROOT / "benchmarks").exists():
    pytest.skip("the benchmarks are not part of this copy", allow_module_level=True)
if str(ROOT) not in sys.path:
    sys.path.append(str(ROOT))

from benchmarks import pages  # noqa: E402 - needs the path
from benchmarks.guarantees import __main__ as command  # noqa: E402
from benchmarks.guarantees import claims, laws, stress  # noqa: E402
from benchmarks.guarantees.drawing import drawn_sheet  # noqa: E402
from benchmarks.guarantees.rule import SMOOTH, printed_stop  # noqa: E402
from tailsafe.mc2ps import PrintedRule, printed_estimates  # noqa: E402
from tailsafe.ranks import printed_interval  # noqa: E402
from tailsafe.risk import CVaR, Mean, TailMean, VaR  # noqa: E402

REPETITIONS = {"certificate": 500, "estimate": 300, "race": 10, "budget": 15, "doors": 20}
REPETITIONS |= {"worlds": 60, "fixed": 10, "printed": 20}


@pytest.fixture(autouse=True)
def _own_lists(monkeypatch, tmp_path_factory):
    """Keep lists of models out of the folder of the command: others may be writing there."""
    monkeypatch.setattr(laws, "LISTS", tmp_path_factory.getbasetemp() / "lists")


@pytest.mark.slow
@pytest.mark.parametrize("block", REPETITIONS)
def test_every_claim_is_kept(block):
    setting = claims.Setting(REPETITIONS[block], workers=1, quick=True)
    rows = command.BLOCKS[block](setting).rows
    assert [row for row in rows if not row.kept] == []
    assert len(rows) >= 6
    assert all(row.repetitions >= min(REPETITIONS.values()) for row in rows if row.nominal)


@pytest.mark.slow
def test_bounds_are_not_bought_by_timidity():
    rows = command.BLOCKS["certificate"](claims.Setting(300, workers=1, quick=True)).rows
    sharp = [row for row in rows if row.claim == "certificate, VaR(0.25)"]
    assert sum(row.measured < 0.97 for row in sharp) >= 6


def test_a_frequency_far_below_its_promise_is_called_broken():
    held = np.arange(2_000) < 1_750
    row = claims.frequency("claim", "law", 0.9, held)
    assert row.allowance == pytest.approx(3 * np.sqrt(0.09 / 2_000))
    assert not row.kept
    assert "**BROKEN**" in claims.table([row])
    assert claims.frequency("claim", "law", 0.88, held).kept
    assert claims.frequency("claim", "law", None, held).kept


def test_a_mean_of_shares_is_allowed_its_own_error():
    shares = np.array([0.7, 0.8] * 50)
    row = claims.mean_share("claim", "law", 0.75, shares)
    assert (row.measured, row.allowance) == pytest.approx((0.75, 3 * 0.05 / 10))


@pytest.mark.parametrize("measured", [0.5, 0.95])
def test_the_command_ends_with_1_if_a_claim_is_broken(measured, monkeypatch, capsys):
    row = claims.Row("claim", "law", 0.9, measured, 1_000)
    block = {"race": lambda _: claims.Report([row], {})}
    monkeypatch.setattr(command, "BLOCKS", block)
    monkeypatch.setattr(sys, "argv", ["coverage", "--quick"])
    assert command.main() == int(measured < 0.9)
    assert "race: 1 rows" in capsys.readouterr().out


def test_tables_go_between_the_marks_of_every_page_and_nowhere_else(monkeypatch, tmp_path):
    monkeypatch.setattr(pages, "PAGES", tmp_path)
    page = tmp_path / "page.md"
    page.write_text("Before.\n<!-- measured: race -->\nold\n<!-- end -->\nAfter.\n")
    row = claims.Row("claim \\1", "law", 0.9, 0.95, 1_000)
    report = claims.Report([row], {})
    for _ in range(2):
        command.write("race", report, claims.Setting(1_000))
        text = page.read_text()
        assert text.startswith("Before.\n<!-- measured: race -->\n")
        assert text.endswith("<!-- end -->\nAfter.\n")
        assert claims.table([row]) in text
        assert "old" not in text
    assert text.count("claim \\1") == 1
    with pytest.raises(SystemExit, match="budget"):
        command.write("budget", report, claims.Setting(1_000))


@pytest.mark.parametrize("block", list(command.BLOCKS))
def test_what_is_measured_has_a_place_in_the_documentation(block):
    texts = [page.read_text() for page in pages.PAGES.glob("*.md")]
    named = {"spent": "evaluations"}.get(block, block)
    assert sum(f"<!-- measured: {named} -->" in text for text in texts) == 1


def test_truths_of_lists_are_those_of_the_laws_they_stand_for():
    atom = laws.stress_law("atom at the quantile")
    assert laws.truth_of(atom, VaR(0.25))[0] == 0.25
    # Up to .15 the law is uniform, then the atom.
    below = 0.5 * 0.15**2
    assert laws.truth_of(atom, CVaR(0.25))[0] == pytest.approx((below + 0.1 * 0.25) / 0.25)
    assert laws.truth_of(atom, TailMean(0.25))[0] == pytest.approx((below + 0.2 * 0.25) / 0.35)
    assert laws.truth_of(atom, Mean())[0] == pytest.approx(0.5, abs=1e-6)
    above = laws.stress_law("atom just above the quantile")
    assert laws.truth_of(above, VaR(0.25))[0] == pytest.approx(0.25, abs=1e-5)
    assert np.mean(above.U[:, 0] == 0.251) == pytest.approx(0.3)


def test_made_up_laws_start_with_the_worst_as_favourite():
    for name in stress.STRESS:
        law = laws.stress_law(name)
        truth = laws.truth_of(law, VaR(0.25))
        assert truth[law.known(VaR(0.25)).favourite] == truth.min()


def test_the_quick_printed_rule_is_that_of_the_package():
    law = laws.stress_law("atom just above the quantile")
    rule = PrintedRule(max_models=10_000)
    for seed in range(5):
        sheet = drawn_sheet(law, VaR(0.25), np.random.default_rng(seed), rule.max_models)
        expected = printed_estimates(sheet, VaR(0.25), rule)
        U = law.U[np.random.default_rng(seed).integers(len(law.U), size=rule.max_models)].T
        for x, estimate in zip(U, expected, strict=True):
            rounded = np.round(x / law.known(VaR(0.25)).quantum) * law.known(VaR(0.25)).quantum
            assert printed_stop(rounded, rule.block) == (estimate.n_models, estimate.value)


@pytest.mark.parametrize("eps", [0.1, 0.05])
def test_blocks_that_are_passed_over_hold_no_earlier_stop(eps):
    for seed in range(3):
        x = np.random.default_rng(seed).normal(size=120_000)
        for n in range(500, len(x) + 1, 500):
            g, h = printed_interval(n, 0.25, 0.01)
            low, high = np.partition(x[:n], (g - 1, h - 1))[[g - 1, h - 1]]
            if high - low < eps:
                break
        assert printed_stop(x, 500, lambda _: eps, SMOOTH) == (n, low)
