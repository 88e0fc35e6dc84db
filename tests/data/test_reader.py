"""Reading logs: the same batch whatever it is written in; what is derived is right and is said."""

import csv
import gzip
import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tailsafe as ts
from tailsafe.data import Columns, log_of_batch, read_log
from tailsafe.data.csvfile import parse_csv
from tailsafe.data.log import episode_lengths, mean_return
from tailsafe.data.reader import log_of_sheet

N_STATES, N_ACTIONS = 5, 3
FEW, MANY = (settings(max_examples=n, deadline=None) for n in (20, 60))
END = "(end)"


def read_text(text, columns=Columns(), **names):  # noqa: B008
    return log_of_sheet(parse_csv(io.StringIO(text), "log.csv", columns.pick), **names)


def as_columns(batch):
    names = ("episode", "state", "action", "reward", "next_state", "terminated", "propensity")
    columns = {name: getattr(batch, name) for name in names}
    return {name: column for name, column in columns.items() if column is not None}


def as_text(batch, separator=","):
    out = io.StringIO()
    columns = as_columns(batch)
    writer = csv.writer(out, delimiter=separator)
    writer.writerow(columns)
    writer.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    return out.getvalue()


def assert_same(batch, other):
    assert (batch.n_states, batch.n_actions) == (other.n_states, other.n_actions)
    ours, theirs = as_columns(batch), as_columns(other)
    assert ours.keys() == theirs.keys()
    for name, column in ours.items():
        np.testing.assert_array_equal(column, theirs[name], err_msg=name)


@st.composite
def batches(draw):
    """Episodes of any length; the last state is terminal and never left."""
    parts = {"episode": [], "state": [], "next_state": [], "terminated": []}
    for episode in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 6))
        path = draw(st.lists(st.integers(0, N_STATES - 2), min_size=length, max_size=length))
        ends = draw(st.booleans())
        parts["episode"] += [episode] * length
        parts["state"] += path
        parts["next_state"] += [*path[1:], N_STATES - 1 if ends else draw(st.integers(0, 3))]
        parts["terminated"] += [*[False] * (length - 1), ends]
    n = len(parts["state"])
    numbers = st.floats(-1e6, 1e6, allow_subnormal=False)
    chances = st.floats(0.01, 1.0)
    return ts.Batch(
        **parts,
        action=draw(st.lists(st.integers(0, N_ACTIONS - 1), min_size=n, max_size=n)),
        reward=draw(st.lists(numbers, min_size=n, max_size=n)),
        propensity=draw(st.none() | st.lists(chances, min_size=n, max_size=n)),
        n_states=N_STATES,
        n_actions=N_ACTIONS,
    )


FRAMES = {
    "pandas": lambda columns: pd.DataFrame(columns),
    "polars": lambda columns: pl.DataFrame({k: v.tolist() for k, v in columns.items()}),
    "lazy polars": lambda columns: pl.LazyFrame({k: v.tolist() for k, v in columns.items()}),
    "pyarrow": lambda columns: pa.table({k: v.tolist() for k, v in columns.items()}),
    "arrays": lambda columns: columns,
    "text cells": lambda columns: pd.DataFrame(columns).astype(str),
    "columns of one axis more": lambda columns: {k: v[:, None] for k, v in columns.items()},
}


@MANY
@given(batches())
def test_a_random_log_reads_back_from_text(batch):
    for separator in ",;\t":
        log = read_text(as_text(batch, separator), states=N_STATES, actions=N_ACTIONS)
        assert_same(log.batch, batch)


@pytest.mark.parametrize("form", FRAMES)
@FEW
@given(batches())
def test_a_random_log_reads_back_from_a_table_in_memory(form, batch):
    log = read_log(FRAMES[form](as_columns(batch)), states=N_STATES, actions=N_ACTIONS)
    assert_same(log.batch, batch)


@FEW
@given(batches())
def test_a_random_log_reads_back_from_parquet(tmp_path_factory, batch):
    path = tmp_path_factory.getbasetemp() / "log.parquet"
    pq.write_table(FRAMES["pyarrow"](as_columns(batch)), path)
    log = read_log(path, states=N_STATES, actions=N_ACTIONS)
    assert_same(log.batch, batch)
    assert log.source == "log.parquet"


@FEW
@given(batches(), st.randoms(use_true_random=False))
def test_rows_in_any_order_are_put_in_the_order_of_episode_and_time(batch, random):
    columns = pd.DataFrame(as_columns(batch))
    columns["step"] = columns.groupby("episode").cumcount() * 7 - 3
    order = list(range(len(columns)))
    random.shuffle(order)
    log = read_log(columns.iloc[order], states=N_STATES, actions=N_ACTIONS)
    back = np.argsort(np.array(order)[log.place])
    for name in ("state", "action", "reward", "next_state", "terminated"):
        np.testing.assert_array_equal(getattr(log.batch, name)[back], getattr(batch, name))
    sizes = sorted(episode_lengths(log.batch))
    assert sizes == sorted(episode_lengths(batch))


@MANY
@given(batches())
def test_next_states_that_are_left_out_are_those_of_the_following_rows(batch):
    columns = as_columns(batch)
    del columns["next_state"]
    kept = ~batch.truncated
    if not kept.any():
        with pytest.raises(ts.InvalidData, match="shows no transition"):
            read_log(columns)
        return
    log = read_log(columns)
    followed = [log.labels.states[t] for t in log.batch.next_state]
    expected = np.where(batch.terminated, END, batch.next_state.astype(str))[kept]
    assert followed == expected.tolist()
    np.testing.assert_array_equal(log.batch.reward, batch.reward[kept])
    assert any("Dropped" in note for note in log.notes) == batch.truncated.any()
    assert any("had to be dropped" in words for words in log.warnings) == batch.truncated.any()


def test_a_compressed_file_and_a_tsv_are_read(tmp_path):
    text = "s\ta\tr\tnext_s\nlow\tgo\t1\thigh\nhigh\tgo\t0\tlow\n"
    with gzip.open(tmp_path / "log.tsv.gz", "wt") as file:
        file.write(text)
    (tmp_path / "log.tsv").write_text("﻿" + text)
    for name in ("log.tsv", "log.tsv.gz"):
        log = read_log(tmp_path / name)
        assert log.labels == ts.data.Labels(("high", "low"), ("go",))
        assert log.batch.state.tolist() == [1, 0]


def test_standard_input_is_read(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO("s,a,r,next_s\n0,0,1,1\n"))
    assert len(read_log("-").batch) == 1


def test_windows_lines_quotes_blanks_and_empty_lines_do_not_matter(tmp_path):
    path = tmp_path / "log.csv"
    plain = "State,action,next state,reward\na,x,b,1\nb,y,a,2\n"
    path.write_bytes(b'State, action ,next state,reward\r\n"a", x,b,1\r\n\r\n  b,"y",a , 2\r\n\r\n')
    log, expected = read_log(path), read_text(plain)
    assert log.labels == expected.labels
    assert_same(log.batch, expected.batch)
    assert log.place.tolist() == [2, 4]


def test_labels_do_not_depend_on_the_order_of_the_rows():
    rows = ["s10,b,0,s2\n", "s2,a,0,s1\n", "s1,c,0,s10\n"]
    for order in ([0, 1, 2], [2, 0, 1]):
        log = read_text("state,action,reward,next_state\n" + "".join(rows[i] for i in order))
        assert log.labels.states == ("s1", "s2", "s10")
        assert log.labels.actions == ("a", "b", "c")


def test_states_that_the_log_does_not_name_can_be_declared():
    text = "state,action,reward,next_state\n1,0,0,5\n2,0,0,3\n"
    assert read_text(text).labels.states == ("1", "2", "3", "5")
    assert "no state 4 in the log" in " ".join(read_text(text).notes)
    assert read_text(text, states=6).batch.n_states == 6
    assert read_text(text, states=["5", "4", "3", "2", "1"]).batch.state.tolist() == [4, 3]


def test_numbers_that_do_not_count_up_have_no_gaps():
    log = read_text("state,action,reward,next_state\n1999,0,0,2024\n2024,0,0,999999999\n")
    assert len(log.notes) == 2


def test_whole_numbers_are_one_label_whether_written_with_a_point_or_not():
    log = read_log({"state": [1, 2], "action": [0, 0], "next_state": [2.0, 1.0]})
    assert log.labels.states == ("1", "2")
    assert not log.rewarded


def test_columns_are_named_or_switched_off():
    text = "patient,when,ward,drug,gain,done\n1,2,b,x,5,1\n1,1,a,y,3,0\n"
    named = Columns.parsed(["episode=patient", "time=when", "state=ward", "action = drug"])
    log = read_text(text, Columns(**{f: getattr(named, f) for f in ("episode", "time", "state")},
                                  action="drug", reward="gain"))  # fmt: skip
    assert log.batch.reward.tolist() == [3.0, 5.0]
    assert log.labels.states == ("a", "b", END)
    off = Columns(state="ward", action="drug", done="", time="", episode="")
    assert len(read_text(text, off).batch) == 1


def test_a_date_orders_the_rows_of_an_episode():
    text = (
        "run,timestamp,s,a,r\n1,2024-02-01,b,x,1\n1,2024-01-15T10:00:00Z,a,x,0\n1,2024-03-01,c,,\n"
    )
    log = read_text(text)
    assert [log.labels.states[s] for s in log.batch.state] == ["a", "b"]
    assert [log.labels.states[s] for s in log.batch.next_state] == ["b", "c"]


def test_done_is_an_end_unless_the_row_was_truncated():
    text = "episode,s,a,r,next_s,done{}\n1,0,0,0,1,1{}\n2,0,0,0,2,1{}\n"
    assert read_text(text.format("", "", "")).batch.terminated.tolist() == [True, True]
    both = read_text(text.format(",truncated", ",0", ",1")).batch
    assert both.terminated.tolist() == [True, False]
    assert both.truncated.tolist() == [False, True]


def test_done_is_a_cut_where_the_row_did_not_terminate():
    text = "episode,s,a,r,next_s,done,terminated\n1,0,0,0,1,1,0\n2,0,0,0,2,1,1\n3,0,0,0,1,0,0\n"
    batch = read_text(text).batch
    assert batch.terminated.tolist() == [False, True, False]
    assert batch.truncated.tolist() == [True, False, True]


def test_the_offset_of_a_date_counts():
    text = "run,time,s,a,r\n1,2024-01-01T10:00:00+02:00,a,x,1\n1,2024-01-01T09:00Z,b,x,2\n"
    log = read_text(text + "1,2024-01-01T11:30:00+01:00,c,,\n")
    assert [log.labels.states[s] for s in log.batch.state] == ["a", "b"]
    assert log.batch.reward.tolist() == [1.0, 2.0]


def test_without_an_episode_column_a_time_that_stands_still_starts_a_new_one():
    text = "step,s,a,r,next_s\n0,a,x,0,b\n0,b,x,0,c\n1,c,x,0,c\n"
    assert read_text(text).batch.episode.tolist() == [0, 1, 1]


def test_without_an_episode_column_an_empty_next_state_is_no_jump():
    batch = read_text("s,a,r,next_s\na,x,0,\nb,x,0,c\na,x,0,b\n").batch
    assert batch.episode.tolist() == [0, 0, 1]
    assert batch.next_state.tolist() == [1, 2, 1]


def test_without_an_episode_column_ends_and_jumps_start_new_ones():
    text = "s,a,r,next_s,terminated\n0,0,0,1,0\n1,0,0,2,1\n0,0,0,1,0\n3,0,0,1,0\n"
    assert read_text(text).batch.episode.tolist() == [0, 0, 1, 2]
    timed = "step,s,a,r\n0,a,x,0\n1,b,x,0\n0,a,x,0\n1,c,x,0\n"
    assert read_text(timed).batch.n_episodes == 2


def test_a_last_row_without_an_action_names_the_state_reached():
    text = "episode,s,a,r,terminated\n1,a,x,2,{}\n1,b,,,{}\n2,a,x,1,0\n2,b,,,0\n"
    log = read_text(text.format(0, 1))
    assert_same(log.batch, read_text(text.format(1, 0)).batch)
    assert log.labels.states == ("a", "b")
    assert log.batch.terminated.tolist() == [True, False]
    assert log.batch.reward.tolist() == [2.0, 1.0]


def test_dropped_rows_that_paid_something_are_warned_of():
    text = "episode,s,a,r\n1,a,x,2\n1,b,x,-9\n2,a,x,1\n2,b,,\n"
    (words,) = read_text(text).warnings
    assert words.startswith("1 row (25 % of the log; first: row 3 of log.csv) had to be dropped")


def test_an_empty_next_state_is_the_end_or_the_following_state():
    text = "episode,s,a,r,next_s,terminated\n1,a,x,2,,0\n1,b,x,2,,1\n2,b,x,3,a,0\n2,a,x,3,,0\n"
    log = read_text(text)
    assert [log.labels.states[t] for t in log.batch.next_state] == ["b", END, "a"]


def test_an_end_in_a_state_that_is_left_elsewhere_belongs_to_the_transition():
    text = "episode,s,a,r,next_s,terminated\n1,a,x,2,b,1\n2,b,x,2,c,1\n"
    log = read_text(text)
    assert [log.labels.states[t] for t in log.batch.next_state] == [END, "c"]
    assert "1 end in states that other transitions leave (b; first in row 2" in log.warnings[0]


def test_a_terminal_state_that_only_stays_is_not_left():
    text = "episode,s,a,r,next_s,terminated\n1,a,x,2,b,1\n2,b,x,0,b,0\n"
    log = read_text(text)
    assert log.labels.states == ("a", "b")
    assert log.warnings == ()


def test_next_states_that_contradict_the_following_row_are_warned_of():
    text = "episode,s,a,r,next_s\n1,a,x,0,b\n1,a,x,0,b\n2,a,x,0,a\n"
    assert "In 1 place" in read_text(text).warnings[0]
    assert "row 2 of log.csv" in read_text(text).warnings[0]


def test_interleaved_episodes_are_put_together():
    text = "worker,s,a,r\nB,1,0,0\nA,7,0,0\nB,2,0,0\nA,8,0,0\n"
    log = read_text(text, Columns(episode="worker"))
    assert [log.labels.states[s] for s in log.batch.state] == ["1", "7"]
    assert log.place.tolist() == [2, 3]
    assert any("order of worker" in note for note in log.notes)


def test_missing_values_of_any_library_are_empty_cells():
    states = ["a", "b"]
    for gap in (None, np.nan, pd.NA, pd.NaT):
        frame = pd.DataFrame(
            {"s": states, "a": ["x", "x"], "next_s": pd.Series(["b", gap], dtype=object)}
        )
        assert len(read_log(frame).batch) == 1
    nullable = pd.DataFrame(
        {"s": [1, 2], "a": [0, 0], "next_s": pd.array([2, None], dtype="Int64")}
    )
    assert read_log(nullable).labels.states == ("1", "2")
    polars = pl.DataFrame({"s": [1, 2], "a": [0, 0], "next_s": [2, None]})
    assert len(read_log(polars).batch) == 1


def test_large_numbers_beside_missing_ones_keep_all_their_digits():
    large = 2**60 + 1
    log = read_log(pl.DataFrame({"s": [large, 1], "a": [0, 0], "next_s": [large, None]}))
    assert log.labels.states == (str(large),)


def test_booleans_categories_and_dates_are_labels():
    frame = pd.DataFrame({
        "s": pd.Categorical(["lo", "hi"]), "a": [True, False], "next_s": ["hi", "lo"],
        "time": pd.to_datetime(["2024-01-01", "2024-01-02"]),
    })  # fmt: skip
    log = read_log(frame)
    assert log.labels == ts.data.Labels(("hi", "lo"), ("false", "true"))


def test_arrays_as_d3rlpy_keeps_them():
    log = ts.data.from_arrays({
        "observations": np.array([[0], [1], [0], [1]]), "actions": [0, 1, 0, 1],
        "rewards": [0.0, 1.0, 0.0, 0.0], "terminals": [0, 1, 0, 0], "timeouts": [0, 0, 0, 1],
    })  # fmt: skip
    assert log.labels.states == ("0", "1", END)
    assert log.batch.episode.tolist() == [0, 0, 1]
    assert log.batch.next_state.tolist() == [1, 2, 1]


def test_timeouts_cut_episodes_and_end_no_process():
    log = ts.data.from_arrays({
        "observations": [0, 1, 0, 1], "actions": [0, 1, 0, 1], "rewards": [0.0] * 4,
        "next_observations": [1, 0, 1, 0], "timeouts": [0, 1, 0, 1],
    })  # fmt: skip
    assert log.batch.episode.tolist() == [0, 0, 1, 1]
    assert not log.batch.terminated.any()
    assert log.batch.truncated.tolist() == [False, True, False, True]


def test_of_two_columns_that_could_be_meant_the_first_is_read():
    assert read_text("State,state,a,next_s\nu,v,x,w\n").labels.states == ("u", "w")


def test_episodes_are_numbered_as_they_begin_not_as_they_end():
    text = "run,s,a,r,next_s\nB,1,0,0,1\nA,2,0,0,2\nA,2,0,0,2\nB,1,0,0,1\n"
    log = read_text(text)
    assert log.batch.episode.tolist() == [0, 0, 1, 1]
    assert log.place.tolist() == [2, 5, 3, 4]


def test_the_mean_return_is_discounted_within_each_episode():
    batch = read_text("episode,s,a,r\n1,a,x,1\n1,a,x,2\n1,a,,\n2,a,x,4\n2,a,,\n").batch
    assert mean_return(batch, 0.5) == pytest.approx((1 + 0.5 * 2 + 4) / 2)


def test_a_batch_is_a_log_whose_labels_are_numbers():
    ring = ts.domains.ring_published()
    batch = ts.simulate(ring, ts.Policy.uniform(5, 3), episodes=3, length=4, seed=1)
    log = log_of_batch(batch)
    assert log.labels.states == ("0", "1", "2", "3", "4")
    assert log.where(2) == "row 2 of batch"
    with pytest.raises(ts.InvalidData, match="labels for 2 states and 3 actions"):
        log_of_batch(batch, ts.data.Labels.plain(2, 3))
