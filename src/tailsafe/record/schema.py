"""The types of selection.json, schema tailsafe.selection/1 (docs/reference/selection-json.md)."""

from typing import TypedDict

SCHEMA = "tailsafe.selection/1"
LEVELS = 201
"""How many quantiles show a distribution: at the levels 0, 1/200, ..., 1."""
SHOWN = 0.25
"""The level of VaR and CVaR where the question has none."""

Choices = list[list[tuple[int, float]]]
"""A policy: for each state the (action, probability) pairs of positive probability."""


class RiskRecord(TypedDict):
    """What is maximised."""

    kind: str
    level: float | None
    name: str
    words: str


class Question(TypedDict):
    """What was asked."""

    kind: str
    title: str
    words: str
    risk: RiskRecord
    alpha: float
    alpha_certificate: float
    eps: float | None
    eps_rel: float | None
    max_models: int


class CertificateRecord(TypedDict):
    """What is promised of one policy, on fresh models."""

    risk: str
    bound: float
    probability: float | None
    confidence: float
    marginal_bound: float | None
    n_models: int
    floor: float | None
    sentence: str


class Answer(TypedDict):
    """What came out."""

    status: str
    words: str
    best: int | None
    ties: list[int]
    regret_bound: float | None
    floor: float | None
    certificate: CertificateRecord | None
    n_models: int
    evaluations: int


class CandidateRecord(TypedDict):
    """One policy: its standing, its law, its actions."""

    name: str
    origins: list[str]
    standing: str
    estimate: float
    lower: float | None
    upper: float | None
    n_models: int
    mean: float
    sd: float
    var: float
    cvar: float
    quantiles: list[float]
    certificate: CertificateRecord | None
    policy: Choices
    deterministic: bool
    differs: list[int]
    thin_share: float


class LabelsRecord(TypedDict):
    """What states and actions are called."""

    states: list[str]
    actions: list[str]


class LogRecord(TypedDict):
    """What was read."""

    source: str
    transitions: int
    episodes: int
    terminated: int
    truncated: int
    shortest: int
    longest: int
    mean_return: float
    notes: list[str]


class RewardRecord(TypedDict):
    """Where the reward comes from."""

    kind: str
    words: str


class TaskRecord(TypedDict):
    """What is held to be known."""

    n_states: int
    n_actions: int
    discount: float
    terminal: list[int]
    initial: list[tuple[int, float]]
    reward: RewardRecord


class BehaviourRecord(TypedDict):
    """The policy that made the log."""

    source: str
    words: str
    policy: Choices


class ThinPair(TypedDict):
    """A pair that candidates rely on but the log hardly shows."""

    state: int
    action: int
    visits: int
    share: float
    candidates: list[int]


class SufficiencyRecord(TypedDict):
    """What the log shows and what it hardly shows."""

    visits: list[list[int]]
    unseen_states: list[int]
    untried_states: list[int]
    pairs: int
    tried_pairs: int
    thin_below: int
    thin: list[ThinPair]
    words: list[str]


class SkipRecord(TypedDict):
    """A method that could not propose a policy."""

    name: str
    reason: str


class AssumptionRecord(TypedDict):
    """One thing that the answer rests on."""

    name: str
    value: str
    words: str


class WarningRecord(TypedDict):
    """One thing to know before acting."""

    code: str
    words: str


class StreamRecord(TypedDict):
    """Which models were used for what."""

    stream: str
    first: int
    last: int


class ProvenanceRecord(TypedDict):
    """What is needed to compute it again."""

    tailsafe: str
    numpy: str
    python: str
    command: list[str] | None
    created: str
    seed: int
    batch_hash: str
    posterior_hash: str
    prior: str
    streams: list[StreamRecord]
    distribution_models: int
    seconds: dict[str, float]


class Record(TypedDict):
    """The whole of selection.json."""

    schema: str
    question: Question
    answer: Answer
    candidates: list[CandidateRecord]
    labels: LabelsRecord
    log: LogRecord
    task: TaskRecord
    behaviour: BehaviourRecord
    sufficiency: SufficiencyRecord
    skipped: list[SkipRecord]
    assumptions: list[AssumptionRecord]
    warnings: list[WarningRecord]
    provenance: ProvenanceRecord
