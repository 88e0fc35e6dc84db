"""The keys of a TOML table, taken one by one; what is wrong or left over is refused."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NoReturn, TypeVar

from tailsafe.errors import InvalidData

T = TypeVar("T")

KINDS: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    list: "a list",
    dict: "a table",
}


@dataclass(slots=True)
class Fields:
    """The keys of one table, until each has been taken.

    Parameters
    ----------
    where
        Which table, for messages.
    left
        Keys that have not been taken.
    known
        Keys that were asked for.
    """

    where: str
    left: dict[str, object]
    known: list[str] = field(default_factory=list)

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """Return the value of a key, or the default; None asks for the key."""
        value = self.any(key)
        if value is None:
            if default is None:
                self.refuse(f"{key} is missing")
            return default
        # In Python a bool is an int; in TOML it is not, and 1 is a number like 1.0.
        fits = isinstance(value, (int, kind) if kind is float else kind)
        if not fits or isinstance(value, bool):
            self.refuse(f"{key} must be {KINDS[kind]}, got {value!r}")
        return kind(value)  # type: ignore[call-arg]

    def any(self, key: str) -> object:
        """Return the value of a key, or None."""
        self.known.append(key)
        return self.left.pop(key, None)

    def texts(self, key: str, default: tuple[str, ...]) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self.get(key, list, list(default))
        if not all(isinstance(text, str) for text in found):
            self.refuse(f"{key} must be a list of texts, got {found!r}")
        return tuple(found)

    def tables(self, key: str) -> list["Fields"]:
        """Return the tables of a list, [[key]]."""
        found = self.get(key, list, [])
        if not found or not all(isinstance(entry, dict) for entry in found):
            self.refuse(f"there must be at least one table [[{key}]]")
        return [Fields(f"{self.where}, {key}[{i}]", entry) for i, entry in enumerate(found, 1)]

    def end(self) -> None:
        """Refuse what nobody asked for."""
        if self.left:
            self.refuse(f"unknown {', '.join(self.left)}; known are {', '.join(self.known)}")

    def refuse(self, message: str) -> NoReturn:
        """Raise InvalidData that says where."""
        raise InvalidData(f"{self.where}: {message}")

    def understood(self, read: Callable[..., T], /, *arguments: object, **more: object) -> T:
        """Return what a function makes of its arguments; its refusal says where."""
        try:
            return read(*arguments, **more)
        except InvalidData as error:
            words = str(error)
            named = words if words.startswith(self.where) else f"{self.where}: {words}"
            raise InvalidData(named) from None
