"""ICU-Sepsis: treating septic patients, estimated from the records of an intensive care unit.

K. Choudhary, D. Gupta, P. S. Thomas. ICU-Sepsis: A Benchmark MDP Built from Real Medical Data.
Reinforcement Learning Journal, 2024; version 2, from the data files of the package ``icu-sepsis``
(extra of the same name), which is never imported. 716 states and 25 actions, of which 2,313 pairs
are admissible. The last three states: death, survival, and a sink after both. Undiscounted;

    reward 1 if the next state is survival, else 0:  u = the probability to survive
"""

from importlib.util import find_spec
from pathlib import Path

import numpy as np

from tailsafe.arrays import BoolArray, FloatArray, IntArray
from tailsafe.domains.domain import Domain
from tailsafe.errors import InvalidData, MissingDependency
from tailsafe.mdp import MDP
from tailsafe.policy import Policy
from tailsafe.table import Table
from tailsafe.task import Task

PACKAGE = "icu_sepsis"
N_ENDS, SURVIVAL = 3, 2
"""Death, survival and sink are the last three states; survival is the last but one."""


def icu_sepsis() -> Domain:
    """Return ICU-Sepsis; its table lists admissible pairs only.

    The reward speaks of the transitions of this table. For a posterior on another one, give its
    task the reward ``table.successor == 714`` with ``reward_table=table``.
    """
    transition, initial = _array("tx_mat"), _array("d_0")
    n_states, n_actions = transition.shape[:2]
    admissible = _admissible(n_states, n_actions)
    table = Table.from_mask((transition > 0.0) & admissible[..., None])
    task = Task(
        table.successor == n_states - SURVIVAL,
        initial,
        discount=1.0,
        terminal=_ends(n_states),
        admissible=admissible,
        reward_table=table,
    )
    truth = MDP(task, table, table.entries(transition))
    return Domain("icu-sepsis", task, truth, "Choudhary et al. 2024, version 2")


def icu_sepsis_expert() -> Policy:
    """Return the clinicians' policy, moved to admissible actions.

    As published it takes inadmissible ones 15.6 % of the time, and says nothing of the last three
    states. In the environment an inadmissible action does what a random admissible one does, so
    its probability is spread over these, evenly: the policy performs exactly as published.
    """
    published = _array("expert_policy")
    admissible = _admissible(*published.shape)
    kept = published * admissible
    moved = 1.0 - kept.sum(axis=1, keepdims=True)
    spread = admissible / admissible.sum(axis=1, keepdims=True)
    return Policy(kept + moved * spread)


def _ends(n_states: int) -> BoolArray:
    ends: BoolArray = np.arange(n_states) >= n_states - N_ENDS
    return ends


def _array(name: str) -> FloatArray:
    path = _assets() / "dynamics.npz"
    try:
        with np.load(path, allow_pickle=False) as arrays:
            array: FloatArray = arrays[name]
    except (OSError, KeyError) as error:
        raise InvalidData(f"{path} is not the data of ICU-Sepsis version 2: {error}") from None
    return array


def _admissible(n_states: int, n_actions: int) -> BoolArray:
    """Return mask[s, a]; the file lists how many actions each state has, then the actions."""
    path = _assets() / "admissible_actions.txt"
    numbers: IntArray = np.loadtxt(path.read_text().split(), dtype=np.int64)
    counts, actions = numbers[:n_states], numbers[n_states:]
    if counts.sum() != len(actions):
        raise InvalidData(f"{path} lists {len(actions)} actions, but announces {counts.sum()}")
    mask = np.zeros((n_states, n_actions), bool)
    mask[np.repeat(np.arange(n_states), counts), actions] = True
    return mask


def _assets() -> Path:
    # Only its data are wanted: importing the package would load a library that is abandoned.
    found = find_spec(PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise MissingDependency(
            "ICU-Sepsis needs the extra `icu-sepsis`; its data are enough: "
            "`pip install --no-deps icu-sepsis`"
        )
    return Path(found.submodule_search_locations[0]) / "envs" / "assets"
