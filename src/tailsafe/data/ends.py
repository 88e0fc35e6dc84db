"""Where episodes start and where they end: as the log shows, or as the user says."""

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tailsafe.arrays import BoolArray, FloatArray, as_distributions, check_shape, frozen_floats
from tailsafe.data.assumptions import Assumption
from tailsafe.data.labels import listed
from tailsafe.data.log import Log
from tailsafe.data.words import counted
from tailsafe.errors import InvalidData


def terminal_states(log: Log, given: Sequence[str] | None) -> tuple[BoolArray, Assumption]:
    """Return mask[s] of the states that end an episode, and how they are known."""
    batch = log.batch
    terminal = np.zeros(batch.n_states, bool)
    terminal[batch.next_state[batch.terminated]] = True
    if given is not None:
        terminal[:] = False
        terminal[[log.labels.state(str(name)) for name in given]] = True
    _check_ends(log, terminal)
    names = [log.labels.states[s] for s in np.nonzero(terminal)[0]]
    how = "as given" if given is not None else "those in which episodes of the log terminate"
    if not names:
        words = "The process never ends; episodes of the log were only cut."
        return terminal, Assumption("terminal", "none", words)
    words = f"The process ends in these states ({how}), and nothing is paid from then on."
    return terminal, Assumption("terminal", listed(names, 12), words)


def _check_ends(log: Log, terminal: BoolArray) -> None:
    batch, names = log.batch, log.labels.states
    leaves = terminal[batch.state] & (batch.state != batch.next_state)
    if leaves.any():
        i = int(np.argmax(leaves))
        raise InvalidData(
            f"{log.where(i)}: state {names[batch.state[i]]} is left for "
            f"{names[batch.next_state[i]]}, but it is a terminal state "
            f"({counted(int(leaves.sum()), 'such transition')})"
        )
    elsewhere = batch.terminated & ~terminal[batch.next_state]
    if elsewhere.any():
        i = int(np.argmax(elsewhere))
        raise InvalidData(
            f"{log.where(i)}: the episode terminates in state {names[batch.next_state[i]]}, which "
            f"is not one of the terminal states given "
            f"({counted(int(elsewhere.sum()), 'such transition')})"
        )


def initial_distribution(
    log: Log, given: Mapping[str, float] | npt.ArrayLike | None
) -> tuple[FloatArray, Assumption]:
    """Return mu[s] of the first state, and how it is known."""
    batch, names = log.batch, log.labels.states
    if given is None:
        starts = np.bincount(batch.state[batch.starts], minlength=batch.n_states)
        initial = starts / batch.n_episodes
        words = f"A run starts as the {counted(batch.n_episodes, 'episode')} of the log did."
    else:
        initial = _given(log, given)
        words = "A run starts as was given."
    likely = [s for s in np.argsort(-initial, kind="stable") if initial[s] > 0.0]
    value = listed([f"{names[s]}: {initial[s]:.3g}" for s in likely], 6)
    return initial, Assumption("initial", value, words)


def _given(log: Log, given: Mapping[str, float] | npt.ArrayLike) -> FloatArray:
    n_states = log.batch.n_states
    if isinstance(given, Mapping):
        dense = np.zeros(n_states)
        for name, probability in given.items():
            dense[log.labels.state(str(name))] = probability
        given = dense
    initial = frozen_floats(given, "initial")
    check_shape(initial, (n_states,), "initial")
    return as_distributions(initial, "initial")[0]
