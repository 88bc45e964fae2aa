"""The exception of Graze."""

from __future__ import annotations

from ._graze import Status

__all__ = ["Error"]


class Error(ValueError):
    """A rejected input, or a query that is not defined for its shapes.

    The message names the function, the argument, its value and what is allowed.

    >>> import graze
    >>> try:
    ...     graze.box(1, -2, 3)
    ... except graze.Error as error:
    ...     print(error, error.status.name, error.argument, error.index, error.value, sep=" | ")
    box: y = -2 (must be >= 0) | BAD_SHAPE | y | None | -2.0
    """

    status: Status
    """The kind of the error."""
    argument: str
    """The name of the rejected argument; empty if there is none."""
    index: int | None
    """The element of the argument: a vertex, a coordinate, a pair."""
    value: float
    """The rejected number; 0 if there is none."""

    def __init__(
        self, message: str, status: Status, argument: str = "", index: int | None = None, value: float = 0.0
    ) -> None:
        super().__init__(message)
        self.status = status
        self.argument = argument
        self.index = index
        self.value = value

    def __reduce__(self) -> tuple[type[Error], tuple[str, Status, str, int | None, float]]:
        return type(self), (str(self), self.status, self.argument, self.index, self.value)
