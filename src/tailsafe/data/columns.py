"""Which column is which: named by the user, or recognised by its usual names."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from tailsafe.data.sheet import Sheet
from tailsafe.errors import InvalidData

USUAL = {
    "episode": ("episode", "episode_id", "trajectory", "trajectory_id", "traj", "run", "patient"),
    "time": ("time", "step", "t", "timestep", "time_step", "timestamp"),
    "state": ("state", "s", "observation", "obs"),
    "action": ("action", "a", "act"),
    "reward": ("reward", "r", "rew"),
    "next_state": ("next_state", "s_next", "next_s", "next_observation", "next_obs", "new_state"),
    "terminated": ("terminated", "terminal", "termination"),
    "truncated": ("truncated", "timeout", "truncation"),
    "done": ("done",),
    "propensity": ("propensity", "behaviour_probability", "behavior_probability", "action_prob"),
}
"""The names under which each role is recognised; capitals, blanks and hyphens do not matter."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The name of the column in each role; None: recognised; "": there is none.

    ``done`` marks ends of either kind: it counts as terminated unless truncated says otherwise.
    """

    episode: str | None = None
    time: str | None = None
    state: str | None = None
    action: str | None = None
    reward: str | None = None
    next_state: str | None = None
    terminated: str | None = None
    truncated: str | None = None
    done: str | None = None
    propensity: str | None = None

    @classmethod
    def parsed(cls, pairs: Iterable[str]) -> "Columns":
        """Return the columns of texts such as "state=obs"."""
        roles = [field.name for field in fields(cls)]
        given = {}
        for pair in pairs:
            role, equals, name = pair.partition("=")
            if not equals or role.strip() not in roles:
                raise InvalidData(
                    f"{pair!r} does not name a column: write ROLE=NAME, where ROLE is one of "
                    + ", ".join(roles)
                )
            given[role.strip()] = name.strip()
        return cls(**given)


def found(sheet: Sheet, columns: Columns) -> dict[str, str]:
    """Return the name of the column in each role that the sheet has."""
    plain = {_plain(name): name for name in reversed(sheet.columns)}
    roles = {}
    for role, usual in USUAL.items():
        given: str | None = getattr(columns, role)
        if given is None:
            name = next((plain[u] for u in usual if u in plain), None)
        elif given and given not in sheet.columns:
            raise InvalidData(f"{sheet.source} has no column {given!r}; it has {_listed(sheet)}")
        else:
            name = given or None
        if name is not None:
            roles[role] = name
    _check(sheet, roles)
    return roles


def _check(sheet: Sheet, roles: dict[str, str]) -> None:
    for role in ("state", "action"):
        if role not in roles:
            raise InvalidData(
                f"{sheet.source} has no column for the {role} "
                f"(looked for {', '.join(USUAL[role])}); it has {_listed(sheet)}: "
                f"name it, as in {role}=NAME (option --column)"
            )
    names = list(roles.values())
    for name in names:
        if names.count(name) > 1:
            both = " and ".join(role for role, n in roles.items() if n == name)
            raise InvalidData(f"column {name!r} of {sheet.source} is to be both {both}")


def _plain(name: str) -> str:
    return name.strip().lower().replace(" ", "_").replace("-", "_")


def _listed(sheet: Sheet) -> str:
    return ", ".join(sheet.columns)
