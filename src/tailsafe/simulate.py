"""Logs of a known domain: what a policy would have recorded there.

Every step of every episode has an address of its own in the simulation's stream, so the log is
the same on every machine, and fewer or shorter episodes are the beginnings of more or longer ones.
"""

import numpy as np

from tailsafe.arrays import check_count, check_type, first_index
from tailsafe.batch import Batch
from tailsafe.domains.domain import Domain
from tailsafe.errors import InvalidData
from tailsafe.keys import MAX_WORD, Key, Stream, stream_key
from tailsafe.policy import Policy, check_admissible


def simulate(
    domain: Domain, policy: Policy, episodes: int, length: int, seed: int | Key = 0
) -> Batch:
    """Return the log of a policy in a domain, with the probability of each action taken.

    Parameters
    ----------
    domain, policy
        Where, and what acts.
    episodes
        How many.
    length
        Where episodes are cut that have not terminated by themselves.
    seed
        Of everything random; independent of the models drawn with the same seed.
    """
    check_type(domain, Domain, "domain")
    for count, name in ((episodes, "episodes"), (length, "length")):
        check_count(count, name)
        if count >= MAX_WORD:
            raise InvalidData(f"{name} must be below 2**32, got {count}")
    task = domain.task
    check_admissible(policy, task.admissible, task.terminal)
    _check_never_stuck(domain, policy)
    return _logged(domain, policy, int(episodes), int(length), stream_key(seed, Stream.SIMULATION))


def _logged(domain: Domain, policy: Policy, episodes: int, length: int, key: Key) -> Batch:
    from tailsafe.kernels import walks

    task, table, address = domain.task, domain.truth.table, (key.seed, key.stream)
    reward = task.entry_reward(table)
    world = walks.World(
        task.initial,
        policy.probs,
        table.indptr,
        table.successor,
        domain.truth.probability,
        reward,
        task.terminal,
    )
    lengths = np.full(episodes, length)
    if task.terminal.any():
        lengths = walks.lengths(world, episodes, length, address)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    columns = [np.empty(starts[-1], np.int64) for _ in range(3)]
    walks.walk(world, walks.Steps(starts, *columns), address)
    state, action, entry = columns
    return Batch(
        episode=np.repeat(np.arange(episodes), lengths),
        state=state,
        action=action,
        reward=reward[entry],
        next_state=table.successor[entry],
        terminated=task.terminal[table.successor[entry]],
        n_states=task.n_states,
        n_actions=task.n_actions,
        propensity=policy.probs[state, action],
    )


def _check_never_stuck(domain: Domain, policy: Policy) -> None:
    task, truth = domain.task, domain.truth
    started_over = task.initial[task.terminal].sum()
    if started_over > 0.0:
        raise InvalidData(
            f"the initial distribution gives terminal states the probability {started_over:.6g}: "
            "an episode that starts there has no transition to log"
        )
    leads_nowhere = truth.table.sum_rows(truth.probability) == 0.0
    stuck = leads_nowhere & (policy.probs > 0.0) & ~task.terminal[:, None]
    if stuck.any():
        state, action = first_index(stuck)
        raise InvalidData(
            f"the policy takes action {action} in state {state}, from where the true model has "
            f"no next state ({int(stuck.sum())} such pairs): call that state terminal"
        )
