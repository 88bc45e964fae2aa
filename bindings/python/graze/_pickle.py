"""Pickling: functions of the compiled module are pickled by name."""

from __future__ import annotations

from typing import Any

from . import _graze


def call(name: str, *arguments: Any) -> Any:
    """Calls a function of the compiled module."""
    return getattr(_graze, name)(*arguments)
