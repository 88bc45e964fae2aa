"""The examples in docstrings and documents run."""

import contextlib
import doctest
import importlib
import importlib.util
import inspect
import io
import json
import re
import subprocess
import sys
import types
from pathlib import Path

import graze
import pytest

FOLDER = Path(__file__).resolve().parent.parent
MODULES = ("graze", "graze._arrays", "graze._convert", "graze._errors", "graze._explain", "graze._inputs", "graze._records")


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
    """The first line of the docstring of a compiled function is its signature."""
    for name in dir(graze):
        value = getattr(graze, name)
        if not name.startswith("_") and not isinstance(value, types.ModuleType):
            assert len((value.__doc__ or "").splitlines()) >= (1 if isinstance(value, type) else 2), name


def test_public_members_have_docstrings():
    """Without its signature, the docstring of a member is a sentence."""
    count = 0
    for kind in vars(graze).values():
        bases = kind.__mro__ if isinstance(kind, type) else ()
        for name in {name for base in bases if base.__module__.startswith("graze") for name in vars(base)}:
            if name.startswith("_"):
                continue
            text = inspect.getdoc(getattr(kind, name)) or ""
            lines = [line for line in text.splitlines() if not re.search(r"^\w*\(.*\) -> ", line)]
            assert re.search(r"\w.*\.$", "\n".join(lines), re.M), f"{kind.__name__}.{name}"
            count += 1
    assert count > 200


def test_public_names_are_those_of_graze():
    for name in dir(graze):
        value = getattr(graze, name)
        if not name.startswith("_"):
            assert getattr(value, "__module__", value.__name__).startswith("graze"), name


def test_without_numpy():
    """The package works without numpy, and the array API names the package that is missing."""
    program = """if True:
        import sys
        sys.modules["numpy"] = None
        import graze, pydoc
        assert graze.distance(graze.place(graze.box(1, 1)), graze.place(graze.circle(1), (4, 0))).distance == 2
        assert not hasattr(graze, "Shapes") and "raycast" in pydoc.render_doc(graze)
        for use, kind in (
            (lambda: graze.Shapes, AttributeError),
            (lambda: graze.intersect(graze.box(1, 1), None, graze.circle(1), None), ImportError),
        ):
            try:
                use()
            except kind as error:
                assert str(error).endswith("needs numpy: pip install graze[arrays]"), error
            else:
                raise AssertionError("no error")
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def programs(document):
    """(code, text or "") of each program of a document, and its name for the report."""
    path = FOLDER / document
    blocks = re.findall(r"```python\n(.*?)```(?:\n+```text\n(.*?)```)?", path.read_text(), re.S) if path.exists() else []
    return [pytest.param(*block, id=f"{document}-{i}") for i, block in enumerate(blocks)]


@pytest.mark.parametrize(("code", "text"), [*programs("README.md"), *programs("COMING_FROM.md")])
def test_programs_in_documents(code, text):
    """A program runs, and prints the text block that follows it. It is skipped without the library that it compares."""
    output = io.StringIO()
    try:
        with contextlib.redirect_stdout(output):
            exec(compile(code, "program", "exec"), {})
    except ImportError as error:
        if "graze" in str(error):
            raise
        pytest.skip(str(error))
    if text:
        assert output.getvalue() == text


def test_documents_have_programs():
    for document, count in (("README.md", 2), ("COMING_FROM.md", 4)):
        assert len(programs(document)) == count or not (FOLDER / document).exists()


@pytest.mark.skipif(not (FOLDER / "tutorial.ipynb").exists(), reason="the tutorial is not here")
def test_tutorial(capsys):
    """The cells of the tutorial run, and print what the notebook shows."""
    variables = {}
    for cell in json.loads((FOLDER / "tutorial.ipynb").read_text())["cells"]:
        if cell["cell_type"] != "code":
            continue
        exec(compile("".join(cell["source"]), "tutorial", "exec"), variables)
        printed = capsys.readouterr().out
        shown = "".join("".join(output["text"]) for output in cell["outputs"] if output["output_type"] == "stream")
        assert printed == shown


@pytest.mark.skipif(not (FOLDER / "examples/placements.py").exists(), reason="the example is not here")
def test_example(tmp_path):
    """The example runs. It compares its answers with those of the libraries that are installed."""
    program = [sys.executable, FOLDER / "examples/placements.py", "--count", "200", "--threads", "2"]
    if importlib.util.find_spec("matplotlib"):
        program += ["--plot", tmp_path / "plot.png"]
    output = subprocess.run(program, capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert re.search(r"Graze .* \d+ of 200 in contact, 0 differ", output)
    assert "--plot" not in program or (tmp_path / "plot.png").stat().st_size > 1000
