"""The bound on how long it takes to end, on which the proved error of iterated values rests."""

import numpy as np

from tailsafe.kernels import lanes, sparse


def loop(discount):
    """Return a state that is left for the end with what remains of tile[0, lane]."""
    one, zero = np.ones(1), np.zeros(1, np.int64)
    span = np.array([0, 1])
    return lanes.Equations(
        span, zero, one, span, zero, one, np.zeros((1, 1), np.int64), zero, one, discount
    )


def test_the_horizon_is_never_below_what_it_bounds():
    stay = np.array([[0.0, 0.3, 0.5, 0.9, 0.99]])
    for discount in (0.5, 0.9, 1.0):
        bound = sparse.horizon(stay, loop(discount), np.zeros(1, np.int64), 10_000)
        truth = 1.0 / (1.0 - discount * stay[0])
        assert (bound >= truth * (1.0 - 1e-12)).all()
        assert (bound <= 2.0 * truth).all()


def test_what_never_ends_has_no_horizon():
    bound = sparse.horizon(np.ones((1, 1)), loop(1.0), np.zeros(1, np.int64), 50)
    assert bound.tolist() == [np.inf]
