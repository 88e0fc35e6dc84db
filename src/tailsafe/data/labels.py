"""What states and actions are called: numbers inside, the user's names outside."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tailsafe.arrays import IntArray, check_count
from tailsafe.errors import InvalidData

WHOLE = re.compile(r"[+-]?\d+(\.0+)?")
PARTS = re.compile(r"(\d+)")


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
    """Return the labels in order: those given, or made of the texts that occur.

    Whole numbers of which at least half of 0 .. max occur are numbers, so that those between
    exist as well; other texts are sorted, digits by their value.
    """
    if isinstance(given, int):
        check_count(given, f"the number of {what}s")
        return _numbers(given)
    if given is not None:
        return _checked_names([str(name) for name in given], what)
    seen = {plain(text) for text in texts if text}
    if seen and all(WHOLE.fullmatch(text) for text in seen):
        values = sorted({int(text) for text in seen})
        if values[0] >= 0 and values[-1] < 2 * len(values):
            return _numbers(values[-1] + 1)
        return tuple(str(value) for value in values)
    return tuple(sorted(seen, key=_natural))


def plain(text: str) -> str:
    """Return a label as it is looked up: whole numbers without sign, zeros and point."""
    return str(int(float(text))) if WHOLE.fullmatch(text) else text


def _checked_names(names: list[str], what: str) -> tuple[str, ...]:
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise InvalidData(f"{what} {sorted(doubled)[0]!r} is listed twice")
    if not names or "" in names:
        raise InvalidData(f"the list of {what}s is empty, or has an empty name")
    return tuple(names)


def _natural(text: str) -> tuple[list[tuple[int, int | str]], str]:
    parts = [p for p in PARTS.split(text.lower()) if p]
    return [(0, int(p)) if p.isdigit() else (1, p) for p in parts], text


def _numbers(count: int) -> tuple[str, ...]:
    return tuple(str(i) for i in range(count))


def _place(names: tuple[str, ...], text: str, what: str) -> int:
    for form in (text, plain(text)):
        if form in names:
            return names.index(form)
    shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
    raise InvalidData(f"there is no {what} {text!r}; the {what}s are {shown}")


def numbered(names: tuple[str, ...], texts: Iterable[str]) -> list[int]:
    """Return the number of each text; -1 where it is no label."""
    at = {name: i for i, name in enumerate(names)}
    return [at.get(text, at.get(plain(text), -1)) for text in texts]


def shown(names: Sequence[str], indices: IntArray | Sequence[int], most: int = 8) -> str:
    """Return labels as they are listed in a sentence."""
    listed = [names[int(i)] for i in indices[:most]]
    return ", ".join(listed) + (f" and {len(indices) - most} more" if len(indices) > most else "")
