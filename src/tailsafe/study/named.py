"""What a name in a study means: a part of the package, or of a module of the user's own."""

from importlib import import_module
from inspect import signature

from tailsafe.errors import InvalidData


def named(name: str, home: str) -> object:
    """Return what a name stands for.

    Parameters
    ----------
    name
        Of something in ``home``, or with dots, ``module.name``, of something anywhere else.
    home
        A module of the package.
    """
    module, dot, last = name.rpartition(".")
    if dot and not module.strip("."):
        raise InvalidData(f"{name!r} names no module: write module.name")
    if not dot:
        module = home
    try:
        place = import_module(module)
    except ImportError as error:
        raise InvalidData(f"{name}: cannot import {module} ({error})") from None
    listed = getattr(place, "__all__", dir(place))
    if last not in listed:
        raise InvalidData(f"there is no {last!r} in {module}; it has {', '.join(_public(listed))}")
    found: object = getattr(place, last)
    return found


def called(name: str, home: str, /, *arguments: object, **named_arguments: object) -> object:
    """Return what something called by its name returns; arguments that do not fit are refused."""
    function = named(name, home)
    if not callable(function):
        raise InvalidData(f"{name} in {home} cannot be called")
    try:
        signature(function).bind(*arguments, **named_arguments)
    except TypeError as error:
        raise InvalidData(f"{name}: {error}; it takes {signature(function)}") from None
    made: object = function(*arguments, **named_arguments)
    return made


def _public(names: list[str]) -> list[str]:
    return [name for name in sorted(names) if not name.startswith("_")]
