"""Policies in files: read back as written, refused by their place."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import tailsafe as ts
from tailsafe.data import Labels, read_policies

LABELS = Labels(("a", "b", "c"), ("x", "y"))


def read(tmp_path, text, **options):
    path = tmp_path / "ours.csv"
    path.write_text(text)
    return read_policies(path, LABELS, **options)


WEIGHTS = hnp.arrays(float, (2, 3, 2), elements=st.integers(0, 10_000))


@settings(max_examples=50, deadline=None)
@given(WEIGHTS)
def test_any_policy_reads_back_as_written(weights):
    tables = weights + np.array([0.0, 1.0])  # no row without weight
    policies = [ts.Policy(table / table.sum(axis=1, keepdims=True)) for table in tables]
    rows = [
        (f"policy {i}", LABELS.states[s], LABELS.actions[a], float(policy.probs[s, a]))
        for i, policy in enumerate(policies)
        for s, a in np.argwhere(policy.probs > 0.0)
    ]
    names, states, actions, probs = (list(column) for column in zip(*rows, strict=True))
    columns = {"policy": names, "state": states, "action": actions, "probability": probs}
    found = read_policies(columns, LABELS)
    assert [candidate.policy for candidate in found] == policies
    assert [candidate.name for candidate in found] == list(dict.fromkeys(names))


def test_without_names_and_probabilities_there_is_one_deterministic_policy(tmp_path):
    (candidate,) = read(tmp_path, "state,action\nc,y\na,x\nb,y\nz,x\n")
    assert candidate.name == "ours"
    assert candidate.policy.actions.tolist() == [0, 1, 1]


def test_policies_come_in_the_order_of_the_file(tmp_path):
    text = "policy,state,action\nzeta,a,x\nzeta,b,x\nalpha,a,y\nzeta,c,x\nalpha,b,x\nalpha,c,x\n"
    zeta, alpha = read(tmp_path, text)
    assert (zeta.name, alpha.name) == ("zeta", "alpha")
    assert alpha.policy.actions.tolist() == [1, 0, 0]


def test_terminal_states_need_no_row(tmp_path):
    for terminal in ([2], np.array([False, False, True])):
        (candidate,) = read(tmp_path, "state,action\na,x\nb,y\n", terminal=terminal)
        assert candidate.policy.probs[2].tolist() == [0.5, 0.5]


CASES = {
    "state missing": ("state,action\na,x\nb,y\n", "ours.csv says no action for state c"),
    "unknown action": (
        "state,action\na,x\nb,jump\nc,x\n",
        "row 3 of ours.csv: action 'jump' is none of the log's actions (x, y)",
    ),
    "two actions": (
        "state,action\na,x\nb,y\nb,x\nc,x\n",
        "row 3 of ours.csv: the actions of state b have probability 2; give them probabilities",
    ),
    "sum of .9": (
        "state,action,probability\na,x,1\nb,y,.5\nb,x,.4\nc,x,1\n",
        "row 3 of ours.csv: the actions of state b have probability 0.9",
    ),
    "negative": (
        "state,action,probability\na,x,1\nb,y,1.5\nb,x,-.5\nc,x,1\n",
        "row 4 of ours.csv: probability is -0.5, negative",
    ),
    "twice": (
        "state,action,probability\na,x,.5\na,x,.5\nb,y,1\nc,x,1\n",
        "row 3 of ours.csv: the same state and action stand in row 2 already",
    ),
    "probability is text": (
        "state,action,probability\na,x,often\nb,y,1\nc,x,1\n",
        "row 2 of ours.csv: probability is 'often', not a finite number",
    ),
    "second policy broken": (
        "policy,state,action\np,a,x\np,b,x\np,c,x\nq,a,x\n",
        "ours.csv says no action for state b, c",
    ),
    "no column": ("state\na\n", "ours.csv has no column for the action"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_broken_policy_file_is_refused_by_its_place(case, tmp_path):
    text, expected = CASES[case]
    with pytest.raises(ts.InvalidData) as caught:
        read(tmp_path, text)
    assert expected in str(caught.value)
