"""The examples in docstrings and documents run."""

import contextlib
import doctest
import importlib
import importlib.util
import io
import re
import types
from pathlib import Path

import graze
import pytest

FOLDER = Path(__file__).resolve().parent.parent
MODULES = ("graze", "graze._arrays", "graze._convert", "graze._errors", "graze._explain")


def docstrings():
    for module in map(importlib.import_module, MODULES):
        yield module.__name__, module.__doc__ or ""
        for name, member in list(vars(module).items()):
            if isinstance(member, types.ModuleType) or not str(getattr(member, "__module__", "")).startswith("graze"):
                continue
            yield name, getattr(member, "__doc__", "") or ""
            if isinstance(member, type):
                for attribute, value in vars(member).items():
                    yield f"{name}.{attribute}", getattr(value, "__doc__", "") or ""


def test_examples():
    runner, parser, count = doctest.DocTestRunner(), doctest.DocTestParser(), 0
    for name, text in docstrings():
        if isinstance(text, str):
            test = parser.get_doctest(text, {}, name, None, 0)
            runner.run(test)
            count += len(test.examples)
    assert runner.summarize().failed == 0
    assert count > 40


def test_public_functions_have_docstrings():
    simple = {"sphere", "circle"}
    for name in dir(graze):
        if name.startswith("_") or isinstance(getattr(graze, name), types.ModuleType) or name in simple:
            continue
        text = getattr(getattr(graze, name), "__doc__", None)
        assert text and len(text.splitlines()) >= 1, name


def needs(code):
    """The modules besides graze and numpy that a program imports."""
    return set(re.findall(r"^(?:import|from) (\w+)", code, re.M)) - {"graze", "numpy"}


@pytest.mark.skipif(not (FOLDER / "README.md").exists(), reason="the documents are not here")
@pytest.mark.parametrize("name", ["README.md", "COMING_FROM.md"])
def test_programs_in_documents(name):
    """Each program runs, and prints the text block that follows it."""
    blocks = re.findall(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", (FOLDER / name).read_text(), re.S)
    assert len(blocks) >= 2
    for code, text in blocks:
        if any(importlib.util.find_spec(module) is None for module in needs(code)):
            continue
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(code, name, "exec"), {})
        if text:
            assert output.getvalue() == text
