"""From numbers and names to what is printed: decimals, per cent, intervals, lists, labels."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import floor, isfinite, log10
from unicodedata import bidirectional

from tailsafe.record.schema import Choices, Record
from tailsafe.report.drawing import printable, shortened

NONE = '<span class="none">unknown</span>'
BLANK = '<span class="none">(blank)</span>'
LONG = 72
"""Names of more characters are cut; the end of the report says them in full."""
BACKWARDS = {"R", "AL", "AN", "RLE", "RLO", "LRE", "LRO", "RLI", "LRI", "FSI"}
"""Writing from right to left, and what turns the direction: kept from what stands beside it."""
LARGE, DIGITS = 1e9, 6
"""Larger numbers are powers of ten with so many digits."""
SHARES = 3
"""So many actions of a stochastic policy are spelt out."""


def decimals_of(record: Record) -> int:
    """Return how many decimals the numbers deserve: two digits of the first one's interval.

    Without an interval that is a hundredth of its standard deviation.
    """
    if not record["candidates"]:
        return 2
    first = record["candidates"][0]
    spread = 0.1 * first["sd"] or 0.01 * abs(first["mean"])
    if first["lower"] is not None and first["upper"] is not None:
        spread = (first["upper"] - first["lower"]) or spread
    return min(8, max(0, 1 - floor(log10(spread)))) if spread > 0.0 else 2


def number(value: float | None, decimals: int) -> str:
    """Return a number with so many decimals; very large and very small ones as powers of ten."""
    if value is None or not isfinite(value):
        return NONE
    text = f"{value:.{DIGITS}g}" if abs(value) >= LARGE else f"{value:,.{decimals}f}"
    negative = text.startswith("-") and text.strip("-0.,") != ""
    return ("−" if negative else "") + text.lstrip("-")


def at_least(value: float | None, decimals: int) -> str:
    """Return a lower bound as ``number`` does, never more than it is."""
    return number(_rounded(value, decimals, ROUND_FLOOR), decimals)


def at_most(value: float | None, decimals: int) -> str:
    """Return an upper bound as ``number`` does, never less than it is."""
    return number(_rounded(value, decimals, ROUND_CEILING), decimals)


def _rounded(value: float | None, decimals: int, way: str) -> float | None:
    """Return the number that will be shown, rounded one way as it is written in decimals."""
    if value is None or not isfinite(value):
        return None
    written = Decimal(repr(value))
    if abs(value) >= LARGE:
        return float(Context(DIGITS, way).plus(written))
    return float(written.quantize(Decimal(1).scaleb(-decimals), way))


def percent(share: float | None) -> str:
    """Return a share in per cent, with as few digits as tell it from 0 and from 100."""
    if share is None or not isfinite(share):
        return NONE
    if 0.0 < share < 0.001:
        return "below 0.1 %"
    if 0.999 < share < 1.0:
        return f"{100 * share:.4g} %" if share <= 0.9999 else "above 99.99 %"
    return f"{100 * share:.3g} %"


def tenths(share: float) -> str:
    """Return a share in per cent with one decimal, for a column of them."""
    return "&lt; 0.1 %" if 0.0 < share < 0.0005 else f"{100 * share:.1f} %"


def count(many: int, noun: str, plural: str | None = None) -> str:
    """Return a number of things, e.g. "1 policy", "1,024 policies"."""
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"


def interval(low: float | None, high: float | None, decimals: int) -> str:
    """Return an interval in words; an end that is None is open."""
    if low is None and high is None:
        return "no bounds yet"
    if low is None:
        return f"at most {number(high, decimals)}"
    if high is None:
        return f"at least {number(low, decimals)}"
    return f"{number(low, decimals)} to {number(high, decimals)}"


def label(text: str, longest: int = LONG, *, breakable: bool = False) -> str:
    """Return a name as HTML: cut if it is very long, kept apart if it runs from right to left.

    A breakable one may go on in a new line before its parameters.
    """
    shown = printable(shortened(text, longest)) if text.strip() else BLANK
    backwards = any(bidirectional(c) in BACKWARDS for c in shown)
    if breakable and text.strip():
        shown = shown.replace("(", "<wbr>(")
    if backwards:
        shown = f"<bdi>{shown}</bdi>"
    return shown if len(text) <= longest else f'<span title="{printable(text)}">{shown}</span>'


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names as "a, b and c" in HTML; of many more the first ones and how many are left."""
    most += len(names) == most + 1
    shown = [label(name) for name in names[:most]]
    if len(names) > most:
        return ", ".join(shown) + f" and {len(names) - most:,} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def unfolded(names: Sequence[str], most: int) -> str:
    """Return names in HTML; those beyond the first ones behind a fold."""
    if len(names) <= most + 1:
        return listed(names, most)
    summary = f"<summary>and {len(names) - most:,} more</summary>"
    rest = listed(names[most:], len(names))
    shown = ", ".join(label(name) for name in names[:most])
    return f"{shown} <details>{summary}{rest}</details>"


def named(names: Sequence[str], index: int) -> str:
    """Return the label of a state or an action, or its number where there is none."""
    return str(names[index]) if 0 <= index < len(names) else str(index)


def actions_in_words(choices: Choices, state: int, names: Sequence[str]) -> str:
    """Return what a policy does in a state, e.g. "repair 80 %, wait 20 %", as HTML."""
    pairs = choices[state] if state < len(choices) else []
    if not pairs:
        return NONE
    most = SHARES if len(pairs) > SHARES + 1 else SHARES + 1
    shown = [
        f'<span class="act">{label(named(names, action))}{_share(share)}</span>'
        for action, share in pairs[:most]
    ]
    rest = len(pairs) - most
    return ", ".join(shown) + (f' <span class="soft">and {rest} more</span>' if rest > 0 else "")


def _share(share: float) -> str:
    return "" if share >= 1.0 else f' <span class="soft">{percent(share)}</span>'
