"""The whole record: the question, the answer and its grounds, from what was posed and found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from tailsafe.data.coverage import sufficiency
from tailsafe.data.posing import Posed
from tailsafe.engine import Engine
from tailsafe.keys import Stream
from tailsafe.record.grounds import assumption_records, warning_records
from tailsafe.record.laws import laws, n_shared
from tailsafe.record.log import behaviour_record, labels_record, log_record, task_record
from tailsafe.record.policies import Judged, candidate_record, certificate_record, finite_or_none
from tailsafe.record.schema import SCHEMA, Answer, ProvenanceRecord, Question, Record
from tailsafe.record.sufficiency import sufficiency_record
from tailsafe.record.words import answer_words, question_words, risk_record
from tailsafe.risk import RiskMeasure
from tailsafe.selection import Provenance, Selection


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked; ``eps`` is None where nothing was to be chosen.

    Parameters
    ----------
    title
        What the report is headed.
    risk, alpha, alpha_certificate, eps, eps_rel, max_models
        As ``select`` takes them; ``eps_rel`` is None if ``eps`` was given.
    """

    title: str
    risk: RiskMeasure
    alpha: float = 0.01
    alpha_certificate: float = 0.01
    eps: float | None = None
    eps_rel: float | None = None
    max_models: int = 0


@dataclass(frozen=True, slots=True)
class Made:
    """How the result came about.

    Parameters
    ----------
    command
        The command line, if there was one.
    seconds
        Wall time by step.
    skipped
        (name, reason) of methods that could not propose a policy.
    created
        When, in UTC; now by default.
    """

    command: Sequence[str] | None = None
    seconds: Mapping[str, float] = field(default_factory=dict)
    skipped: Sequence[tuple[str, str]] = ()
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


def selection_record(
    posed: Posed, asked: Asked, selection: Selection, made: Made, engine: Engine = Engine()
) -> Record:
    """Return the record of a choice.

    Parameters
    ----------
    posed
        The log and the problem made of it.
    asked, selection, made
        The question, the answer, and how it came about.
    engine
        How fast; the record does not depend on it.
    """
    order = [ranked.candidate for ranked in selection.ranking]
    judged = [
        Judged(
            *(r.candidate, r.standing, r.estimate, r.lower, r.upper, r.n_models),
            selection.certificate if r.candidate == selection.best else None,
        )
        for r in selection.ranking
    ]
    question = _question("select", asked, selection.eps)
    regret = finite_or_none(selection.regret_bound)
    answer: Answer = {
        "status": selection.status,
        "words": answer_words(selection.status, question, len(selection.ties), regret),
        "best": order.index(selection.best),
        "ties": [order.index(candidate) for candidate in selection.ties],
        "regret_bound": regret,
        "floor": selection.floor,
        "certificate": certificate_record(selection.certificate),
        "n_models": selection.n_models,
        "evaluations": selection.evaluations,
    }
    return _record(posed, (question, answer), judged, selection.provenance, (asked, made, engine))


def evaluation_record(
    posed: Posed,
    asked: Asked,
    judged: Sequence[Judged],
    provenance: Provenance,
    made: Made,
    engine: Engine = Engine(),
) -> Record:
    """Return the record of policies that were judged each on its own, best first.

    Parameters
    ----------
    posed
        The log and the problem made of it.
    asked, judged, provenance, made
        The question, the policies, the models they were judged on, and how it came about.
    engine
        How fast; the record does not depend on it.
    """
    ranking = sorted(judged, key=lambda one: -one.estimate)
    question = _question("evaluate", asked, None)
    answer: Answer = {
        "status": "evaluated",
        "words": answer_words("evaluated", question, 0, None),
        "best": None,
        "ties": [],
        "regret_bound": None,
        "floor": None,
        "certificate": None,
        "n_models": max(one.n_models for one in judged),
        "evaluations": sum(one.evaluations for one in judged),
    }
    return _record(posed, (question, answer), ranking, provenance, (asked, made, engine))


def _record(
    posed: Posed,
    said: tuple[Question, Answer],
    judged: Sequence[Judged],
    provenance: Provenance,
    rest: tuple[Asked, Made, Engine],
) -> Record:
    asked, made, engine = rest
    problem, policies = posed.problem, [one.candidate.policy for one in judged]
    shown = laws(problem, policies, provenance.seed, engine)
    found = sufficiency(problem, policies, posed.log.labels)
    record: Record = {
        "schema": SCHEMA,
        "question": said[0],
        "answer": said[1],
        "candidates": [
            candidate_record(problem, one, law, asked.risk, share)
            for one, law, share in zip(judged, shown, found.thin_shares.tolist(), strict=True)
        ],
        "labels": labels_record(posed.log.labels),
        "log": log_record(posed),
        "task": task_record(posed),
        "behaviour": behaviour_record(posed),
        "sufficiency": sufficiency_record(found),
        "skipped": [{"name": name, "reason": reason} for name, reason in made.skipped],
        "assumptions": assumption_records(posed),
        "warnings": [],
        "provenance": _provenance_record(posed, provenance, made),
    }
    return {**record, "warnings": warning_records(posed, record)}


def _question(kind: str, asked: Asked, eps: float | None) -> Question:
    risk = risk_record(asked.risk)
    return {
        "kind": kind,
        "title": asked.title,
        "words": question_words(kind, risk),
        "risk": risk,
        "alpha": asked.alpha,
        "alpha_certificate": asked.alpha_certificate,
        "eps": eps,
        "eps_rel": asked.eps_rel,
        "max_models": asked.max_models,
    }


def _provenance_record(posed: Posed, provenance: Provenance, made: Made) -> ProvenanceRecord:
    n = n_shared(posed.problem)
    streams = [*provenance.models, (Stream.EXPLAIN.name.lower(), 0, n)]
    return {
        "tailsafe": provenance.tailsafe,
        "numpy": provenance.numpy,
        "python": provenance.python,
        "command": None if made.command is None else list(made.command),
        "created": made.created,
        "seed": provenance.seed,
        "batch_hash": provenance.batch_hash,
        "posterior_hash": provenance.posterior_hash,
        "prior": provenance.prior,
        "streams": [{"stream": s, "first": first, "last": last} for s, first, last in streams],
        "distribution_models": n,
        "seconds": dict(made.seconds),
    }
