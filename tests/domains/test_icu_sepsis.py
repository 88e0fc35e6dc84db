"""ICU-Sepsis is read from the files of its package, which is not imported."""

import importlib
import sys
from importlib.util import find_spec

import numpy as np
import pytest

from tailsafe import domains
from tailsafe.errors import InvalidData, MissingDependency
from tailsafe.policy import Policy
from tailsafe.solvers.planning import solve
from tailsafe.values import performance

DEATH, SURVIVAL, SINK = 2, 3, 4
ADMISSIBLE = [[1], [0, 2], [0, 1, 2], [0, 1, 2], [0, 1, 2]]


def dynamics():
    """Five states, three actions; inadmissible ones do what a random admissible one does."""
    T = np.zeros((5, 3, 5))
    T[0, :, 1] = 1.0
    T[1, 0, [DEATH, SURVIVAL]] = [0.25, 0.75]
    T[1, 2, [1, DEATH]] = 0.5
    T[1, 1] = (T[1, 0] + T[1, 2]) / 2
    T[2:, :, SINK] = 1.0
    expert = np.array([[0, 1, 0], [0.5, 0.4, 0.1], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    return {"tx_mat": T, "d_0": np.array([0.5, 0.5, 0, 0, 0]), "expert_policy": expert}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package folder of that name that cannot be imported."""
    assets = tmp_path / "icu_sepsis" / "envs" / "assets"
    assets.mkdir(parents=True)
    (tmp_path / "icu_sepsis" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    np.savez(assets / "dynamics.npz", **dynamics())
    counts = " ".join(str(len(actions)) for actions in ADMISSIBLE)
    lines = [" ".join(map(str, actions)) for actions in ADMISSIBLE]
    (assets / "admissible_actions.txt").write_text("\n".join([counts, *lines]))
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return assets


def test_the_table_lists_admissible_pairs_only(package):
    assert package.exists()
    domain = domains.icu_sepsis()
    task, table = domain.task, domain.truth.table
    assert [np.nonzero(row)[0].tolist() for row in task.admissible] == ADMISSIBLE
    assert np.array_equal(table.lengths.reshape(5, 3) > 0, task.admissible)
    T = dynamics()["tx_mat"]
    assert np.array_equal(domain.truth.transition[task.admissible], T[task.admissible])
    assert "icu_sepsis" not in sys.modules


def test_to_survive_is_worth_1_and_everything_else_nothing(package):
    assert package.exists()
    domain = domains.icu_sepsis()
    assert domain.task.discount == 1.0
    assert np.nonzero(domain.task.terminal)[0].tolist() == [DEATH, SURVIVAL, SINK]
    policy, value = solve(domain.truth)
    assert policy.actions[1] == 0
    assert value == pytest.approx([0.75, 0.75, 0, 0, 0])


def test_the_expert_performs_as_published_without_inadmissible_actions(package):
    assert package.exists()
    domain, expert = domains.icu_sepsis(), domains.icu_sepsis_expert()
    assert expert.probs[:2] == pytest.approx(np.array([[0, 1, 0], [0.7, 0, 0.3]]))
    assert expert.probs[2:] == pytest.approx(1 / 3)
    # .5 + .4 / 2 to action 0, .1 + .4 / 2 to action 2: V = .7 * .75 + .15 V
    assert performance(domain.truth, expert) == pytest.approx(0.7 * 0.75 / 0.85)


def test_files_of_another_layout_are_refused(package):
    np.savez(package / "dynamics.npz", d_0=np.ones(5) / 5)
    with pytest.raises(InvalidData, match="not the data of ICU-Sepsis version 2"):
        domains.icu_sepsis()
    np.savez(package / "dynamics.npz", **dynamics())
    (package / "admissible_actions.txt").write_text("1 2 3 3 3\n0 1 2")
    with pytest.raises(InvalidData, match="lists 3 actions, but announces 12"):
        domains.icu_sepsis()


def test_without_the_package_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "icu_sepsis", None)
    with pytest.raises(MissingDependency, match="needs the extra `icu-sepsis`"):
        domains.icu_sepsis()


@pytest.mark.slow
@pytest.mark.skipif(find_spec("icu_sepsis") is None, reason="the extra icu-sepsis is not installed")
def test_the_published_values_come_out():
    domain = domains.icu_sepsis()
    assert domain.task.admissible.sum() == 2_313
    assert domain.truth.table.n_entries == 95_045
    uniform = Policy.uniform(716, 25, domain.task.admissible)
    assert performance(domain.truth, uniform) == pytest.approx(0.78007, abs=5e-6)
    assert performance(domain.truth, domains.icu_sepsis_expert()) == pytest.approx(
        0.78184, abs=5e-6
    )
    assert domain.task.initial @ solve(domain.truth)[1] == pytest.approx(0.87514, abs=5e-6)
