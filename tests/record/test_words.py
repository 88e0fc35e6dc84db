"""The question and the answer in plain words."""

import pytest

from tailsafe.record.words import answer_words, question_words, risk_record
from tailsafe.risk import CVaR, Mean, VaR


@pytest.mark.parametrize(
    ("risk", "words"),
    [
        (CVaR(0.05), "CVaR(0.05): the mean performance over the worst 5 % of the models"),
        (VaR(0.05), "VaR(0.05): the performance that 95 % of the models reach"),
        (Mean(), "mean: the mean performance over all models"),
    ],
    ids=lambda risk: getattr(risk, "name", ""),
)
def test_the_question_says_what_the_measure_means(risk, words):
    record = risk_record(risk)
    chosen = question_words("select", record)
    assert chosen == f"Which policy has the largest {words} that the log leaves possible?"
    assert words.split(": ")[1] in question_words("evaluate", record)


QUESTION = {"eps": 0.125, "alpha": 0.02, "max_models": 4096, "risk": risk_record(VaR(0.1))}


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("selected", "No other candidate has a VaR(0.1) that is better by more than 0.125; this"),
        ("budget", "The budget of 4,096 models was spent before one policy was proved best: 3 are"),
        ("interrupted", "none is better than the leader by more than 0.5. This holds with"),
    ],
)
def test_the_answer_says_what_is_proved_and_how_surely(status, words):
    said = answer_words(status, QUESTION, 3, 0.5)
    assert words in said
    assert said.endswith("holds with probability 0.98 over the models drawn.")


def test_a_bound_that_does_not_exist_is_not_spoken_of():
    assert "none is better" not in answer_words("budget", QUESTION, 3, None)
    assert "and none is better than the leader. This" in answer_words("budget", QUESTION, 3, 0.0)
    assert "none was chosen" in answer_words("evaluated", QUESTION, 0, None)


def test_a_bound_in_words_is_not_less_than_it_is():
    said = answer_words("selected", QUESTION | {"eps": 0.123412}, 3, None)
    assert "better by more than 0.1235;" in said
    large = answer_words("selected", QUESTION | {"eps": 19_981.2}, 3, None)
    assert "better by more than 19,990;" in large
    assert "leader by more than 0.1235." in answer_words("budget", QUESTION, 3, 0.123412)


def test_a_precision_that_is_as_good_as_none_is_not_spelt_out():
    said = answer_words("selected", QUESTION | {"eps": 2e-317}, 1, None)
    assert "has a VaR(0.1) that is better; this" in said
