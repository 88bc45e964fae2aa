"""Explanations: how a query was computed and why its answer holds."""

from __future__ import annotations

import html
import json
import math
from pathlib import Path
from typing import Any

from . import _graze
from ._graze import Answer, CastResult, Placed, Pose, Shape, ShapeKind

__all__ = ["Explanation", "explain"]

_MEMBERS = {
    ShapeKind.BOX: ("half_extents",),
    ShapeKind.SPHERE: ("radius",),
    ShapeKind.CAPSULE: ("radius", "half_length"),
    ShapeKind.CYLINDER: ("radius", "half_length"),
    ShapeKind.CONE: ("radius", "half_length"),
    ShapeKind.ELLIPSOID: ("radii",),
    ShapeKind.HALFSPACE: ("normal", "offset"),
    ShapeKind.SEGMENT: ("vertices",),
    ShapeKind.TRIANGLE: ("vertices",),
    ShapeKind.POLYGON: ("vertices",),
    ShapeKind.HULL: ("vertices",),
    ShapeKind.MESH: ("vertices",),
}


def _body(shape: Shape, pose: Pose) -> dict[str, Any]:
    word = shape.kind.name.lower()
    if shape.dim == 2:
        word = {"sphere": "circle", "ellipsoid": "ellipse"}.get(word, word)
    body: dict[str, Any] = {"type": word}
    for member in _MEMBERS.get(shape.kind, ()):
        body[member] = getattr(shape, member)
    if shape.kind is ShapeKind.MESH:
        body["triangles" if shape.dim == 3 else "edges"] = shape.faces
        body["solid"] = shape.is_solid
    if shape._outline:
        vertices, holes, _ = shape._outline
        body |= {"type": "polygon", "concave": "decompose", "vertices": vertices, "holes": holes}
    elif shape.kind is ShapeKind.COMPOUND:
        body["parts"] = [_body(part.shape, part.pose) for part in shape.parts]
    if shape.margin > 0:
        body["margin"] = shape.margin
    return body | {"position": pose.position, "rotation": pose.rotation}


def query_line(result: Answer | CastResult) -> str:
    """The query as a line for `graze query` and `graze explain`. Support functions have no line."""
    a: Placed = result._target if isinstance(result, CastResult) else result.a
    line: dict[str, Any] = {"query": "distance", "dim": a.dim, "a": _body(a.shape, a.pose)}
    if isinstance(result, Answer):
        line["query"] = "intersect" if result.is_relation_only else "distance"
        line["b"] = _body(result.b.shape, result.b.pose)
    elif result.is_ray:
        ray = {"type": "ray", "origin": result.b.pose.position, "direction": result.motion_b.velocity}
        line |= {"query": "raycast", "motion": ray}
    else:
        turns = any(any(m.angular) if isinstance(m.angular, tuple) else m.angular for m in _motions(result))
        line |= {"query": "toi" if turns else "shapecast", "b": _body(result.b.shape, result.b.pose)}
        motion: dict[str, Any] = {"type": "rotational" if turns else "linear"}
        for side, moved in zip("ab", _motions(result)):
            motion[f"velocity_{side}"] = moved.velocity
            if turns:
                motion[f"angular_velocity_{side}"] = moved.angular
        line["motion"] = motion
    if isinstance(result, CastResult):
        line["motion"]["t_max"] = None if math.isinf(result.t_max) else result.t_max
    line |= _graze._query_options(result)
    return json.dumps(line, separators=(",", ":"))


def _motions(result: CastResult) -> tuple[Any, Any]:
    return result.motion_a, result.motion_b


class Explanation:
    """An explanation as text, as a picture (2D) and as a page that shows the query step by step.

    A notebook shows the picture or the page.
    """

    def __init__(self, text: str, svg: str | None, page: str) -> None:
        self.text = text
        """Plain text."""
        self.svg = svg
        """A picture; None in 3D."""
        self.html = page
        """A complete page, without references to other files."""

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Explanation: {self.text.splitlines()[0]}>"

    def _repr_svg_(self) -> str | None:
        return self.svg

    def _repr_html_(self) -> str | None:
        if self.svg is not None:
            return None
        page = html.escape(self.html, quote=True)
        return f'<iframe srcdoc="{page}" width="100%" height="720" style="border:0"></iframe>'

    def save(self, path: str | Path) -> None:
        """Writes the form that the suffix names: .svg, .html, otherwise text."""
        suffix = Path(path).suffix.lower()
        form = {".svg": self.svg, ".html": self.html}.get(suffix, self.text)
        if form is None:
            raise ValueError(f"path: {str(path)!r}, must not end with .svg for a 3D query")
        Path(path).write_text(form, encoding="utf-8")


def explain(result: Answer | CastResult) -> Explanation:
    """Explains an answer or the result of a cast.

    >>> import graze
    >>> answer = graze.distance(graze.place(graze.box(1, 1)), graze.place(graze.circle(1), (4, 0)))
    >>> explanation = graze.explain(answer)
    >>> print(explanation.text.splitlines()[0])
    distance in 2D: A is a box of half extents (1, 1), B is a circle of radius 1
    >>> explanation.svg.startswith("<svg")
    True
    """
    if not isinstance(result, (Answer, CastResult)):
        raise TypeError(f"result: {result!r}, must be an Answer or a CastResult")
    return Explanation(*_graze._explain(result, query_line(result)))
