"""Policies regularised towards the behaviour, on models that are estimated from counts.

With weights alpha(s) of the divergence and Q = r + discount P V,

    V(s) = max_pi sum_a pi Q - alpha KL(pi, pi_b) = alpha lse(ln pi_b + Q / alpha)
    pi = pi_b exp((Q - V) / alpha);   at alpha = 0 the best action that the behaviour may take

R. Fox, A. Pakman, N. Tishby. Taming the Noise in Reinforcement Learning via Soft Updates. UAI 2016.
https://arxiv.org/abs/1512.08562
"""

from typing import TYPE_CHECKING

from tailsafe.arrays import FloatArray
from tailsafe.errors import NotSupported
from tailsafe.problem import Problem
from tailsafe.table import Table
from tailsafe.unseen import Unseen, normalised

if TYPE_CHECKING:
    from tailsafe.kernels.bopah import Setting


def estimated(
    problem: Problem, counts: FloatArray, unseen: Unseen
) -> tuple[FloatArray, FloatArray]:
    """Return P[e] and r[s, a] of the frequencies in N[e]; nothing happens in terminal states."""
    task, table = problem.task, problem.posterior.table
    P = normalised(table, counts, unseen)
    reward = task.expected_reward(table, P)
    return P * ~task.terminal[table.row_of_entry // table.n_actions], reward


def setting_of(problem: Problem, table: Table) -> "Setting":
    """Return what the kernels need to know of the problem, for models of this table."""
    from tailsafe.kernels.bopah import Setting

    task = problem.task
    if task.discount == 1.0:
        raise NotSupported(
            "regularised values are found by a contraction, which discount 1 is not: use SPIBB, "
            "SoftSPIBB or BCQ, or a discount below 1"
        )
    behaviour = problem.behaviour.probs
    return Setting(table.indptr, table.successor, behaviour, task.initial, task.discount)


def regularised(
    problem: Problem, counts: FloatArray, unseen: Unseen, alpha: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the optimal pi[s, a] at alpha[s] and its Q[s, a], of the model that N[e] suggest."""
    from tailsafe.kernels import bopah

    P, reward = estimated(problem, counts, unseen)
    work = bopah.new_work(problem.n_states, problem.n_actions)
    bopah.regularise(setting_of(problem, problem.posterior.table), P, reward, alpha, work)
    return work.pi, work.Q
