"""What other programs recorded: the same transitions, or a refusal that says what to do."""

import importlib.util
from dataclasses import dataclass, field

import numpy as np
import pytest

import tailsafe as ts
from tailsafe.data import from_gymnasium, from_minari


class Discrete:
    def __init__(self, n, start=0):
        self.n, self.start = n, start


class Box:
    def __str__(self):
        return "Box(4,)"


@dataclass
class Episode:
    observations: list
    actions: list
    rewards: list
    terminations: list
    truncations: list = field(default_factory=list)


@dataclass
class DataSet:
    episodes: list
    observation_space: object
    action_space: object

    def iterate_episodes(self):
        return iter(self.episodes)


EPISODES = [
    Episode(np.array([0, 1, 3]), np.array([1, 0]), np.array([0.0, 1.0]), [False, True]),
    Episode([0, 2], [1], [0.5], [False], [True]),
]


def test_a_minari_data_set_is_read_with_all_its_states():
    log = from_minari(DataSet(EPISODES, Discrete(5), Discrete(2)))
    batch = log.batch
    assert (batch.n_states, batch.n_actions) == (5, 2)
    assert batch.episode.tolist() == [0, 0, 1]
    assert batch.state.tolist() == [0, 1, 0]
    assert batch.action.tolist() == [1, 0, 1]
    assert batch.next_state.tolist() == [1, 3, 2]
    assert batch.reward.tolist() == [0.0, 1.0, 0.5]
    assert batch.terminated.tolist() == [False, True, False]


def test_labels_start_where_the_space_does():
    shifted = [Episode([1, 2], [7], [0.0], [False])]
    log = from_minari(DataSet(shifted, Discrete(3, start=1), Discrete(1, start=7)))
    assert (log.labels.states, log.labels.actions) == (("1", "2", "3"), ("7",))


def test_spaces_that_are_not_discrete_are_refused():
    with pytest.raises(ts.NotSupported, match=r"observation space of the data set is Box\(4,\)"):
        from_minari(DataSet(EPISODES, Box(), Discrete(2)))
    with pytest.raises(ts.NotSupported, match="give each action a number"):
        from_minari(DataSet(EPISODES, Discrete(5), Box()))


def test_something_else_is_not_a_data_set():
    with pytest.raises(ts.NotSupported, match="observation space"):
        from_minari(3)


@pytest.mark.skipif(importlib.util.find_spec("minari") is not None, reason="minari is here")
def test_a_name_needs_minari():
    with pytest.raises(ts.MissingDependency, match="pip install 'tailsafe\\[minari\\]'"):
        from_minari("D4RL/some-v1")


def test_steps_of_a_gymnasium_environment_are_read():
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("FrozenLake-v1", is_slippery=True).unwrapped
    rng = np.random.default_rng(0)
    episodes = []
    for number in range(20):
        state, ended, steps = env.reset(seed=number)[0], False, []
        while not ended and len(steps) < 15:
            action = int(rng.integers(4))
            after, reward, ended, _, _ = env.step(action)
            steps.append((state, action, reward, after, ended))
            state = after
        episodes.append(steps)
    log = from_gymnasium(episodes, env.observation_space.n, env.action_space.n)
    batch = log.batch
    assert (batch.n_states, batch.n_actions, batch.n_episodes) == (16, 4, 20)
    assert batch.terminated.sum() == sum(steps[-1][4] for steps in episodes)
    assert batch.state.tolist() == [int(step[0]) for steps in episodes for step in steps]
    holes = {5, 7, 11, 12, 15}
    assert set(batch.next_state[batch.terminated].tolist()) <= holes


@pytest.mark.parametrize(
    ("episodes", "expected"),
    [
        ([], "there is no episode"),
        ([[(0, 1, 0.0)]], "episode 0 is not a list of steps"),
        ([[]], "episode 0 is not a list of steps"),
        (
            [EPISODES[0], Episode([0, 1], [1, 1], [0.0], [False])],
            "episode 1 has columns of different lengths: 1 of state, 2 of action",
        ),
        ([Episode(np.zeros((3, 4)), [0, 0], [0.0, 0.0], [False, False])], "has shape (2, 4)"),
    ],
)
def test_broken_recordings_are_refused(episodes, expected):
    with pytest.raises(ts.InvalidData) as caught:
        from_gymnasium(episodes)
    assert expected in str(caught.value)
