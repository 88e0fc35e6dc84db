"""Solvers towards the data against published numbers: the table of `benchmarks.golden`."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

CASES = ["ring", "chain", "garnet1", "garnet2", "garnet3", "lake4"]


def table():
    """Return the module of checks; benchmarks are no package of the tests."""
    path = Path(__file__).parents[2] / "benchmarks" / "golden_data_solvers.py"
    spec = importlib.util.spec_from_file_location("golden_data_solvers", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TABLE = table()
FAST = [check for check in TABLE.CHECKS if not check[0].startswith("bopah_")]
SLOW = [check for check in TABLE.CHECKS if check[0].startswith("bopah_")]


@pytest.mark.parametrize(("array", "check"), FAST, ids=[name for name, _ in FAST])
def test_published_policies_and_values_are_met(golden_case, array, check):
    found = np.array([check(golden_case(name)) for name in CASES])
    assert (found <= TABLE.TOLERANCES.get(array, 1e-8)).all()


@pytest.mark.slow
@pytest.mark.parametrize(("array", "check"), SLOW, ids=[name for name, _ in SLOW])
@pytest.mark.parametrize("name", CASES)
def test_published_weights_and_their_policies_are_met(golden_case, array, check, name):
    assert check(golden_case(name)) <= TABLE.TOLERANCES[array]
