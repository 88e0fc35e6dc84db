"""Small words of the sentences that readers and the sufficiency report write."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: 1 row, 2 rows."""
    plural = noun if number == 1 else f"{noun}s"
    return f"{number:,} {plural}"


def percent(share: float) -> str:
    """Return a share as a percentage, never rounded to 0 or 100 unless it is."""
    if 0.0 < share < 0.001:
        return "less than 0.1 %"
    return "all but a trace" if 0.999 < share < 1.0 else f"{100.0 * share:.3g} %"
