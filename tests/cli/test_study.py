"""tailsafe study: from a command line to a store, its tables and an exit code."""

import os
import re
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from tailsafe.cli.pacing import Pacer, duration, pace_line
from tailsafe.study.design import Unit
from tailsafe.study.run import Failure, Progress
from tailsafe.study.store import read_rows, read_store

STUDY = """
[[domains]]
name = "ring"
source = "ring_published"
steps = 8
sizes = [8, 16]
trials = 2
[[profiles]]
name = "ours"
portfolio = ["Nominal", "PosteriorMean"]
risks = ["var:0.25"]
eps_rel = 0.5
max_models = 512
"""
HERE = ("--executor", "threads", "--jobs", "1")


@pytest.fixture
def study(run, tmp_path):
    """Return the function that runs the small study with more options."""
    (tmp_path / "mine.toml").write_text(STUDY)
    return lambda *more: run("study", "mine.toml", "--output", "out", *HERE, *more)


def rows(folder):
    return [
        (row.size, row.trial, row.method, row.u, row.bound)
        for row in read_rows(folder / "study.db")
    ]


def test_it_writes_a_store_a_report_and_the_rows(study):
    done = study("--export", "rows.csv")
    assert done.code == 0
    assert "4 of 4 units are there, 4 of them done now." in done.out
    assert re.search(r"ring +ours +race VaR\(0.25\) +4 ", done.out)
    assert "<!DOCTYPE html>" in done.text("out/report.html")
    assert len(done.text("rows.csv").splitlines()) == 1 + len(rows(done.folder / "out"))


def test_again_it_does_nothing_and_with_more_trials_only_what_is_missing(study):
    before = rows(study().folder / "out")
    assert "0 of them done now" in study().out
    grown = study("--trials", "3")
    assert "6 of 6 units are there, 2 of them done now." in grown.out
    assert [row for row in rows(grown.folder / "out") if row[1] < 2] == before


def test_without_output_the_folder_has_the_name_of_the_study(run, tmp_path):
    (tmp_path / "mine.toml").write_text('name = "my wards"\n' + STUDY)
    assert run("study", "mine.toml", "--quiet", "--trials", "1", *HERE).code == 0
    assert (tmp_path / "tailsafe-study-my-wards" / "report.html").exists()


def test_quiet_says_nothing(study):
    done = study("--quiet", "--trials", "1")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_the_parts_of_a_job_array_are_gathered(run, study, tmp_path):
    whole = rows(study().folder / "out")
    for k in (1, 2):
        part = run("study", "mine.toml", "--output", f"part-{k}", "--part", f"{k}/2", *HERE)
        assert "2 of 2 units" in part.out
    folders = ("--gather", "part-1", "--gather", "part-2")
    done = run("study", "mine.toml", "--output", "all", *folders, *HERE)
    assert "4 units taken over" in done.out
    assert "4 of 4 units are there, 0 of them done now." in done.out
    assert rows(tmp_path / "all") == whole


def test_a_seed_takes_the_place_of_that_of_the_file_even_if_it_is_0(run, tmp_path):
    (tmp_path / "mine.toml").write_text("seed = 7\n" + STUDY)
    for seed, folder in (("0", "zero"), ("7", "seven")):
        more = ("--output", folder, "--seed", seed, "--trials", "1", *HERE)
        assert run("study", "mine.toml", *more).code == 0
    (tmp_path / "mine.toml").write_text(STUDY)
    assert run("study", "mine.toml", "--output", "plain", "--trials", "1", *HERE).code == 0
    assert rows(tmp_path / "zero") == rows(tmp_path / "plain") != rows(tmp_path / "seven")


def test_the_report_has_tables_of_the_metrics_that_are_asked_for(run, tmp_path):
    (tmp_path / "mine.toml").write_text('metrics = ["regret"]\n' + STUDY)
    done = run("study", "mine.toml", "--output", "out", "--trials", "1", *HERE)
    assert "mean of regret" in done.text("out/report.html")
    assert "mean of dU" not in done.text("out/report.html")


def test_units_that_failed_are_said_and_the_study_is_not_done(study, monkeypatch):
    def conduct(*_):
        raise ZeroDivisionError("nothing there")

    with monkeypatch.context() as patched:
        patched.setattr("tailsafe.study.run.conduct", conduct)
        some, many = study("--trials", "1"), study("--trials", "8")
    assert some.code == many.code == 3
    assert "0 of 2 units are there, 0 of them done now." in some.out
    assert "failed: mine/ring/ours/8/0: ZeroDivisionError: nothing there" in some.out
    assert "the rest was not tried" not in some.out
    assert "and 7 more failed\nSo many failed that the rest was not tried." in many.out
    assert study("--trials", "1").code == 0


def test_rows_that_cannot_be_written_are_refused_before_anything_is_done(study):
    done = study("--export", "rows.csv", "--export", "rows.xls")
    assert (done.code, "rows are written as .csv or .parquet" in done.err) == (2, True)
    assert not (done.folder / "out").exists()


def test_the_papers_study_is_there(run, tmp_path):
    chosen = ("--domain", "ring", "--profile", "paper,published", "--quick", "--trials", "1")
    done = run("study", "paper", *chosen, "--output", "p", *HERE)
    assert done.code == 0
    assert "6 of 6 units" in done.out
    assert {row.profile for row in read_rows(tmp_path / "p" / "study.db")} == {"paper", "published"}
    # Eight methods and four statistics of Table 2: Ring in both profiles, and as the text has it.
    assert len(re.findall(r"\d+ of 32 numbers are as near", done.text("p/report.html"))) == 3


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("study", "the following arguments are required: STUDY"),
        ("study none.toml", "cannot read none.toml: No such file or directory"),
        ("study mine.toml --domain sea", "there is no domain 'sea'; there are ring"),
        ("study mine.toml --profile paper", "there is no profile 'paper'; there are ours"),
        ("study mine.toml --trials 0", "argument --trials: 0 is not a whole number of at least 1"),
        ("study mine.toml --part 3", "'3' is no part: write 2/8 for the second of eight"),
        ("study mine.toml --part 3/2", "part 3/2 does not exist: parts go from 1 to 2"),
        ("study mine.toml --executor ray", "argument --executor: invalid choice: 'ray'"),
        ("study mine.toml --gather none", "there is no study at none/study.db"),
        ("study mine.toml --output mine.toml", "--output mine.toml is a file, not a folder"),
        ("study mine.toml --output taken", "report.html exists, and no study.db lies beside it"),
        ("study mine.toml --output foreign", "is not a study, or is damaged"),
        ("study mine.toml --trials 1 --export rows.xls", "rows are written as .csv or .parquet"),
        ("study paper --domain garnet --profile published", "no profile of published is made for"),
    ],
)
def test_bad_input_is_refused(arguments, words, run, tmp_path):
    (tmp_path / "mine.toml").write_text(STUDY)
    for folder in ("taken", "foreign"):
        (tmp_path / folder).mkdir()
    (tmp_path / "taken" / "report.html").write_text("mine")
    (tmp_path / "foreign" / "study.db").write_text("not a database at all")
    done = run(*arguments.split(), *([] if arguments == "study" else HERE))
    assert done.code == 2
    assert words in done.err
    assert done.err.startswith("tailsafe: error: ")
    assert (tmp_path / "taken" / "report.html").read_text() == "mine"


def test_a_scheduler_that_does_not_answer_is_said(study, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("tailsafe.executors.dask.PATIENCE", "1s")
    done = study("--scheduler", "tcp://127.0.0.1:9")
    assert done.code == 2
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in done.err


def started(tmp_path, *more):
    command = [sys.executable, "-m", "tailsafe", "study", "mine.toml", "--output", "out", *more]
    return subprocess.Popen(
        command,
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # pytest may have been started in the background, where Ctrl-C is not heard.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )


def some_done(path, patience=60.0):
    ends = time.monotonic() + patience
    while time.monotonic() < ends:
        if path.exists() and path.stat().st_size:
            with read_store(path) as store:
                if len(store.seconds()) >= 2:
                    return True
        time.sleep(0.05)
    return False


@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill -9"])
def test_whatever_ends_it_the_same_command_goes_on(ending, study, run, tmp_path):
    (tmp_path / "mine.toml").write_text(STUDY)
    calm = run("study", "mine.toml", "--output", "calm", "--trials", "12", *HERE)
    driver = started(tmp_path, "--trials", "12", "--executor", "processes", "--jobs", "1")
    assert some_done(tmp_path / "out" / "study.db")
    os.killpg(driver.pid, ending) if ending == signal.SIGINT else driver.kill()
    printed, complaints = driver.communicate()
    if ending == signal.SIGINT:
        assert (driver.returncode, complaints) in [(3, ""), (0, "")]
        assert "Interrupted: the same command goes on." in printed or driver.returncode == 0
    resumed = study("--trials", "12")
    assert resumed.code == 0
    assert "24 of 24 units are there" in resumed.out
    assert rows(tmp_path / "out") == rows(calm.folder / "calm")


def test_how_far_it_is_is_said_in_one_line():
    failed = (Failure(Unit("s", "d", "p", 8, 0), "no", ""),)
    assert pace_line(Progress(1400, 100, 20)) == "120 of 1,400 units"
    known = Progress(1400, 100, 20, failed, remaining=600.0)
    assert pace_line(known) == "120 of 1,400 units, 1 failed, about 10 min left"
    assert [duration(s) for s in (5.4, 600.0, 9_000.0)] == ["5 s", "10 min", "2.5 h"]


def test_in_the_log_of_a_job_there_is_a_line_now_and_then(capsys, monkeypatch):
    now = iter([0.0, 10.0, 31.0, 31.0, 40.0])
    monkeypatch.setattr("tailsafe.cli.pacing.monotonic", lambda: next(now))
    with Pacer(quiet=False, last=next(now)) as pacer:
        for done in (1, 2, 3):
            pacer.told(Progress(9, 0, done))
    assert capsys.readouterr().err == "tailsafe: 2 of 9 units\n"


def test_the_bar_goes_on_where_an_earlier_run_ended():
    shown = []
    bar = SimpleNamespace(update=lambda *_, **known: shown.append(known), stop=lambda: None)
    with Pacer(quiet=True) as pacer:
        pacer.shown = bar
        pacer.told(Progress(10, 3, 2))
    assert (shown[0]["completed"], shown[0]["total"]) == (5, 10)


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_rows(study, run, tmp_path):
    distributed = pytest.importorskip("distributed")
    here = rows(study().folder / "out")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=60
    )
    with cluster:
        address = ("--scheduler", cluster.scheduler_address)
        done = run("study", "mine.toml", "--output", "there", *address)
    assert done.code == 0
    assert "4 of 4 units are there, 4 of them done now." in done.out
    assert rows(tmp_path / "there") == here
