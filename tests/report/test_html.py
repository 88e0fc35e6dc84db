"""The page as a whole: well formed, reachable, closed to the network, safe from what it shows."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from itertools import pairwise

from tailsafe.record.check import check
from tailsafe.record.schema import Record
from tailsafe.report import render

SECTIONS = ["answer", "warnings", "ranking", "performance", "policy", "data", "assumptions",
            "skipped", "provenance"]  # fmt: skip


def ids(page):
    return [e["id"] for e in page.all() if e["id"]]


def test_the_records_of_these_tests_are_as_the_schema_says(record):
    check(json.loads(json.dumps(record)), Record, "record")


def test_every_tag_is_closed_and_every_id_is_used_once(record, read):
    names = ids(read(render(record)))
    assert len(names) == len(set(names))


def test_whatever_refers_to_an_id_finds_it(record, read):
    page = read(render(record))
    names = set(ids(page))
    for name in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "data-all"):
        assert {e[name] for e in page.all() if e[name]} <= names
    assert {a["href"] for a in page.all("a")} <= {f"#{name}" for name in names}


def test_headings_go_down_one_level_at_a_time(record, read):
    levels = [int(e.tag[1]) for e in read(render(record)).all() if re.fullmatch(r"h\d", e.tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))


def test_every_head_of_a_table_has_its_scope(record, read):
    page = read(render(record))
    assert {e["scope"] for e in page.all("th")} == {"row", "col"}
    assert all(len({len(row.children) for row in table.all("tr")}) == 1
               for table in page.all("table"))  # fmt: skip


def test_every_drawing_is_named_or_hidden(record, read):
    for svg in read(render(record)).all("svg"):
        outer = svg.parent
        while outer is not None and outer.tag != "svg":
            outer = outer.parent
        if svg["role"] == "img":
            assert [child.tag for child in svg.children[:2]] == ["title", "desc"]
            assert all(child.text for child in svg.children[:2])
        else:
            assert svg["aria-hidden"] == "true" or outer is not None


def test_the_contents_list_the_sections_that_are_there(make, read):
    page = read(render(make["machine"]()))
    assert [s["id"] for s in page.all("section")] == SECTIONS
    links = [a["href"].lstrip("#") for a in page.all("nav")[0].all("a")]
    assert links == SECTIONS
    settled = [s["id"] for s in read(render(make["settled"]())).all("section")]
    assert settled == [name for name in SECTIONS if name not in ("warnings", "skipped")]


def test_nothing_is_fetched(record, read):
    page = read(render(record))
    assert not any(e["src"] for e in page.all())
    assert not page.all("link")
    style = "".join(e.text for e in page.all("style"))
    assert "url(" not in style
    assert "@import" not in style


def test_the_page_allows_no_script_but_its_own(record, read):
    page = read(render(record))
    data, script = page.all("script")
    digest = b64encode(sha256(script.text.encode()).digest()).decode()
    policy = page.all("meta", **{"http-equiv": "Content-Security-Policy"})[0]["content"]
    assert policy.startswith("default-src 'none';")
    assert policy.endswith(f"script-src 'sha256-{digest}'")
    assert data["type"] == "application/json"


def test_names_that_look_like_markup_stay_text(make, read):
    record = make["hostile"]()
    page = read(render(record))
    assert not page.all("img")
    assert len(page.all("script")) == 2
    assert page.all("h1")[0].text == record["question"]["title"]
    assert not any(name.startswith("on") for e in page.all() for name in e.attributes)
    names = [row.children[1].text for row in page.all("table", id="ranking-table")[0].all("tr")]
    assert names[1].startswith("<script>alert(1)</script>")
    assert names[12].startswith("$digest")


def test_the_data_of_the_script_cannot_end_their_element(make, read):
    record = make["hostile"]()
    text = read(render(record)).all("script")[0].text
    assert "<" not in text
    assert json.loads(text)["states"] == record["labels"]["states"]


def test_no_forbidden_character_gets_into_the_page(make):
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", render(make["hostile"]()))


def test_the_report_is_a_function_of_the_record_alone(make):
    assert render(make["machine"]()) == render(json.loads(json.dumps(make["machine"]())))


def test_a_usual_report_is_small(make):
    assert 10_000 < len(render(make["machine"]()).encode()) < 100_000


def test_a_record_without_candidates_is_still_a_page(make, read):
    record = make["evaluated"]()
    record["candidates"] = []
    record["sufficiency"]["thin"] = []
    assert "performance" not in [s["id"] for s in read(render(record)).all("section")]
