"""What each section says."""

import numpy as np
import pytest

from tailsafe.report import render
from tailsafe.report.departures import departures, otherwise, tried
from tailsafe.report.payload import page_data
from tailsafe.report.ranking import STANDINGS


@pytest.fixture
def page(make, read):
    return lambda name, **changed: read(render(make[name]() | changed))


def part(page, key):
    return page.all("section", id=key)[0]


def rows(page, key):
    """Return the body of a table as texts, a list a row."""
    body = page.all("table", id=key)[0].all("tbody")[0]
    return [[cell.text for cell in row.children] for row in body.children]


# The answer


@pytest.mark.parametrize("name", ["machine", "settled"])
def test_the_answer_has_the_policy_and_the_whole_promise(page, make, name):
    record = make[name]()
    text = part(page(name), "answer").text
    assert record["candidates"][0]["name"] in text
    assert record["answer"]["certificate"]["sentence"] in text
    assert record["answer"]["words"] in text


def test_the_answer_names_the_ties(page, make):
    first, second = (c["name"] for c in make["machine"]()["candidates"][1:3])
    ties = f"{first} and {second} are not shown to be worse."
    assert ties in part(page("machine"), "answer").text


def test_an_undecided_race_does_not_look_like_a_decided_one(page):
    assert "undecided" in part(page("machine"), "answer").all("p")[0].text
    assert part(page("settled"), "answer").all("p")[0].text == "Selected policy"


def test_an_evaluation_promises_something_of_each_policy(page, make):
    text = part(page("evaluated"), "answer").text
    for c in make["evaluated"]()["candidates"]:
        assert c["certificate"]["sentence"] in text
    assert "nothing chosen" in text


def test_every_warning_is_said(page, make):
    text = part(page("machine"), "warnings").text
    assert all(w["words"] in text for w in make["machine"]()["warnings"])


# The ranking


def test_the_ranking_has_every_candidate_in_its_order(page, make):
    record = make["grid"]()
    shown = rows(page("grid"), "ranking-table")
    assert len(shown) == len(record["candidates"])
    for k, (row, c) in enumerate(zip(shown, record["candidates"], strict=True)):
        assert row[0] == str(k + 1)
        assert row[1].startswith(c["name"])
        assert row[2] == ("leading" if c["standing"] == "best" else c["standing"])
        others = [
            c[kind]
            for kind in ("var", "cvar", "mean")
            if kind != record["question"]["risk"]["kind"]
        ]
        assert [float(v) for v in row[4:6]] == pytest.approx(others, abs=0.01)


def test_the_figures_of_the_answer_promise_no_more_than_its_sentence(page, make):
    record = make["machine"]()
    shown = part(page("machine"), "answer").all("dd")
    bound, regret = (float(dd.text.replace("−", "-")) for dd in (shown[0], shown[3]))
    assert bound <= record["answer"]["certificate"]["bound"] < bound + 0.1
    assert regret - 0.1 < record["answer"]["regret_bound"] <= regret


def test_who_leads_an_undecided_race_is_not_called_the_best(page):
    assert rows(page("machine"), "ranking-table")[0][2] == "leading"
    assert rows(page("settled"), "ranking-table")[0][2] == "best"


def test_the_measure_asked_for_has_one_column(page):
    heads = [h.text for h in part(page("machine"), "ranking").all("th", scope="col")]
    assert heads == [
        *("Rank", "Policy", "Standing", "CVaR(0.25), interval", "VaR(0.25)", "Mean"),
        *("Models", "In thin data"),
    ]


def test_an_interval_without_an_end_says_so(page):
    assert "at most" in rows(page("machine"), "ranking-table")[5][3]
    assert " to " in rows(page("machine"), "ranking-table")[0][3]


def test_other_origins_stand_below_the_name(page):
    assert rows(page("machine"), "ranking-table")[0][1].endswith("also from NORBUVaR(0.25)")


def test_every_standing_that_is_used_is_explained(page, make):
    text = part(page("machine"), "ranking").text
    for standing in {c["standing"] for c in make["machine"]()["candidates"]}:
        assert STANDINGS[standing] in text
    assert STANDINGS["evaluated"] not in text


def test_the_certified_column_is_there_where_each_policy_has_its_own(page):
    assert "Certified at least" in part(page("evaluated"), "ranking").text
    assert "Certified at least" not in part(page("machine"), "ranking").text


# The ridges


def test_there_is_one_ridge_a_policy_the_rest_folded_and_counted(page, make):
    ridges = part(page("grid"), "performance")
    assert len(ridges.all("g", class_="ridge")) == len(make["grid"]()["candidates"])
    assert len(ridges.all("figure")[0].all("g", class_="ridge")) == 12
    assert "24 more policies" in [s.text for s in ridges.all("summary")]


def test_the_hills_can_be_read_as_numbers(page, make):
    record = make["machine"]()
    table = part(page("machine"), "performance").all("table")[0]
    first = [cell.text for cell in table.all("tbody")[0].children[0].children]
    quantiles = record["candidates"][0]["quantiles"]
    assert float(first[1]) == pytest.approx(quantiles[0], abs=0.01)
    assert float(first[5]) == pytest.approx(quantiles[100], abs=0.01)
    assert float(first[9]) == pytest.approx(quantiles[200], abs=0.01)


def test_the_tail_is_that_of_the_question(page):
    assert "the worst 25 %" in part(page("machine"), "performance").text


# The policy by state


def test_every_state_is_there_with_what_the_log_and_the_policy_do(page, make):
    record = make["machine"]()
    shown = rows(page("machine"), "policy-table")
    best = record["candidates"][0]
    assert [row[0] for row in shown] == record["labels"]["states"]
    for s, row in enumerate(shown):
        action = best["policy"][s][0][0]
        assert row[2].startswith(record["labels"]["actions"][action])
        assert int(row[3].split()[0]) == record["sufficiency"]["visits"][s][action]
        assert row[5] == ("changed" if s in best["differs"] else "same")


def test_a_state_where_episodes_end_has_no_action_to_show(page, make):
    task = make["machine"]()["task"] | {"terminal": [11]}
    assert len(rows(page("machine", task=task), "policy-table")) == 11


def test_departures_count_the_thin_ones(make):
    record = make["machine"]()
    best = record["candidates"][0]
    thin = sum(tried(record, best["policy"], s) < 5 for s in best["differs"])
    text = departures(record, best)
    assert f"in {len(best['differs'])} of 12 states; in {thin} of them" in text
    same = departures(record, best | {"differs": []})
    assert same == "Its first choice is that of the log in all 12 states."


def test_otherwise_counts_the_decisions_that_are_not_those_of_the_log(make):
    record = make["machine"]()
    record["behaviour"]["policy"][0] = [(0, 0.6), (1, 0.4)]
    assert otherwise(record, [[(0, 1.0)]], 0) == 400
    assert otherwise(record, [[(1, 0.5), (0, 0.5)]], 0) == 100
    assert otherwise(record, [[(3, 1.0)]], 0) == 1000
    assert otherwise(record, [record["behaviour"]["policy"][0]], 0) == 0


def test_the_script_gets_every_policy_that_fits_and_says_what_does_not(make, read, monkeypatch):
    record = make["machine"]()
    assert len(page_data(record)["policies"]) == 12
    record["candidates"][1]["policy"] = [[(a, 0.25) for a in range(4)]] * 12
    monkeypatch.setattr("tailsafe.report.payload.BUDGET", 30)
    assert list(page_data(record)["policies"]) == ["0", "2"]
    shown = read(render(record))
    assert len(shown.all("select")[0].children) == 2
    assert "10 policies too large to show here: see selection.json." in part(shown, "policy").text


# The log, the assumptions, how to compute it again


def test_the_return_of_a_log_that_was_cut_off_is_not_taken_for_that_of_a_run(page, make, read):
    assert (
        "Mean discounted return in the log, as far as recorded"
        in part(page("machine"), "data").text
    )
    record = make["machine"]()
    record["log"]["truncated"] = 0
    text = part(read(render(record)), "data").text
    assert "Mean discounted return in the log" in text
    assert "as far as recorded" not in text


def test_the_classes_of_visits_add_up_to_all_pairs(page):
    table = part(page("machine"), "data").all("table", class_="bars")[0]
    assert sum(int(row.children[1].text) for row in table.all("tbody")[0].children) == 48


def test_thin_places_are_listed_with_who_relies_on_them(page, make):
    record = make["machine"]()
    shown = rows(page("machine"), "thin-table")
    assert len(shown) == len(record["sufficiency"]["thin"])
    first = record["sufficiency"]["thin"][0]
    assert shown[0][0] == record["labels"]["states"][first["state"]]
    assert shown[0][1] == record["labels"]["actions"][first["action"]]
    assert shown[0][2] == str(first["visits"])
    assert shown[0][4] == record["candidates"][0]["name"]


def test_assumptions_skips_and_provenance_are_complete(page, make):
    record, shown = make["machine"](), page("machine")
    for a in record["assumptions"]:
        assert a["value"] in part(shown, "assumptions").text
        assert a["words"] in part(shown, "assumptions").text
    assert record["skipped"][0]["reason"] in part(shown, "skipped").text
    text = part(shown, "provenance").text
    made = record["provenance"]
    assert all(made[k] in text for k in ("batch_hash", "posterior_hash", "created", "numpy"))
    assert " ".join(made["command"]) in text


def test_names_that_were_cut_are_said_in_full_at_the_end(page, make):
    name = make["hostile"]()["candidates"][3]["name"]
    assert name in part(page("hostile"), "provenance").text
    assert "Long names in full" not in part(page("settled"), "provenance").text


@pytest.mark.parametrize("name", ["machine", "settled"])
def test_the_answer_says_in_one_line_what_the_policy_does(page, make, name):
    record = make[name]()
    answer = part(page(name), "answer")
    best = record["candidates"][record["answer"]["best"]]
    assert departures(record, best) in answer.text
    assert [link.text for link in answer.all("a", href="#policy")] == [
        "What it does, state by state"
    ]


# Every number is that of the record


def told(page, key):
    """Return the terms of a section and what is said of them."""
    found = part(page, key)
    terms = [term.text for term in found.all("dt")]
    return dict(zip(terms, [said.text for said in found.all("dd")], strict=True))


def test_the_figures_of_the_answer_are_those_of_the_record(page, make):
    certificate = make["settled"]()["answer"]["certificate"]
    figures = told(page("settled"), "answer")
    assert float(figures["VaR(0.25) is at least"]) == pytest.approx(certificate["bound"], abs=0.01)
    assert figures["Share of models that reach it, at least"] == "75 %"
    assert figures["Confidence of this bound"] == "99 %"
    marginal = figures["One further model exceeds, with probability 75 %"]
    assert float(marginal) == pytest.approx(certificate["marginal_bound"], abs=0.01)
    assert float(figures["Another policy is better by at most"]) == 0.31
    assert "Worse outcomes counted as" not in figures
    assert float(told(page("machine"), "answer")["Worse outcomes counted as"][1:]) == 120.0


def test_the_leader_is_not_one_of_its_own_ties(page, make):
    (ties,) = part(page("machine"), "answer").all("p", class_="ties")
    assert make["machine"]()["candidates"][0]["name"] not in ties.text


def test_estimates_and_intervals_stand_in_their_row(page, make):
    candidates = make["machine"]()["candidates"]
    cells = part(page("machine"), "ranking").all("td", class_="goal")
    for cell, c in zip(cells, candidates, strict=True):
        (estimate,), (ends,) = cell.all("strong"), cell.all("span", class_="ends")
        assert float(estimate.text) == pytest.approx(c["estimate"], abs=0.01)
        said = [float(word) for word in ends.text.split() if word[0].isdigit()]
        known = [end for end in (c["lower"], c["upper"]) if end is not None]
        assert said == pytest.approx(known, abs=0.01)


def test_what_is_certified_of_each_policy_is_its_bound(page, make):
    shown = rows(page("evaluated"), "ranking-table")
    for row, c in zip(shown, make["evaluated"]()["candidates"], strict=True):
        assert float(row[4]) == pytest.approx(c["certificate"]["bound"], abs=0.01)


def test_the_columns_have_the_level_of_the_question(page, make):
    question = make["machine"]()["question"]
    question["risk"] = question["risk"] | {"level": 0.1}
    heads = [h.text for h in part(page("machine", question=question), "ranking").all("th")]
    assert any(h.startswith("VaR(0.1)") for h in heads)


def test_an_interval_is_drawn_from_its_lower_to_its_upper_end(page, make):
    record = make["grid"]()
    spans = part(page("grid"), "ranking").all("svg", class_="span")
    drawn = [
        [float(line[name].rstrip("%")) for name in ("x1", "x2")]
        for span in spans
        for line in span.all("line")
    ]
    c, (low, high) = record["candidates"], zip(*drawn, strict=True)
    assert len(drawn) == len(c)
    # All on one axis: the first two candidates say which one it is.
    (a, b), (u, v) = (c[0]["lower"], c[0]["upper"]), drawn[0]
    for k in range(1, 4):
        assert low[k] == pytest.approx(u + (c[k]["lower"] - a) * (v - u) / (b - a), abs=0.5)
        assert high[k] == pytest.approx(u + (c[k]["upper"] - a) * (v - u) / (b - a), abs=0.5)


def test_beside_the_policy_stands_what_the_log_did_and_what_is_thin(page, make):
    record = make["machine"]()
    best, labels = record["candidates"][0], record["labels"]["actions"]
    shown = rows(page("machine"), "policy-table")
    for s, row in enumerate(shown):
        assert row[1].startswith(labels[record["behaviour"]["policy"][s][0][0]])
        assert row[3].endswith("thin") == (tried(record, best["policy"], s) < 5)
        assert row[4] == f"{otherwise(record, best['policy'], s) / 10:.1f} %"
    assert {row[3].endswith("thin") for row in shown} == {True, False}


def test_the_script_gets_each_policy_under_its_own_number(make):
    record = make["machine"]()
    found = page_data(record)["policies"]
    for i, c in enumerate(record["candidates"]):
        assert found[str(i)]["differs"] == c["differs"]
        assert found[str(i)]["words"] == departures(record, c)
        first = [does if isinstance(does, int) else does[0] for does in found[str(i)]["does"]]
        assert first == [choices[0][0] for choices in c["policy"]]


def test_pairs_are_counted_by_how_often_they_were_tried(page, make):
    record = make["machine"]()
    visits = np.array(record["sufficiency"]["visits"])
    table = part(page("machine"), "data").all("table", class_="bars")[0]
    shown = {
        row.children[0].text: int(row.children[1].text) for row in table.all("tbody")[0].children
    }
    assert shown["never"] == (visits == 0).sum()
    assert shown["1 to 4 times"] == ((visits >= 1) & (visits <= 4)).sum()
    assert shown["100 times or more"] == (visits >= 100).sum()


def test_the_size_of_the_log_is_told(page, make):
    log = make["machine"]()["log"] | {"terminated": 4, "truncated": 27}
    figures = told(page("machine", log=log), "data")
    assert figures["Ended / cut off"] == "4 / 27"
    assert figures["Steps an episode"] == "12 to 60"
    found = make["machine"]()["sufficiency"]
    share = 100 * found["tried_pairs"] / found["pairs"]
    assert figures["Pairs of state and action tried"] == f"{share:.3g} % of 48"


def test_provenance_says_the_error_probabilities_and_the_models(page, make):
    record = make["machine"]()
    question = record["question"] | {"alpha": 0.02, "alpha_certificate": 0.03}
    streams = [{"stream": "race", "first": 7, "last": 4096}]
    made = record["provenance"] | {"streams": streams}
    shown = page("machine", question=question, provenance=made)
    assert told(shown, "provenance")["Error probability of the choice"] == "0.02"
    assert told(shown, "provenance")["Error probability of the certificate"] == "0.03"
    (row,) = part(shown, "provenance").all("table")[0].all("tbody")[0].children
    assert [cell.text for cell in row.children] == ["race", "7", "4,096"]


def test_the_marks_of_a_ridge_stand_at_their_own_values(page, make):
    ridges = part(page("machine"), "performance").all("g", class_="ridge")
    assert len(ridges[0].all("title")) == 3
    for ridge, c in zip(ridges, make["machine"]()["candidates"], strict=True):
        said = dict(title.text.split() for title in ridge.all("title") if " " in title.text)
        expected = {"VaR": c["var"], "CVaR": c["cvar"], "mean": c["mean"]}
        assert said.items() <= {k: f"{v:.5g}" for k, v in expected.items()}.items()
        (value,) = ridge.all("text", class_="soft end value")
        assert value.text.startswith("CVaR(0.25) ")
        assert float(value.text.split()[1]) == pytest.approx(c["cvar"], abs=0.01)


def test_departures_and_thin_places_are_of_the_policy_s_first_choice_where_it_differs(make):
    record = make["machine"]()
    record["sufficiency"]["visits"] = [[0, 9, 0, 0]] * 12
    mixed = [[(1, 0.7), (0, 0.3)]] * 12
    assert tried(record, mixed, 3) == 9
    assert tried(record, [[(0, 0.7), (1, 0.3)]] * 12, 3) == 0
    candidate = record["candidates"][0] | {"policy": [[(0, 1.0)]] * 12, "differs": [2, 5]}
    assert departures(record, candidate) == (
        "It changes what is done in 2 of 12 states; in 2 of them the log shows its action fewer "
        "than 5 times."
    )
