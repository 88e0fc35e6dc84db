"""Which column is which: named by the user, or recognised by its usual names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields

from tailsafe.data.sheet import number_of
from tailsafe.errors import InvalidData

USUAL = {
    "episode": ("episode", "episode_id", "episodes", "trajectory", "trajectory_id", "traj", "run"),
    "time": ("time", "step", "timestep", "time_step", "timestamp"),
    "state": ("state", "s", "observation", "obs", "states", "observations"),
    "action": ("action", "a", "act", "actions"),
    "reward": ("reward", "r", "rew", "rewards"),
    "next_state": (
        *("next_state", "s_next", "next_s", "next_observation", "next_obs", "new_state"),
        *("next_states", "next_observations"),
    ),
    "terminated": ("terminated", "terminal", "termination", "terminals", "terminations"),
    "truncated": ("truncated", "timeout", "truncation", "timeouts", "truncations"),
    "done": ("done", "dones"),
    "propensity": (
        *("propensity", "action_probability", "action_prob"),
        *("behaviour_probability", "behavior_probability"),
    ),
}
"""The names under which each role is recognised; capitals, blanks and hyphens do not matter."""


@dataclass(frozen=True, slots=True)
class Roles:
    """What a table must and may have, and the titles that were given.

    Parameters
    ----------
    usual
        Under which titles each role is recognised.
    required
        Roles that must be there.
    given
        Titles by role; "": there is none.
    """

    usual: Mapping[str, Sequence[str]]
    required: Sequence[str]
    given: Mapping[str, str] = field(default_factory=dict)

    def pick(self, titles: Sequence[str], source: str) -> dict[str, str]:
        """Return the title of the column in each role that the table has."""
        plain = {_plain(title): title for title in reversed(titles)}
        roles = {}
        for role, usual in self.usual.items():
            title = self.given.get(role)
            if title is None:
                title = next((plain[name] for name in usual if name in plain), "")
            elif title and title not in titles:
                raise InvalidData(f"{source} has no column {title!r}; it has {_listed(titles)}")
            if title:
                roles[role] = title
        self._check(roles, titles, source)
        return roles

    def _check(self, roles: Mapping[str, str], titles: Sequence[str], source: str) -> None:
        for role in self.required:
            if role not in roles:
                header = " (is the header line missing?)" if _all_numbers(titles) else ""
                raise InvalidData(
                    f"{source} has no column for the {role}{header}: looked for "
                    f"{', '.join(self.usual[role])}; it has {_listed(titles)}. Say which it is, as "
                    f"in {role}=NAME"
                )
        chosen = list(roles.values())
        for title in chosen:
            if chosen.count(title) > 1:
                both = " and ".join(role for role, name in roles.items() if name == title)
                raise InvalidData(f"column {title!r} of {source} is to be both {both}")
            if list(titles).count(title) > 1:
                raise InvalidData(f"{source} has two columns named {title!r}")


@dataclass(frozen=True, slots=True)
class Columns:
    """The title of the column in each role; None: recognised; "": there is none.

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

    def pick(self, titles: Sequence[str], source: str) -> dict[str, str]:
        """Return the title of the column in each role that the log has."""
        named = {role: getattr(self, role) for role in USUAL}
        given = {role: title for role, title in named.items() if title is not None}
        return Roles(USUAL, ("state", "action"), given).pick(titles, source)


def _plain(title: str) -> str:
    return title.strip().lower().replace(" ", "_").replace("-", "_")


def _all_numbers(titles: Sequence[str]) -> bool:
    return all(number_of(title) is not None for title in titles)


def _listed(titles: Sequence[str], most: int = 20) -> str:
    more = f" and {len(titles) - most} more" if len(titles) > most else ""
    return ", ".join(titles[:most]) + more
