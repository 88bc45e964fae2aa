"""Runs query lines (docs/guide/command-line.md) through the module; the answers have the form of `graze query`."""

import json
import math
from pathlib import Path

import graze

FIELDS = {
    "point": (),
    "segment": ("vertices",),
    "triangle": ("vertices",),
    "box": ("half_extents",),
    "circle": ("radius",),
    "sphere": ("radius",),
    "ellipse": ("radii",),
    "ellipsoid": ("radii",),
    "cylinder": ("radius", "half_length"),
    "cone": ("radius", "half_length"),
    "capsule": ("radius", "half_length"),
}
METHODS = {"auto": "AUTO", "gjk": "GJK", "exact": "EXACT", "epa": "EPA"}
CASTS = {"auto": "AUTO", "fccd": "FCCD", "sweep": "SWEEP", "ca": "CA"}


def read(path):
    """The lines of a file as dictionaries."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines() if line.strip()]


def shape_of(body, dim):
    kind = body["type"]
    if kind in FIELDS:
        arguments = [body[field] for field in FIELDS[kind]]
        if kind in ("segment", "triangle", "box", "ellipse", "ellipsoid"):
            arguments = arguments[0]
        suffix = "2" if dim == 2 and kind in ("point", "capsule") else ""
        return getattr(graze, kind + suffix)(*arguments)
    if kind == "halfspace":
        return graze.halfspace(body["normal"], body["offset"])
    if kind == "polygon" and body.get("concave"):
        return graze.decompose(body["vertices"], body.get("holes") or ()).shape
    if kind == "polygon":
        return graze.polygon(body["vertices"])
    if kind == "hull":
        return graze.hull_points(body["vertices"])
    if kind == "compound":
        return graze.compound([place(part, dim) for part in body["parts"]])
    faces = body["triangles"] if dim == 3 else body["edges"]
    return graze.mesh(body["vertices"], faces, surface=body.get("solid") is False)


def place(body, dim):
    position = body.get("position") or (0,) * dim
    shape = shape_of(body, dim).with_margin(body.get("margin") or 0)
    return graze.place(shape, graze.Pose(position, body.get("rotation")))


def is_supported(line):
    """Whether the module has the query and the method. Methods for comparison are not available."""
    query = line["query"]
    if "start" in line or line.get("filter") or "file" in line["a"] or "file" in (line.get("b") or {}):
        return False
    if query in ("shapecast", "toi"):
        return line.get("method", "auto") in CASTS
    if query in ("intersect", "distance", "penetration", "manifold"):
        return line.get("method", "auto") in METHODS
    return query in ("raycast", "aabb") and line.get("method", "auto") == "auto"


def answer(line):
    """The answer line as a dictionary, and the function that verifies it."""
    dim = line.get("dim") or 3
    a = place(line["a"], dim)
    if line["query"] == "aabb":
        low, high = graze.bounds(a)
        return {"min": low, "max": high}, None
    if line["query"] == "raycast":
        return cast_answer(line, ray(line, a))
    b = place(line["b"], dim)
    if line["query"] in ("shapecast", "toi"):
        return cast_answer(line, cast(line, a, b))
    options = {key: line[key] for key in ("clearance", "tolerance", "max_iterations") if line.get(key) is not None}
    if line["query"] == "manifold":
        within = line.get("max_distance")
        found, contacts = graze.manifold(
            a, b, speculative_distance=1e40 if within is None else within, full=line.get("full", False), **options
        )
        points = [(c.point_a, c.point_b, c.depth, f"{c.feature:016x}") for c in contacts]
        return {"distance": found.distance, "points": points}, None
    if line.get("max_distance") is not None:
        options["max_distance"] = line["max_distance"]
    options["method"] = graze.Method[METHODS[line.get("method", "auto")]]
    options["proof"] = bool(line.get("proof"))
    query = graze.intersect if line["query"] == "intersect" else graze.distance
    return pair_answer(line, query(a, b, **options))


def words(stop):
    return {"CUTOFF": "beyond max_distance", "BUDGET": "budget"}.get(stop.name, stop.name.lower())


def pair_answer(line, answer):
    result = {"relation": answer.relation.name.lower(), "exact": answer.exact, "iterations": answer.iterations}
    if line["query"] != "intersect":
        for key in ("distance", "lower", "upper", "point_a", "point_b", "normal"):
            result[key] = getattr(answer, key)
    if line.get("certificate") is not False:
        result["certificate"] = answer.certificate
    return result, answer.verify


def motion(line, side, dim):
    given = line["motion"]
    velocity = given.get(f"velocity_{side}") or (0,) * dim
    return graze.Motion(velocity, given.get(f"angular_velocity_{side}"))


def limit(line):
    t_max = line["motion"].get("t_max")
    return math.inf if t_max is None else t_max


def cast(line, a, b):
    dim = line.get("dim") or 3
    options = {key: line[key] for key in ("clearance", "tolerance", "max_iterations") if line.get(key) is not None}
    options["method"] = graze.CastMethod[CASTS[line.get("method", "auto")]]
    return graze.cast(a, motion(line, "a", dim), b, motion(line, "b", dim), limit(line), proof=bool(line.get("proof")), **options)


def ray(line, a):
    options = {key: line[key] for key in ("clearance", "tolerance", "max_iterations") if line.get(key) is not None}
    return graze.raycast(a, line["motion"]["origin"], line["motion"]["direction"], limit(line), **options)


def cast_answer(line, found):
    result = {key: getattr(found, key) for key in ("t", "t_lower", "t_upper", "point", "normal", "exact", "iterations")}
    if line["query"] == "raycast":
        result["hit"] = bool(found)
    else:
        result["result"] = found.outcome.name.lower()
        result["starts"] = found.start_relation.name.lower()
        result["position_a"], result["position_b"] = found.position_a, found.position_b
    if line.get("certificate") is not False:
        result["certificate"] = found.certificate
    return result, found.verify


# ---- Comparison with the command


def plain(value):
    """JSON values: tuples become lists, numbers that are not finite None, and whole numbers floats."""
    if isinstance(value, dict):
        return {key: plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        values = [plain(member) for member in value]
        return None if values and all(member is None for member in values) else values
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    return float(value) if math.isfinite(value) else None
