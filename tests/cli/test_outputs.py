"""The folder of the outputs: names, and whose files are replaced."""

import json

import pytest

from tailsafe.cli.outputs import check_free, folder_for
from tailsafe.errors import InvalidData


@pytest.mark.parametrize(
    ("given", "log", "folder"),
    [
        ("here", "log.csv", "here"),
        (None, "data/wards.csv.gz", "tailsafe-wards"),
        (None, "-", "tailsafe-stdin"),
        (None, ".hidden", "tailsafe-log"),
    ],
)
def test_the_folder_is_named_after_the_log_unless_given(given, log, folder):
    assert str(folder_for(given, log)) == folder


def test_a_new_folder_and_one_with_other_files_are_free(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    check_free(tmp_path)
    check_free(tmp_path / "new")


def test_files_of_an_earlier_run_may_be_replaced(tmp_path):
    (tmp_path / "selection.json").write_text(json.dumps({"schema": "tailsafe.selection/1"}))
    (tmp_path / "report.html").write_text("old")
    check_free(tmp_path)


@pytest.mark.parametrize("name", ["report.html", "policy.csv", "selection.json"])
def test_files_of_somebody_else_are_left_alone(tmp_path, name):
    (tmp_path / name).write_text("{}")
    with pytest.raises(InvalidData, match=f"{name} exists, and no selection.json of tailsafe"):
        check_free(tmp_path)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(InvalidData, match="is a file, not a folder"):
        check_free(tmp_path / "out")
