"""The head of the report: the question, the answer and its sentence, what to know before acting."""

from tailsafe.record.schema import Answer, CandidateRecord, CertificateRecord, Record
from tailsafe.report.departures import departures, states_of
from tailsafe.report.drawing import printable
from tailsafe.report.markup import bullets, facts, folded, section
from tailsafe.report.prose import at_least, at_most, count, label, listed, number, percent

KICKER = {
    "selected": "Selected policy",
    "budget": "Leading so far, but undecided",
    "interrupted": "Leading when the race was stopped",
    "evaluated": "Evaluated, nothing chosen",
}
WORDS = (
    "A <em>model</em> is one way the system may work that agrees with the log and with the prior. "
    "The <em>performance</em> of a policy in it is the reward it collects on average, where later "
    "rewards count less by the discount."
)
SENTENCES = 6
"""So many certificates are spelt out; the others are folded."""


def masthead(record: Record) -> str:
    """Return the title of the report and the question in words."""
    question = record["question"]
    kind = "Evaluation" if question["kind"] == "evaluate" else "Selection"
    return (
        f'<header><p class="kicker">{kind} report</p>'
        f"<h1>{label(question['title'], 160)}</h1>"
        f'<p class="question">{printable(question["words"])}</p></header>\n'
    )


def answer_section(record: Record, decimals: int) -> str:
    """Return what was chosen, what is promised of it, and how sure that is."""
    answer = record["answer"]
    status = answer["status"]
    kicker = printable(KICKER.get(status, status))
    body = [f'<p class="kicker">{kicker}</p>', _headline(record)]
    body.append(_doing(record))
    body.append(f'<p class="status">{printable(answer["words"])}</p>')
    body.append(_ties(record))
    body.append(_promise(answer["certificate"]) if answer["certificate"] else _promises(record))
    body.append(f'<p class="note">{WORDS}</p>')
    body.append(facts(_facts(record, decimals), "facts figures"))
    card = f'<div class="card {printable(status)}">{"".join(body)}</div>'
    return section("answer", "The answer", card)


def warnings_section(record: Record) -> str:
    """Return what a careful reader should know before acting; nothing if there is nothing."""
    warnings = record["warnings"]
    if not warnings:
        return ""
    rows = [
        f"<strong>{printable(w['code'].capitalize())}.</strong> {printable(w['words'])}"
        for w in warnings
    ]
    return section("warnings", "Before you act", bullets(rows, "warnings"))


def chosen(record: Record) -> CandidateRecord | None:
    """Return the best candidate, if one was chosen."""
    best = record["answer"]["best"]
    inside = best is not None and 0 <= best < len(record["candidates"])
    return record["candidates"][best] if best is not None and inside else None


def _headline(record: Record) -> str:
    best = chosen(record)
    if best is None:
        return f'<p class="headline">{count(len(record["candidates"]), "policy", "policies")}</p>'
    return f'<p class="headline">{label(best["name"], 120, breakable=True)}</p>'


def _doing(record: Record) -> str:
    """Return in one line what the policy does, and where to see it."""
    best = chosen(record)
    if best is None or not states_of(record):
        return ""
    where = '<a href="#policy">What it does, state by state</a>'
    return f"<p>{departures(record, best)} {where}.</p>"


def _ties(record: Record) -> str:
    answer, candidates = record["answer"], record["candidates"]
    others = [i for i in answer["ties"] if i != answer["best"] and i < len(candidates)]
    if not others or answer["best"] is None:
        return ""
    names = listed([candidates[i]["name"] for i in others])
    verb = "is" if len(others) == 1 else "are"
    return f'<p class="ties">{names} {verb} not shown to be worse.</p>'


def _promise(certificate: CertificateRecord) -> str:
    return f'<blockquote class="promise"><p>{printable(certificate["sentence"])}</p></blockquote>'


def _promises(record: Record) -> str:
    """Return the certificate of each policy, where each was judged on its own."""
    rows = [
        f"<strong>{label(c['name'])}.</strong> {printable(c['certificate']['sentence'])}"
        for c in record["candidates"]
        if c["certificate"]
    ]
    folded_rows = folded(f"{len(rows) - SENTENCES:,} more", bullets(rows[SENTENCES:], "promises"))
    return bullets(rows[:SENTENCES], "promises") + (folded_rows if len(rows) > SENTENCES else "")


def _facts(record: Record, decimals: int) -> list[tuple[str, str]]:
    answer = record["answer"]
    pairs = _certified(answer["certificate"], decimals) if answer["certificate"] else []
    pairs += _choice(answer, decimals)
    pairs.append(("Policies", f"{len(record['candidates']):,}"))
    pairs.append(("Models looked at", f"{answer['n_models']:,}"))
    return pairs


def _certified(certificate: CertificateRecord, decimals: int) -> list[tuple[str, str]]:
    name = printable(certificate["risk"])
    share = percent(certificate["probability"])
    pairs = [(f"{name} is at least", at_least(certificate["bound"], decimals))]
    if certificate["probability"] is not None:
        pairs.append(("Share of models that reach it, at least", share))
    pairs.append(("Confidence of this bound", percent(certificate["confidence"])))
    if certificate["marginal_bound"] is not None:
        name = f"One further model exceeds, with probability {share}"
        pairs.append((name, at_least(certificate["marginal_bound"], decimals)))
    return pairs


def _choice(answer: Answer, decimals: int) -> list[tuple[str, str]]:
    pairs = []
    if answer["regret_bound"] is not None:
        regret = at_most(answer["regret_bound"], decimals)
        pairs.append(("Another policy is better by at most", regret))
    if answer["floor"] is not None:
        pairs.append(("Worse outcomes counted as", number(answer["floor"], decimals)))
    return pairs
