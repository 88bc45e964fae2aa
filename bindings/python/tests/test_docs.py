"""The examples in docstrings run."""

import doctest
import importlib
import types

import graze


def docstrings():
    for module in (graze, importlib.import_module("graze._errors")):
        yield module.__name__, module.__doc__ or ""
        for name, member in vars(module).items():
            if isinstance(member, types.ModuleType):
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
