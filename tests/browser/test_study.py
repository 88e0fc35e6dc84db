"""The report of a study in a real browser: silent, accessible, light and dark, on a telephone."""

import json
from importlib.resources import files

import pytest

from tailsafe.engine import Engine
from tailsafe.study.design import Grid, Study
from tailsafe.study.paper import TEXT_SMALL
from tailsafe.study.published.profile import Published
from tailsafe.study.report import study_report
from tailsafe.study.run import run_study
from tailsafe.study.sources import Source

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    profiles = (TEXT_SMALL, Published())
    study = Study(
        "paper", 1, (Grid("ring", Source("ring_published"), 8, (8, 24), 1, profiles),),
        ("gain", "regret"),
    )  # fmt: skip
    run_study(study, folder / "study.db", Engine(executor="threads", workers=1))
    (folder / "report.html").write_text(study_report(folder / "study.db", study.metrics), "utf-8")
    return (folder / "report.html").as_uri()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_fault(driver, page, scheme):
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
    driver.get(page)
    axe = (files("axe_core_python") / "axe.min.js").read_text("utf-8")
    driver.execute_script(axe)
    found = driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run().then(r => done(JSON.stringify("
        "r.violations.map(v => [v.id, v.nodes.map(n => n.html)]))))"
    )
    assert json.loads(found) == []


def test_nothing_is_asked_of_the_network_and_nothing_goes_wrong(driver, page):
    for log in ("browser", "performance"):
        driver.get_log(log)
    driver.get(page)
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    asked = [
        e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"
    ]
    assert set(asked) <= {page}
    assert driver.get_log("browser") == []


def test_it_fits_on_a_telephone(driver, page):
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": 360, "height": 700, "deviceScaleFactor": 1, "mobile": True},
    )
    driver.get(page)
    width = driver.execute_script("return document.documentElement.scrollWidth")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert width <= 360
