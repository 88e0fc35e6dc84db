"""Whether a value read from JSON is of a type of the schema; the types are the only rule book."""

from types import NoneType, UnionType
from typing import Union, get_args, get_origin, get_type_hints, is_typeddict

from tailsafe.errors import InvalidData

NAMES = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}


def check(value: object, kind: object, where: str) -> None:
    """Raise InvalidData, naming the place, unless the value is of the kind."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if not (value is None and NoneType in parts):
            check(value, next(part for part in parts if part is not NoneType), where)
    elif origin is None:
        fields = isinstance(kind, type) and is_typeddict(kind)
        (_check_fields if fields else _check_plain)(value, kind, where)
    elif origin is dict:
        for key, item in _mapping(value, where).items():
            check(item, parts[1], f"{where}.{key}")
    else:
        items = _items(value, where)
        _check_items(items, parts if origin is tuple else parts * len(items), where)


def _check_fields(value: object, kind: object, where: str) -> None:
    given = _mapping(value, where)
    for name, part in get_type_hints(kind).items():
        if name not in given:
            raise InvalidData(f"{where} has no {name!r}")
        check(given[name], part, f"{where}.{name}")


def _check_items(items: list[object], kinds: tuple[object, ...], where: str) -> None:
    if len(items) != len(kinds):
        raise InvalidData(f"{where} has {len(items)} items, expected {len(kinds)}")
    for index, (item, kind) in enumerate(zip(items, kinds, strict=True)):
        check(item, kind, f"{where}[{index}]")


def _check_plain(value: object, kind: object, where: str) -> None:
    allowed: tuple[type, ...] = (int, float) if kind is float else (kind,)  # type: ignore[assignment]
    if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
        raise InvalidData(f"{where} is {_shown(value)}, expected {NAMES[kind]}")  # type: ignore[index]


def _items(value: object, where: str) -> list[object]:
    if not isinstance(value, list | tuple):
        raise InvalidData(f"{where} is {_shown(value)}, expected a list")
    return list(value)


def _mapping(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise InvalidData(f"{where} is {_shown(value)}, expected an object")
    return value


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
