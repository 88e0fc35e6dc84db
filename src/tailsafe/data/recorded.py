"""Logs that other programs recorded: arrays, Minari data sets, episodes of a Gymnasium environment.

Only discrete observations and actions can be read; others need a discretisation first.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from tailsafe.data.columns import Columns
from tailsafe.data.log import Log
from tailsafe.data.reader import USUAL_COLUMNS, Names, read_log
from tailsafe.errors import InvalidData, MissingDependency, NotSupported

ROLES = ("state", "action", "reward", "next_state", "terminated")

Cells: TypeAlias = npt.NDArray[np.generic]

Step: TypeAlias = Sequence[object]
"""One value for each role, in this order."""


class Episode(Protocol):
    """An episode as Minari keeps it: one observation more than actions."""

    @property
    def observations(self) -> npt.ArrayLike:
        """The states, the last one included."""

    @property
    def actions(self) -> npt.ArrayLike:
        """The actions."""

    @property
    def rewards(self) -> npt.ArrayLike:
        """The rewards."""

    @property
    def terminations(self) -> npt.ArrayLike:
        """Whether the process ended, after each action."""


def from_arrays(
    arrays: Mapping[str, npt.ArrayLike],
    columns: Columns = USUAL_COLUMNS,
    states: Names = None,
    actions: Names = None,
) -> Log:
    """Return the log in arrays by name, as d3rlpy and D4RL keep them.

    Parameters
    ----------
    arrays
        observations, actions, rewards, terminals, timeouts and the like, one element a step.
    columns
        What they are called, where it is not usual.
    states, actions
        All labels in order, or how many there are.
    """
    return read_log(arrays, columns, states, actions)


def from_gymnasium(
    episodes: Iterable[Episode | Iterable[Step]],
    states: Names = None,
    actions: Names = None,
) -> Log:
    """Return the log of recorded episodes.

    Parameters
    ----------
    episodes
        Each a list of steps (state, action, reward, next state, terminated), or an object with
        observations, actions, rewards and terminations as Minari has.
    states, actions
        All labels in order, or how many there are: ``env.observation_space.n``.
    """
    parts = [_columns(episode, number) for number, episode in enumerate(episodes)]
    if not parts:
        raise InvalidData("there is no episode")
    arrays = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    return read_log(arrays, USUAL_COLUMNS, states, actions)


def from_minari(dataset: object) -> Log:
    """Return the log of a Minari data set, given by its name or loaded.

    Its spaces must be discrete.
    """
    if isinstance(dataset, str):
        try:
            import minari
        except ImportError:
            raise MissingDependency(
                "Minari data sets need minari: pip install 'tailsafe[minari]'"
            ) from None
        dataset = minari.load_dataset(dataset)
    sizes = [_labels(dataset, what) for what in ("observation", "action")]
    episodes = getattr(dataset, "iterate_episodes", None)
    if episodes is None:
        raise InvalidData(f"{type(dataset).__name__} is not a Minari data set")
    return from_gymnasium(episodes(), *sizes)


def _labels(dataset: object, what: str) -> list[str]:
    space = getattr(dataset, f"{what}_space", None)
    if type(space).__name__ != "Discrete":
        raise NotSupported(
            f"the {what} space of the data set is {space}, not Discrete: give each {what} a number "
            "or name of its own and read the arrays with from_arrays"
        )
    first = int(getattr(space, "start", 0))
    return [str(value) for value in range(first, first + int(space.n))]  # type: ignore[union-attr]


def _columns(episode: Episode | Iterable[Step], number: int) -> dict[str, Cells]:
    """Return the columns of one episode."""
    parts = _steps(episode, number) if isinstance(episode, Iterable) else _kept(episode)
    sizes = {role: len(part) for role, part in parts.items()}
    if len(set(sizes.values())) > 1:
        listed = ", ".join(f"{size} of {role}" for role, size in sizes.items())
        raise InvalidData(f"episode {number} has columns of different lengths: {listed}")
    return {"episode": np.full(len(parts["state"]), number), **parts}


def _steps(episode: Iterable[Step], number: int) -> dict[str, Cells]:
    steps = [tuple(step) for step in episode]
    if not steps or {len(step) for step in steps} != {len(ROLES)}:
        raise InvalidData(f"episode {number} is not a list of steps ({', '.join(ROLES)})")
    columns = zip(*steps, strict=True)
    return {role: np.array(cells) for role, cells in zip(ROLES, columns, strict=True)}


def _kept(episode: Episode) -> dict[str, Cells]:
    seen = np.asarray(episode.observations)
    cells = (seen[:-1], episode.actions, episode.rewards, seen[1:], episode.terminations)
    return {role: np.asarray(part) for role, part in zip(ROLES, cells, strict=True)}
