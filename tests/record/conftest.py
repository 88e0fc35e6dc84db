"""A record of a choice on a small log, made once."""

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.record.assembly import Asked, Made, selection_record


@pytest.fixture(scope="session")
def posed():
    """Return a problem of three states, the last of them an end, and two actions."""
    rng = np.random.default_rng(0)
    lines = {"episode": [], "state": [], "action": [], "reward": [], "next_state": []}
    for episode in range(40):
        state = "calm"
        while state != "over":
            action = rng.choice(["stay", "go"], p=[0.7, 0.3])
            chance = {"stay": [0.6, 0.3, 0.1], "go": [0.2, 0.3, 0.5]}[action]
            following = str(rng.choice(["calm", "rough", "over"], p=chance))
            reward = 1.0 if state == "calm" else -1.0
            for name, value in zip(lines, (episode, state, action, reward, following), strict=True):
                lines[name].append(value)
            state = following
    lines["terminated"] = [following == "over" for following in lines["next_state"]]
    log = ts.read_log({name: np.array(column) for name, column in lines.items()})
    return ts.data.pose(log, ts.data.Setting(discount=1.0))


@pytest.fixture(scope="session")
def candidates(posed):
    """Return four candidates; one has two origins."""
    policies = {
        "stay": ts.Policy.from_actions([1, 1, 1], 2),
        "go": ts.Policy.from_actions([0, 0, 0], 2),
        "flee": ts.Policy.from_actions([1, 1, 0], 2),
        "mix": ts.Policy.uniform(3, 2),
    }
    assert posed.log.labels.actions == ("go", "stay")
    assert posed.log.labels.states == ("calm", "over", "rough")
    return [ts.Candidate(policy, (name, f"also {name}")) for name, policy in policies.items()]


@pytest.fixture(scope="session")
def selection(posed, candidates):
    return ts.select(posed.problem, candidates, ts.CVaR(0.2), seed=5)


@pytest.fixture(scope="session")
def record(posed, selection):
    asked = Asked("test", ts.CVaR(0.2), eps_rel=0.01, max_models=2**19)
    made = Made(["tailsafe"], {"race": 1.0}, [("X", "no reason")], "2026-01-01T00:00:00+00:00")
    return selection_record(posed, asked, selection, made)
