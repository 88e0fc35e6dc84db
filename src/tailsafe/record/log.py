"""What was read and what is held to be known: the log, its labels, the task, the behaviour."""

from tailsafe.data.labels import Labels
from tailsafe.data.log import episode_lengths, mean_return
from tailsafe.data.posing import Posed
from tailsafe.record.policies import choices
from tailsafe.record.schema import BehaviourRecord, LabelsRecord, LogRecord, TaskRecord


def labels_record(labels: Labels) -> LabelsRecord:
    """Return what states and actions are called."""
    return {"states": list(labels.states), "actions": list(labels.actions)}


def log_record(posed: Posed) -> LogRecord:
    """Return what was read."""
    batch = posed.problem.batch
    lengths = episode_lengths(batch)
    return {
        "source": posed.log.source,
        "transitions": len(batch),
        "episodes": batch.n_episodes,
        "terminated": int(batch.terminated.sum()),
        "truncated": int(batch.truncated.sum()),
        "shortest": int(lengths.min(initial=len(batch))),
        "longest": int(lengths.max(initial=0)),
        "mean_return": mean_return(batch, posed.problem.task.discount),
        "notes": list(posed.log.notes),
    }


def task_record(posed: Posed) -> TaskRecord:
    """Return what is held to be known."""
    task = posed.problem.task
    return {
        "n_states": task.n_states,
        "n_actions": task.n_actions,
        "discount": task.discount,
        "terminal": task.terminal.nonzero()[0].tolist(),
        "initial": [(s, p) for s, p in enumerate(task.initial.tolist()) if p > 0.0],
        "reward": {"kind": posed.reward.kind, "words": posed.reward.words},
    }


def behaviour_record(posed: Posed) -> BehaviourRecord:
    """Return the policy that made the log."""
    return {
        "source": posed.behaviour.value,
        "words": posed.behaviour.words,
        "policy": choices(posed.problem.behaviour),
    }
