"""One headless Chromium for the whole session, and reports opened in it from files."""

import json
import runpy
import shutil
from pathlib import Path

import pytest

from tailsafe.report import render

EVERY = runpy.run_path(str(Path(__file__).parents[1] / "report/records.py"))["EVERY"]
FLAGS = [
    "headless=new", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-sync",
    "disable-background-networking", "disable-component-update", "window-size=1100,900",
]  # fmt: skip


class Window:
    """A browser window with what the tests ask of it."""

    def __init__(self, driver, folder):
        self.driver, self.folder = driver, folder
        self.records = {name: make() for name, make in EVERY.items()}
        self.address = None
        for name, record in self.records.items():
            (folder / f"{name}.html").write_text(render(record), "utf-8")

    def open(self, name, scheme="light", media=""):
        """Open a report afresh, forgetting what was logged before."""
        self.command("Emulation.setScriptExecutionDisabled", value=False)
        self.command("Emulation.clearDeviceMetricsOverride")
        self.show_as(scheme, media)
        for log in ("browser", "performance"):
            self.driver.get_log(log)
        self.address = (self.folder / f"{name}.html").as_uri()
        self.driver.get(self.address)
        return self

    def command(self, name, **arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def show_as(self, scheme, media=""):
        # Without smooth scrolling, so that what is clicked on does not move.
        wishes = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        features = [{"name": name, "value": value} for name, value in wishes.items()]
        self.command("Emulation.setEmulatedMedia", media=media, features=features)

    def run(self, code, *arguments):
        return self.driver.execute_script(code, *arguments)

    def one(self, selector):
        return self.driver.find_element("css selector", selector)

    def texts(self, selector):
        return self.run(
            "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)", selector
        )

    def shown_rows(self, table):
        """Return the first cells of the rows that can be seen."""
        rows = self.run(
            "return [...document.querySelectorAll(arguments[0])].filter(r => r.offsetHeight)"
            ".map(r => r.cells[0].textContent)",
            f"#{table} tbody tr",
        )
        return [row.strip() for row in rows]

    def requests(self):
        """Return the addresses that were asked for, but for the page itself."""
        events = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        asked = [e["params"] for e in events if e["method"] == "Network.requestWillBeSent"]
        return [p["request"]["url"] for p in asked if p["request"]["url"] != self.address]


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    chromium, chromedriver = shutil.which("chromium"), shutil.which("chromedriver")
    if not (chromium and chromedriver):
        pytest.skip("chromium and chromedriver are not installed")
    webdriver = pytest.importorskip("selenium.webdriver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in (*FLAGS, f"user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(chromedriver))
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def window(driver, tmp_path_factory):
    return Window(driver, tmp_path_factory.mktemp("reports"))
