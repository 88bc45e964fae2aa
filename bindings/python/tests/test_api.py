"""API.md lists every function of the C headers, and its Python names exist."""

import re
from functools import reduce
from pathlib import Path

import graze
import pytest

FOLDER = Path(__file__).resolve().parent.parent
HEADERS = FOLDER.parent.parent / "include/graze"


@pytest.mark.skipif(not HEADERS.exists(), reason="the headers are not here")
def test_every_function_is_listed():
    text = (FOLDER / "API.md").read_text()
    rows = dict(re.findall(r"^\| `(graze_\w+)` \| (.*) \|$", text, re.M))
    functions = set()
    for header in HEADERS.glob("*.h"):
        functions |= set(re.findall(r"^GRAZE_API [^;]*?\b(graze_\w+)\(", header.read_text(), re.M))
    assert len(functions) > 150
    assert set(rows) == functions
    for value in rows.values():
        if value.startswith("`"):
            assert reduce(getattr, value.strip("`").split(".")[1:], graze)
        else:
            assert re.match(r"(inside|left out): \w|(inside|left out): `", value)
