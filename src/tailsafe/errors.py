"""What can go wrong at the door; everything past it is a value of the result."""


class TailsafeError(Exception):
    """Every error that this package raises on purpose."""


class InvalidData(TailsafeError, ValueError):
    """The input contradicts itself or the rules; the message says what, where and how much."""


class MissingDependency(TailsafeError, ImportError):
    """An optional library is needed; the message says which extra brings it."""


class NotSupported(TailsafeError):
    """The method is not defined for this problem; the message says what to use instead."""
