"""A selection put together from what was asked, how the candidates compare, and a certificate."""

from tailsafe.arrays import BoolArray, FloatArray
from tailsafe.certificate import Certificate
from tailsafe.race.outlook import Outlook
from tailsafe.race.question import Question
from tailsafe.race.verdict import Verdict
from tailsafe.risk import VaR
from tailsafe.selection import Ranked, Selection, Standing
from tailsafe.selection.provenance import provenance


def selection(
    asked: Question,
    result: Verdict,
    certificate: Certificate,
    eps: float,
    known: Outlook | None,
    evaluations: int,
    models: tuple[tuple[str, int, int], ...],
) -> Selection:
    """Return the selection; without an outlook it is one over a finite list of models."""
    order = result.order().tolist()
    floors, ceilings = moved(asked, result, known)
    return Selection(
        status=result.end,
        risk=asked.risk,
        best=asked.candidates[result.leader],
        ranking=tuple(_ranked(asked, result, i, (floors[i], ceilings[i])) for i in order),
        ties=tuple(asked.candidates[i] for i in order if result.alive[i]),
        regret_bound=result.regret_bound,
        certificate=certificate,
        eps=eps,
        alpha=asked.alpha,
        floor=floors[result.leader],
        evaluations=evaluations,
        n_models=int(result.judged.max()),
        provenance=provenance(asked.problem, asked.seed, tuple(m for m in models if m[2])),
        ceiling=min((c for c in ceilings if c is not None), default=None),
    )


def moved(
    asked: Question, result: Verdict, known: Outlook | None
) -> tuple[list[float | None], list[float | None]]:
    """Return the floor and the ceiling of each candidate, None where nothing lies beyond."""
    if known is None or isinstance(asked.risk, VaR):
        nothing: list[float | None] = [None] * len(result.estimate)
        return nothing, nothing
    return (
        _where(known.floors > known.lowest, known.floors),
        _where(known.ceilings < known.highest, known.ceilings),
    )


def _where(mask: BoolArray, values: FloatArray) -> list[float | None]:
    return [float(v) if m else None for m, v in zip(mask, values, strict=True)]


def _ranked(
    asked: Question, result: Verdict, i: int, ends: tuple[float | None, float | None]
) -> Ranked:
    standing: Standing = "undecided"
    if i == result.leader:
        standing = "best"
    elif not result.alive[i]:
        standing = "not better"
    elif result.within[i]:
        standing = "within eps"
    return Ranked(
        candidate=asked.candidates[i],
        standing=standing,
        estimate=float(result.estimate[i]),
        lower=float(result.lower[i]),
        upper=float(result.upper[i]),
        n_models=int(result.judged[i]),
        floor=ends[0],
        ceiling=ends[1],
    )
