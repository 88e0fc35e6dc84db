"""Stores into one: what the parts of a job array have done, each in a store of its own."""

from collections.abc import Sequence
from pathlib import Path

from tailsafe.study.design import Study
from tailsafe.study.door import check_identity
from tailsafe.study.files import read_array
from tailsafe.study.store import open_store, read_store


def gather(study: Study, path: Path, others: Sequence[Path]) -> int:
    """Take over the units of other stores and return how many; what is there already stays.

    Parameters
    ----------
    study
        What all of them are of; a store of another study is refused.
    path
        Of the store that is added to.
    others
        Of those that are only read.
    """
    wanted, taken = set(study.units()), 0
    for other in others:
        # All are looked at before anything is written.
        with read_store(other) as source:
            check_identity(other, source.identity(), study.identity())
    with open_store(path, study.identity()) as store:
        for other in others:
            with read_store(other) as source:
                there = store.seconds()
                for unit, seconds in source.seconds().items():
                    if unit in wanted and unit not in there:
                        key = " AND ".join(f"{name} = ?" for name in unit._fields)
                        rows = list(source.rows(key, tuple(unit)))
                        store.put(unit, rows, read_array(other, unit), seconds)
                        taken += 1
    return taken
