"""The report in a real browser, opened from a file: silent, alone, usable by hand and by key."""

import base64
from pathlib import Path

import pytest

from tailsafe.report import render

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = ["machine", "settled", "evaluated", "grid", "hostile"]


def numbers(window, table, column):
    return window.run(
        "const [rows, k] = arguments;"
        "return [...document.querySelectorAll(rows)].map(r => r.cells[k].dataset.v)",
        f"#{table} tbody tr",
        column,
    )


def head(window, table, column):
    return window.one(f"#{table} thead th:nth-child({column + 1}) button")


def orders(window, table):
    return window.run(
        "return [...document.querySelectorAll(arguments[0])].map(h => h.getAttribute('aria-sort'))",
        f"#{table} thead th",
    )


# Alone and silent


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_asked_of_the_network_and_nothing_goes_wrong(window, name):
    window.open(name)
    window.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert window.requests() == []
    assert window.driver.get_log("browser") == []


def test_the_browser_would_refuse_a_connection(window):
    window.open("machine")
    refused = window.driver.execute_async_script(
        "const done = arguments[0]; fetch('data:,x').then(() => done(false), () => done(true))"
    )
    assert refused
    assert window.driver.get_log("browser") != []


def test_hostile_names_run_nothing_and_stay_as_they_are(window):
    window.open("hostile")
    assert window.run("return document.scripts.length") == 2
    assert window.run("return document.images.length") == 0
    assert window.driver.title == window.records["hostile"]["question"]["title"]


# Tables


def test_a_click_sorts_and_another_turns_the_order(window):
    window.open("machine")
    head(window, "ranking-table", 5).click()
    down = [float(v) for v in numbers(window, "ranking-table", 5)]
    assert down == sorted(down, reverse=True)
    assert orders(window, "ranking-table")[5] == "descending"
    assert orders(window, "ranking-table").count(None) == 7
    head(window, "ranking-table", 5).click()
    assert [float(v) for v in numbers(window, "ranking-table", 5)] == down[::-1]
    assert orders(window, "ranking-table")[5] == "ascending"


@pytest.mark.parametrize("key", ["\ue007", " "], ids=["enter", "space"])
def test_the_keyboard_sorts_as_well(window, key):
    window.open("machine")
    button = head(window, "ranking-table", 1)
    window.run("arguments[0].focus()", button)
    button.send_keys(key)
    names = numbers(window, "ranking-table", 1)
    assert names == sorted(names, key=str.lower)
    assert orders(window, "ranking-table")[1] == "ascending"
    assert window.driver.switch_to.active_element == button


def test_the_heads_are_reached_by_tab(window):
    window.open("machine")
    window.run("arguments[0].focus()", head(window, "ranking-table", 0))
    window.driver.switch_to.active_element.send_keys("\ue004")
    assert window.driver.switch_to.active_element == head(window, "ranking-table", 1)


def test_sorting_moves_the_best_into_the_rows_that_are_shown(window):
    window.open("grid")
    assert window.shown_rows("ranking-table") == [str(k) for k in range(1, 13)]
    head(window, "ranking-table", 0).click()
    assert window.shown_rows("ranking-table") == [str(k) for k in range(36, 24, -1)]


def test_the_rest_of_a_long_table_is_counted_and_shown_on_demand(window):
    window.open("grid")
    more = window.one("[data-all=ranking-table]")
    assert window.texts("#ranking .more span") == ["The first 12 of 36 rows are shown."]
    more.click()
    assert len(window.shown_rows("ranking-table")) == 36
    assert more.get_attribute("aria-expanded") == "true"
    more.click()
    assert len(window.shown_rows("ranking-table")) == 12


# Ridges


def test_pointing_at_a_hill_says_how_many_models_reach_the_value(window):
    window.open("machine")
    actions = pytest.importorskip("selenium.webdriver").ActionChains(window.driver, duration=0)
    quiet = window.texts("g.ridge .value")
    actions.move_to_element(window.one("figure.laws svg.chart")).perform()
    spoken = window.texts("g.ridge .value")
    shares = [float(t.split(" %")[0]) for t in spoken]
    assert all(" % reach " in t for t in spoken)
    assert shares[0] > shares[-1]
    assert window.one(".probe").get_attribute("visibility") == "visible"
    actions.move_to_element(window.one("h1")).perform()
    assert window.texts("g.ridge .value") == quiet
    assert window.one(".probe").get_attribute("visibility") == "hidden"


def test_at_var_a_quarter_of_the_models_lies_below(window):
    window.open("machine")
    assert 0.735 < float(window.texts("output")[0].split(" in ")[-1].split(" %")[0]) / 100 < 0.765


def test_the_slider_does_the_same_by_key(window):
    window.open("machine")
    slider = window.one("#threshold")
    window.run("arguments[0].focus()", slider)
    assert all(" % reach " in t for t in window.texts("g.ridge .value"))
    before = window.texts("output")[0]
    slider.send_keys("\ue012" * 5)
    assert window.texts("output")[0] != before
    assert window.one("#threshold").get_attribute("aria-valuetext") in window.texts("output")[
        0
    ].replace(":", ".")


# The policy by state


@pytest.mark.parametrize("name", ["machine", "grid"])
def test_another_policy_is_shown_as_the_report_itself_would_show_it(window, name, tmp_path):
    record = window.records[name]
    other = next(i for i, c in enumerate(record["candidates"]) if c["name"] == "SoftSPIBB(0.5)")
    wanted = render(record | {"answer": record["answer"] | {"best": other}})
    (tmp_path / "wanted.html").write_text(wanted, "utf-8")
    window.driver.get((tmp_path / "wanted.html").as_uri())
    expected = window.texts("#policy-table tbody td"), window.texts("#departures")
    window.open(name)
    assert window.texts("#policy-table tbody td") != expected[0]
    window.run(
        "const s = document.querySelector('#shown-policy'); s.value = arguments[0];"
        "s.dispatchEvent(new Event('change'))",
        str(other),
    )
    assert (window.texts("#policy-table tbody td"), window.texts("#departures")) == expected


def test_states_are_found_by_name_or_said_not_to_be_there(window):
    window.open("machine")
    field = window.one("#find-state")
    field.send_keys("WORN")
    assert window.shown_rows("policy-table") == ["slightly worn", "worn"]
    assert not window.one("#none-found").is_displayed()
    field.send_keys(" out")
    assert window.shown_rows("policy-table") == []
    assert window.one("#none-found").is_displayed()


def test_of_many_states_those_that_differ_come_first(window):
    window.open("grid")
    best = window.records["grid"]["candidates"][0]
    assert window.one("#only-changed").is_selected()
    assert window.shown_rows("policy-table") == [str(s) for s in best["differs"][:20]]
    window.one("#only-changed").click()
    assert window.shown_rows("policy-table") == [str(s) for s in range(20)]


# Light, dark, paper, telephone, no script


def background(window):
    colour = window.run("return getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in colour.strip("rgb()").split(",")) / 3


def paper(window):
    colour = window.run("return getComputedStyle(document.querySelector('.chart .paper')).fill")
    return sum(int(part) for part in colour.strip("rgb()").split(",")) / 3


def test_the_page_follows_the_system_until_the_reader_decides(window):
    for scheme, dark in (("light", False), ("dark", True)):
        window.open("machine", scheme)
        assert (background(window) < 60) == dark
        assert background(window) == paper(window)
        window.one("#theme").click()
        assert (background(window) < 60) != dark
        assert background(window) == paper(window)
        assert window.one("#theme").get_attribute("aria-pressed") == str(not dark).lower()


def test_paper_is_light_and_has_no_controls(window):
    window.open("machine", "dark", "print")
    assert background(window) > 200
    assert paper(window) > 200
    assert not window.one("nav").is_displayed()
    assert not window.one(".threshold").is_displayed()
    assert not window.one(".controls").is_displayed()
    printed = base64.b64decode(window.command("Page.printToPDF", printBackground=True)["data"])
    assert printed.startswith(b"%PDF")
    assert 2 <= printed.count(b"/Type /Page\n") <= 12


@pytest.mark.parametrize("name", NAMES)
def test_a_telephone_never_scrolls_the_page_sideways(window, name):
    window.open(name)
    size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": False}
    window.command("Emulation.setDeviceMetricsOverride", **size)
    window.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert window.run("return document.documentElement.scrollWidth") <= 360


def test_without_its_script_the_page_shows_everything_and_offers_nothing(window):
    window.open("grid")
    window.command("Emulation.setScriptExecutionDisabled", value=True)
    window.driver.get(window.address)
    page = window.command("DOM.getDocument", depth=0)["root"]["nodeId"]

    def found(selector):
        return window.command("DOM.querySelectorAll", nodeId=page, selector=selector)["nodeIds"]

    assert len(found("#policy-table tbody tr")) == 64
    assert found("tr[hidden], th button:enabled") == []
    assert len(found(".controls[hidden], .threshold[hidden], #theme[hidden]")) == 3
    window.command("Emulation.setScriptExecutionDisabled", value=False)


# Everyone


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_no_fault(window, name, scheme):
    axe = pytest.importorskip("axe_core_python")
    window.open(name, scheme)
    window.run("document.querySelectorAll('details').forEach(d => d.open = true)")
    window.run(Path(axe.__file__).with_name("axe.min.js").read_text("utf-8"))
    report = window.driver.execute_async_script(
        "const done = arguments[0]; axe.run(document).then(done, e => done({error: String(e)}))"
    )
    faults = [(v["id"], [n["html"] for n in v["nodes"]][:3]) for v in report["violations"]]
    assert faults == []
    assert [rule["message"] for rule in report["incomplete"] if "error" in rule] == []
    assert "color-contrast" in {rule["id"] for rule in report["passes"]}
