"""One candidate in the record: every number in its place."""

from math import inf

import numpy as np

import tailsafe as ts
from tailsafe.certificate import Certificate
from tailsafe.record.laws import Law
from tailsafe.record.policies import Judged, candidate_record, certificate_record, differs

CERTIFICATE = Certificate(ts.VaR(0.2), 1.5, 0.8, 0.99, 1.75, 400, "so", -3.0)


def test_every_part_of_a_certificate_is_in_its_place():
    assert certificate_record(CERTIFICATE) == {
        "risk": "VaR(0.2)",
        "bound": 1.5,
        "probability": 0.8,
        "confidence": 0.99,
        "marginal_bound": 1.75,
        "n_models": 400,
        "floor": -3.0,
        "sentence": "so",
    }
    assert certificate_record(None) is None


def test_every_number_of_a_candidate_is_in_its_place(posed, candidates):
    values = np.arange(1.0, 11.0)
    judged = Judged(candidates[2], "undecided", 3.25, 2.0, inf, 64, CERTIFICATE)
    found = candidate_record(posed.problem, judged, Law(values, None), ts.CVaR(0.3), 0.125)
    assert (found["name"], found["origins"]) == ("flee", ["flee", "also flee"])
    assert (found["standing"], found["estimate"]) == ("undecided", 3.25)
    assert (found["lower"], found["upper"], found["n_models"]) == (2.0, None, 64)
    assert (found["var"], found["cvar"], found["mean"]) == (3.0, 2.0, 5.5)
    assert (found["sd"], found["thin_share"]) == (values.std(), 0.125)
    assert (found["quantiles"][0], found["quantiles"][-1]) == (1.0, 10.0)
    assert judged.evaluations == 464


def test_a_policy_differs_where_it_may_do_what_the_behaviour_never_does(posed):
    task, batch, posterior = posed.problem.task, posed.problem.batch, posed.problem.posterior
    never = ts.Policy([[0.0, 1.0], [0.5, 0.5], [0.4, 0.6]])
    problem = ts.Problem(task, batch, posterior, never)
    rarely = ts.Policy([[0.01, 0.99], [1.0, 0.0], [0.0, 1.0]])
    # State 1 is the end; leaving out in state 2 what the behaviour does is no difference.
    assert differs(problem, rarely).tolist() == [True, False, False]
