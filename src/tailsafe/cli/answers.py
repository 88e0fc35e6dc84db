"""From options to a record: choose, or judge, and put all that belongs to it together."""

from pathlib import Path

from tailsafe.candidate import Candidate
from tailsafe.certificate import certify, estimate
from tailsafe.cli.clock import Clock
from tailsafe.cli.interrupts import ignore_interrupts
from tailsafe.cli.options import Options
from tailsafe.cli.problems import given, posed_problem, proposed, watched
from tailsafe.cli.progress import progress
from tailsafe.data import Posed
from tailsafe.engine import Engine
from tailsafe.race.distinct import distinct
from tailsafe.record.assembly import Asked, Made, evaluation_record, selection_record
from tailsafe.record.policies import Judged
from tailsafe.record.schema import Record
from tailsafe.select import select
from tailsafe.selection.provenance import prior_in_words, provenance


def selected(options: Options) -> Record:
    """Return the record of the choice that is asked for."""
    clock, engine = Clock(), Engine(workers=options.threads)
    with progress(shown=watched(options)) as watchers:
        posed = posed_problem(options, clock)
        proposal = proposed(options, posed, watchers, clock)
        with clock.timing("race"):
            selection = select(
                posed.problem,
                proposal,
                options.risk,
                eps=options.eps,
                eps_rel=options.eps_rel,
                alpha=options.alpha,
                seed=options.seed,
                alpha_certificate=options.alpha_certificate,
                max_models=options.budget,
                engine=engine,
                watch=watchers.raced,
            )
        ignore_interrupts()
    made = Made(options.arguments, clock.seconds, proposal.skipped)
    return selection_record(posed, _asked(options), selection, made, engine)


def evaluated(options: Options) -> Record:
    """Return the record of given policies, each judged on its own."""
    clock, engine = Clock(), Engine(workers=options.threads)
    with progress(shown=watched(options)) as watchers:
        posed = posed_problem(options, clock)
        candidates = distinct(posed.problem, given(options, posed))
        judged = []
        with clock.timing("judge"):
            for done, candidate in enumerate(candidates, start=1):
                judged.append(_judged(options, posed, candidate, engine))
                if watchers.proposed is not None:
                    watchers.proposed(candidate.name, done, len(candidates))
    models = [("race", 0, max(one.n_models for one in judged))]
    models += [
        ("certificate", 0, max(one.certificate.n_models for one in judged if one.certificate))
    ]
    source = provenance(posed.problem, options.seed, tuple(models))
    made = Made(options.arguments, clock.seconds)
    return evaluation_record(posed, _asked(options), judged, source, made, engine)


def _judged(options: Options, posed: Posed, candidate: Candidate, engine: Engine) -> Judged:
    problem, policy = posed.problem, candidate.policy
    found = estimate(
        *(problem.posterior, problem.task, policy, options.risk),
        alpha=options.alpha,
        seed=options.seed,
        engine=engine,
    )
    certificate = certify(
        *(problem.posterior, problem.task, policy, options.risk),
        alpha=options.alpha_certificate,
        prior=prior_in_words(problem),
        seed=options.seed,
        engine=engine,
    )
    n = len(found.sample)
    return Judged(candidate, "evaluated", found.value, found.lower, found.upper, n, certificate)


def _asked(options: Options) -> Asked:
    return Asked(
        title="standard input" if options.log == "-" else Path(options.log).name,
        risk=options.risk,
        alpha=options.alpha,
        alpha_certificate=options.alpha_certificate,
        eps_rel=None if options.eps is not None else options.eps_rel,
        max_models=options.budget,
    )
