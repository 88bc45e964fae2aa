"""Explanations: the same text as that of `graze explain`."""

import os
import shutil
import subprocess

import graze
import pytest
from graze._explain import query_line

TETRAHEDRON = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
COMMAND = os.environ.get("GRAZE") or shutil.which("graze")


def results():
    box, ball = graze.place(graze.box(1, 1)), graze.place(graze.circle(1).with_margin(0.5), (4, 0.25, 1.0))
    hull = graze.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    mesh = graze.place(graze.mesh(*TETRAHEDRON))
    compound = graze.compound([graze.place(graze.box(1, 1)), graze.place(graze.circle(1), (2, 2))])
    yield graze.distance(box, ball)
    yield graze.intersect(box, ball, clearance=0.5)
    yield graze.distance(box, ball, max_distance=1, tolerance=0.5, max_iterations=9, method=graze.Method.GJK)
    yield graze.distance(graze.place(hull), graze.place(hull, ((0.1, 0.1, 0.1), (3, 1, 0, 2))))
    yield graze.distance(mesh, graze.place(graze.cone(1, 2), (3, 0, 0)))
    yield graze.distance(graze.place(compound), ball)
    outline = graze.decompose([(0, 0), (6, 0), (6, 4), (3, 2), (0, 4)], [[(1, 0.5), (2, 0.5), (2, 1.5)]]).shape
    yield graze.distance(graze.place(outline, (0, 3)), ball)
    yield graze.cast(box, (9, 0), ball)
    yield graze.cast(box, graze.Motion((5, 0), 1.0), ball, t_max=2)
    yield graze.cast(box, (9, 0), ball, method=graze.CastMethod.SWEEP)
    yield graze.raycast(ball, (0, 0), (1, 0))
    yield graze.distance(graze.place(graze.halfspace((0, 1), 0)), ball)


def test_forms():
    for result in results():
        explanation = graze.explain(result)
        assert "checked exactly by the verifier: verified" in explanation.text
        assert explanation.html.startswith("<!DOCTYPE html>")
        flat = result.a.dim == 2
        assert (explanation._repr_svg_() is not None) == flat == (explanation._repr_html_() is None)


def test_shapes_of_support_functions_have_a_name():
    a, b = graze.place(graze.user(2, lambda direction: (0, 0))), graze.place(graze.circle(1), (3, 3))
    text = graze.explain(graze.distance(a, b)).text
    assert text.startswith("distance in 2D: A is a shape given by its support function, B is a circle of radius 1\n")


@pytest.mark.skipif(not COMMAND, reason="GRAZE names no command")
def test_same_text_as_the_command():
    for result in results():
        line = query_line(result)
        text = subprocess.run([COMMAND, "explain", line], capture_output=True, text=True, check=True).stdout
        assert graze.explain(result).text == text, line


def test_forms_are_saved(tmp_path):
    flat, solid = next(results()), graze.distance(graze.place(graze.point()), graze.place(graze.sphere(1)))
    for name in ("a.svg", "a.html", "a.txt"):
        graze.explain(flat).save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    with pytest.raises(ValueError, match="3D"):
        graze.explain(solid).save(tmp_path / "b.svg")


def test_other_objects_are_rejected():
    with pytest.raises(TypeError, match="Answer or a CastResult"):
        graze.explain("distance")


def test_the_explained_query_is_the_query():
    a, b = graze.place(graze.circle(1)), graze.place(graze.box(1, 1), (9, 0))
    cut = graze.distance(a, b, max_distance=2)
    assert cut.stopped is graze.Stop.CUTOFF
    assert "max_distance ended the search" in graze.explain(cut).text
    line = query_line(graze.distance(a, b, max_distance=2, tolerance=0.25, max_iterations=7, method=graze.Method.GJK))
    assert '"tolerance":0.25,"max_iterations":7,"method":"gjk","max_distance":2.0' in line
    swept = graze.cast(a, (9, 0), b, method=graze.CastMethod.SWEEP)
    assert '"method":"sweep"' in query_line(swept)
    assert graze.explain(swept).text != graze.explain(graze.cast(a, (9, 0), b)).text
