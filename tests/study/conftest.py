"""A study whose units take no time, and what a store holds of it."""

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

import cloudpickle
import pytest

from tailsafe.engine import Engine
from tailsafe.study.files import read_array
from tailsafe.study.run import run_study
from tailsafe.study.store import read_store

SCRIPT = Path(__file__).with_name("tiny.py")


def _loaded():
    spec = importlib.util.spec_from_file_location("tiny_study", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["tiny_study"] = module
    spec.loader.exec_module(module)
    # Workers cannot import it, so what it defines travels with the units.
    cloudpickle.register_pickle_by_value(module)
    module.SCRIPT = SCRIPT
    return module


TINY = _loaded()


@pytest.fixture(scope="session")
def tiny():
    """Return the module ``tiny.py``."""
    return TINY


@pytest.fixture(scope="session")
def content():
    """Return the function that gives all of a store but the times."""

    def content_(path):
        with read_store(path) as store:
            rows = [replace(row, seconds=0.0) for row in store.rows()]
            units = sorted(store.seconds())
        return rows, units, [read_array(path, unit).tolist() for unit in units]

    return content_


@pytest.fixture
def expected(tiny, tmp_path, content):
    """Return what the store of the tiny study holds after a run that nothing disturbed."""
    path = tmp_path / "expected.db"
    assert run_study(tiny.study(), path, Engine(workers=1)).complete
    return content(path)
