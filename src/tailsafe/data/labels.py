"""What states and actions are called: numbers inside, the user's names outside.

The order is that of the values where all names are numbers, else alphabetical with the digits in
names counted by value (``s2`` before ``s10``): it does not depend on the order of the log.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from tailsafe.arrays import IntArray, check_count
from tailsafe.data.sheet import number_of
from tailsafe.errors import InvalidData

END = "(end)"
"""The state that is added where an episode ended and no state is known to end it."""

WHOLE = re.compile(r"(-?\d{1,15})\.0+", re.ASCII)
PARTS = re.compile(r"([0-9]{1,15})")


@dataclass(frozen=True, slots=True)
class Labels:
    """The names of states and actions, in the order of their numbers."""

    states: tuple[str, ...]
    actions: tuple[str, ...]

    @classmethod
    def plain(cls, n_states: int, n_actions: int) -> "Labels":
        """Return the labels "0", "1", ..."""
        return cls(_numbers(n_states), _numbers(n_actions))

    def state(self, text: str) -> int:
        """Return the number of a state."""
        return _place(self.states, text, "state")

    def action(self, text: str) -> int:
        """Return the number of an action."""
        return _place(self.actions, text, "action")


def names_of(texts: Iterable[str], given: int | Sequence[str] | None, what: str) -> tuple[str, ...]:
    """Return the labels in order: those given, or those that occur.

    Parameters
    ----------
    texts
        All texts that occur.
    given
        The names themselves, or how many there are, named "0", "1", ...
    what
        What messages call them.
    """
    if isinstance(given, int | np.integer):
        check_count(given, f"the number of {what}s")
        return _numbers(int(given))
    if given is not None:
        return _checked_names([str(name) for name in given], what)
    seen = {plain(text) for text in texts} - {""}
    if END in seen:
        return (*names_of(seen - {END}, None, what), END)
    values = {text: number_of(text) for text in seen}
    if None in values.values():
        return tuple(sorted(seen, key=_natural))
    return tuple(sorted(seen, key=lambda text: (values[text] or 0.0, text)))


def plain(text: str) -> str:
    """Return a label as it is looked up: 3.0 is 3."""
    whole = WHOLE.fullmatch(text)
    return whole[1] if whole else text


def gaps(names: Sequence[str]) -> list[str]:
    """Return the whole numbers missing between labels that count up, at least half of the way."""
    if not all(re.fullmatch(r"[0-9]{1,9}", name) for name in names):
        return []
    values = {int(name) for name in names}
    last = max(values, default=0)
    if last >= 2 * len(values):
        return []
    return [str(value) for value in range(1, last) if value not in values]


def numbered(names: Sequence[str], texts: Iterable[str]) -> IntArray:
    """Return the number of each text; -1 where it is no label."""
    at = {name: i for i, name in enumerate(names)}
    return np.array([at.get(text, at.get(plain(text), -1)) for text in texts], np.int64)


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return labels as they are listed in a sentence."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def _checked_names(names: list[str], what: str) -> tuple[str, ...]:
    doubled = sorted(name for name in set(names) if names.count(name) > 1)
    if doubled:
        raise InvalidData(f"{what} {doubled[0]!r} is listed twice")
    if not names or "" in names:
        raise InvalidData(f"the list of {what}s is empty, or has an empty name")
    return tuple(names)


def _natural(text: str) -> tuple[list[tuple[int, int, str]], str]:
    parts = [part for part in PARTS.split(text.lower()) if part]
    return [(0, int(p), "") if PARTS.fullmatch(p) else (1, 0, p) for p in parts], text


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(i) for i in range(count))


def _place(names: tuple[str, ...], text: str, what: str) -> int:
    place = int(numbered(names, [text])[0])
    if place < 0:
        raise InvalidData(f"there is no {what} {text!r}; the {what}s are {listed(names, 12)}")
    return place
