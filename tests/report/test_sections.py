"""What each section says."""

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
