"""From the text of an option to its value; what is wrong is said before anything is computed."""

from argparse import ArgumentTypeError
from collections.abc import Callable
from math import inf, isfinite
from typing import TYPE_CHECKING, TypeVar

from tailsafe.errors import InvalidData

if TYPE_CHECKING:
    from tailsafe.risk import RiskMeasure

T = TypeVar("T")

MAX_SEED = 2**32 - 1


def risk_of(text: str) -> "RiskMeasure":
    """Return the measure of "cvar:0.25", "var:0.1" or "mean"."""
    from tailsafe.risk_names import risk_named

    return _read(risk_named, text)


def proper_share(text: str) -> float:
    """Return a number strictly between 0 and 1."""
    from tailsafe import risk_names

    return _read(risk_names.proper_share, text)


def discount(text: str) -> float:
    """Return a number from 0 to 1."""
    return _within(text, lambda x: 0.0 <= x <= 1.0, "from 0 to 1")


def positive(text: str) -> float:
    """Return a number above 0."""
    return _within(text, lambda x: x > 0.0, "above 0")


def finite(text: str) -> float:
    """Return any number."""
    return _within(text, isfinite, "finite")


def count(text: str) -> int:
    """Return a whole number of at least 1."""
    return _whole(text, 1, inf)


def seed(text: str) -> int:
    """Return a whole number that can be a seed."""
    return _whole(text, 0, MAX_SEED)


def names(text: str) -> int | list[str]:
    """Return how many there are, or the labels in "a,b,c"."""
    return labels(text) if "," in text else count(text)


def labels(text: str) -> list[str]:
    """Return the labels in "a,b,c"."""
    return [label.strip() for label in text.split(",")]


def part(text: str) -> tuple[int, int]:
    """Return (K, N) of "K/N"."""
    number, slash, parts = text.partition("/")
    if not slash:
        raise ArgumentTypeError(f"{text!r} is no part: write 2/8 for the second of eight")
    return count(number), count(parts)


def _read(read: Callable[[str], T], text: str) -> T:
    """Return what a function makes of a text; argparse adds the option to its refusal."""
    try:
        return read(text)
    except InvalidData as error:
        raise ArgumentTypeError(str(error)) from None


def _within(text: str, fits: Callable[[float], bool], where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number") from None
    if not isfinite(value):
        raise ArgumentTypeError(f"{text!r} is not a finite number")
    if not fits(value):
        raise ArgumentTypeError(f"{text} is not {where}")
    return value


def _whole(text: str, least: float, most: float) -> int:
    try:
        # "1e6" and "100_000" are how people write large numbers.
        value = float(text) if "e" in text.lower() else int(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a whole number") from None
    if value != value // 1 or not least <= value <= most:
        bounds = f"of at least {least:g}" if most == inf else f"from {least:g} to {most:.0f}"
        raise ArgumentTypeError(f"{text} is not a whole number {bounds}")
    return int(value)
