"""Pickling: functions of the compiled module are pickled by name."""

from __future__ import annotations

from typing import Any

from . import _graze


def damaged(name: str, reason: str) -> ValueError:
    """The exception for a pickle that no object of the class `name` has."""
    return ValueError(f"{name}: damaged pickle data: {reason}")


def call(name: str, *arguments: Any) -> Any:
    """Calls a function of the compiled module that restores an object."""
    if not (isinstance(name, str) and name.startswith("_restore_") and hasattr(_graze, name)):
        raise damaged("graze", f"function: {name!r}, must be one that restores an object")
    return getattr(_graze, name)(*arguments)
