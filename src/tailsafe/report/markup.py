"""The few pieces of HTML that every section of the report is made of."""

from collections.abc import Iterable, Sequence


def section(key: str, title: str, body: str, lead: str = "") -> str:
    """Return a section of the page; ``title``, ``lead`` and ``body`` are HTML."""
    intro = f'<p class="lead">{lead}</p>' if lead else ""
    return (
        f'<section id="{key}" aria-labelledby="{key}-title"><h2 id="{key}-title">{title}</h2>'
        f"{intro}{body}</section>\n"
    )


def facts(pairs: Iterable[tuple[str, str]], kind: str = "facts") -> str:
    """Return names and values as a description list."""
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in pairs)
    return f'<dl class="{kind}">{rows}</dl>'


def bullets(rows: Iterable[str], kind: str = "") -> str:
    """Return a list; nothing if it is empty."""
    body = "".join(f"<li>{row}</li>" for row in rows)
    return f'<ul class="{kind}">{body}</ul>' if body else ""


def folded(summary: str, body: str) -> str:
    """Return what is shown only on demand."""
    return f"<details><summary>{summary}</summary>{body}</details>"


def heading(text: str, kind: str, *, order: str = "") -> str:
    """Return the head of a sortable column: a button, as it can be reached by the keyboard.

    The script enables it; without the script it is plain text.
    ``order`` is "ascending" or "descending" for the column that the rows are sorted by.
    """
    sort = f' aria-sort="{order}"' if order else ""
    return (
        f'<th scope="col" class="{kind}"{sort}><button type="button" disabled>{text}</button></th>'
    )


def table(key: str, caption: str, heads: Sequence[str], rows: Sequence[str], limit: int) -> str:
    """Return a table that scrolls sideways where it must and shows ``limit`` rows at first.

    The script hides the rest and offers to show it; without the script all rows are there.
    """
    more = (
        f'<p class="more" hidden><span></span> <button type="button" data-all="{key}" '
        f'aria-expanded="false" aria-controls="{key}"></button></p>'
    )
    return (
        f'<div class="scroll" role="region" aria-label="{caption}" tabindex="0">'
        f'<table id="{key}" data-limit="{limit}"><caption class="hidden">{caption}</caption>'
        f"<thead><tr>{''.join(heads)}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table></div>{more}"
    )
