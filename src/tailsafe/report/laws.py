"""One ridge a policy: how well it may perform, over all models that the log allows."""

from tailsafe.record.schema import CandidateRecord, Record
from tailsafe.report.drawing import middle_cut, printable
from tailsafe.report.markup import folded, section
from tailsafe.report.prose import count, label, number
from tailsafe.report.ranking import level_of
from tailsafe.report.ridges import NAME, Ridge, common_scale, ridges
from tailsafe.report.scale import Scale

LIMIT = 12
QUANTILES = {
    0.0: "Worst", 0.01: "1 %", 0.05: "5 %", 0.25: "25 %", 0.5: "50 %", 0.75: "75 %", 0.95: "95 %",
    0.99: "99 %", 1.0: "Best",
}  # fmt: skip
LEGEND = (
    '<ul class="key" aria-label="Key">'
    '<li><svg width="22" height="14" aria-hidden="true"><path class="hill" '
    'd="M0 14C6 14 7 2 11 2S16 14 22 14z"/></svg>all models</li>'
    '<li><svg width="22" height="14" aria-hidden="true"><path class="tail" '
    'd="M0 14C8 14 10 6 14 2V14z"/></svg>the worst {share}</li>'
    '<li><svg width="12" height="14" aria-hidden="true"><path class="var" d="M6 0V14"/></svg>'
    "VaR</li>"
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
    body = LEGEND.format(share=f"{100 * level_of(record):g} %") + _threshold(
        axis, shown[0], decimals
    )
    body += _figure(rows[:LIMIT], axis, f"The first {len(rows[:LIMIT])} policies")
    if len(rows) > LIMIT:
        rest = _figure(rows[LIMIT:], axis, f"{len(rows) - LIMIT} more policies")
        body += folded(f"{len(rows) - LIMIT:,} more policies", rest)
    body += folded("The same in numbers", _numbers(shown, decimals))
    models = count(record["provenance"]["distribution_models"], "model")
    lead = (
        f"Each hill shows where the performance of a policy lies over {models} that agree with "
        "the log: high where many models lie. To the right is better."
    )
    if record["question"]["risk"]["kind"] in ("var", "cvar"):
        lead += " What counts is the left tail."
    if any(row.quantiles[0] < axis.low or row.quantiles[-1] > axis.high for row in rows):
        lead += (
            " The most extreme models lie beyond the axis; the numbers below the hills hold them."
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
        marks,
        f"{name} {number(marks[mark], decimals)}",
        record["provenance"]["distribution_models"],
    )


def _figure(rows: list[Ridge], axis: Scale, title: str) -> str:
    summary = "; ".join(f"{middle_cut(r.name, NAME)}: {r.value}" for r in rows)
    drawing = ridges(rows, "performance (expected discounted return)", title, summary, axis)
    return f'<figure class="laws">{drawing}</figure>'


def _threshold(axis: Scale, first: CandidateRecord, decimals: int) -> str:
    """Return the slider that asks how many models reach a value; only the script shows it."""
    step = (axis.high - axis.low) / 400
    return (
        '<div class="threshold" hidden><label for="threshold">In how many models does a policy '
        "reach a value? Point at a hill, or move this.</label>"
        f'<input type="range" id="threshold" min="{axis.low:.8g}" max="{axis.high:.8g}" '
        f'step="{step:.3g}" value="{first["var"]:.8g}" data-decimals="{decimals}" '
        f'data-name="{printable(middle_cut(first["name"], NAME))}">'
        '<output for="threshold"></output></div>'
    )


def _numbers(candidates: list[CandidateRecord], decimals: int) -> str:
    """Return some quantiles of every policy, for those who cannot see the hills."""
    heads = "".join(f'<th scope="col" class="num">{head}</th>' for head in QUANTILES.values())
    rows = "".join(
        f'<tr><th scope="row" class="name">{label(c["name"])}</th>{_quantiles(c, decimals)}</tr>'
        for c in candidates
    )
    return (
        "<p>So many of the models give a policy this performance or less.</p>"
        '<div class="scroll" role="region" aria-label="Quantiles" tabindex="0"><table>'
        f'<thead><tr><th scope="col" class="name">Policy</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _quantiles(c: CandidateRecord, decimals: int) -> str:
    last = len(c["quantiles"]) - 1
    values = [c["quantiles"][round(q * last)] for q in QUANTILES]
    return "".join(f'<td class="num">{number(value, decimals)}</td>' for value in values)
