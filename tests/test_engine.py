"""The engine: which kernels, whose work; keyed maps lose nothing."""

import numpy as np
import pytest

from tailsafe.engine import BACKENDS, Engine
from tailsafe.errors import InvalidData
from tailsafe.kernels import RowsLaw


def square(key):
    return key * key


def fail_at_three(key):
    if key == 3:
        raise InvalidData("three")
    return key


@pytest.mark.parametrize("executor", ["threads", "processes"])
@pytest.mark.parametrize("workers", [1, 2])
def test_every_key_gets_its_result(executor, workers):
    engine = Engine(executor=executor, workers=workers)
    assert dict(engine.map_keyed(square, range(7))) == {key: key * key for key in range(7)}


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_an_error_in_a_unit_reaches_the_caller(executor):
    with pytest.raises(InvalidData, match="three"):
        dict(Engine(executor=executor, workers=2).map_keyed(fail_at_three, range(6)))


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_draws(backend):
    law = RowsLaw(np.array([0, 2]), np.array([0, 1]), np.ones(2), np.zeros(1, bool))
    model = Engine(backend).kernels.draw(law, np.array([0]), 0, 1, 0, 0)
    assert model.shape == (1, 2)
    assert model.sum() == pytest.approx(1.0)


def test_by_default_all_cores_of_the_process_work():
    assert Engine().n_workers >= 1
    assert Engine(workers=3).n_workers == 3


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"backend": "abacus"}, "backend must be one of cpu, reference, got 'abacus'"),
        ({"executor": "monks"}, "executor must be one of threads, processes"),
        ({"workers": 0}, "workers must be a positive whole number, got 0"),
    ],
)
def test_an_engine_that_does_not_exist_is_refused(settings, message):
    with pytest.raises(InvalidData, match=message):
        Engine(**settings)
