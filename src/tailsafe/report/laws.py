"""One ridge a policy: how well it may perform, over all models that the log allows."""

from tailsafe.record.schema import CandidateRecord, Record
from tailsafe.report.drawing import printable
from tailsafe.report.markup import folded, section
from tailsafe.report.prose import count, number
from tailsafe.report.ranking import level_of
from tailsafe.report.ridges import Ridge, common_scale, ridges
from tailsafe.report.scale import Scale

LIMIT = 12
LEGEND = (
    '<ul class="key" aria-label="Key">'
    '<li><svg width="22" height="14" aria-hidden="true"><path class="hill" '
    'd="M0 14C6 14 7 2 11 2S16 14 22 14z"/></svg>all models</li>'
    '<li><svg width="22" height="14" aria-hidden="true"><path class="tail" '
    'd="M0 14C8 14 10 6 14 2V14z"/></svg>the worst {share}</li>'
    '<li><svg width="12" height="14" aria-hidden="true"><path class="var" d="M6 0V14"/></svg>VaR</li>'
    '<li><svg width="14" height="14" aria-hidden="true"><path class="cvar" '
    'd="M7 1L12 7L7 13L2 7z"/></svg>CVaR</li>'
    '<li><svg width="14" height="14" aria-hidden="true"><circle class="mean" cx="7" cy="7" r="4"/>'
    "</svg>mean</li></ul>"
)


def laws_section(record: Record, decimals: int) -> str:
    """Return the ridges of the first policies, those of the others on demand."""
    shown = [c for c in record["candidates"] if c["quantiles"]]
    if not shown:
        return ""
    rows = [_ridge(c, record, decimals) for c in shown]
    axis = common_scale(rows)
    body = LEGEND.format(share=f"{100 * level_of(record):g} %") + _threshold(axis, shown[0])
    body += _figure(rows[:LIMIT], axis, f"The first {len(rows[:LIMIT])} policies")
    if len(rows) > LIMIT:
        rest = _figure(rows[LIMIT:], axis, f"{len(rows) - LIMIT} more policies")
        body += folded(f"{len(rows) - LIMIT:,} more policies", rest)
    models = count(record["provenance"]["distribution_models"], "model")
    lead = (
        f"Each hill shows where the performance of a policy lies over {models} that agree with "
        "the log: high where many models lie. To the right is better; what counts is the left tail."
    )
    return section("performance", "What each policy may achieve", body, lead)


def _ridge(c: CandidateRecord, record: Record, decimals: int) -> Ridge:
    level, risk = f"{level_of(record):g}", record["question"]["risk"]
    marks = {"VaR": c["var"], "CVaR": c["cvar"], "mean": c["mean"]}
    goal = {"var": ("VaR", f"VaR({level})"), "mean": ("mean", "Mean")}
    mark, name = goal.get(risk["kind"], ("CVaR", f"CVaR({level})"))
    return Ridge(
        c["name"],
        c["quantiles"],
        {kind: value for kind, value in marks.items() if value is not None},
        f"{name} {number(marks[mark], decimals)}" if marks[mark] is not None else "",
        record["provenance"]["distribution_models"],
    )


def _figure(rows: list[Ridge], axis: Scale, title: str) -> str:
    summary = "; ".join(f"{r.name[:40]}: {r.value or 'no value'}" for r in rows)
    drawing = ridges(rows, "performance (expected discounted return)", title, summary, axis)
    return f'<figure class="laws">{drawing}</figure>'


def _threshold(axis: Scale, first: CandidateRecord) -> str:
    """Return the slider that asks how many models reach a value; only the script shows it."""
    start = first["var"] if first["var"] is not None else (axis.low + axis.high) / 2
    step = (axis.high - axis.low) / 400
    return (
        '<div class="threshold" hidden><label for="threshold">In how many models does a policy '
        'reach at least</label><input type="range" id="threshold" '
        f'min="{axis.low:.8g}" max="{axis.high:.8g}" step="{step:.3g}" value="{start:.8g}">'
        f'<output for="threshold" data-name="{printable(first["name"])}"></output></div>'
    )
