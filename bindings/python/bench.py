"""Measures Graze beside python-fcl, Coal, trimesh's manager, MuJoCo, PyBullet and Shapely 2, in one run.

usage: bench.py [--pairs N] [--placements N] [--rounds N] [--json FILE]

Libraries that are not installed are left out:  pip install python-fcl coal trimesh scipy mujoco pybullet shapely
Each figure is the best of some interleaved rounds. Times are µs for each pair or placement. `error` is the largest
difference from the proved interval of Graze, over pairs that are separated. Tasks:

boxes       distances of N random pairs of boxes in 3D, one call for each pair (Graze: also as arrays)
hulls       the same for convex hulls of 20 points
polygons    distances of N random pairs of convex polygons in 2D, as arrays if the library has them
placements  N placements of a hull among 200 boxes: which are in contact?
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator
from importlib import import_module, metadata, util
from pathlib import Path

# In place of this folder, whose graze is without the compiled module.
sys.path[0] = str(Path(__file__).resolve().parent / "examples")

import graze  # noqa: E402
import numpy as np  # noqa: E402
import placements as example  # noqa: E402

Run = Callable[[], np.ndarray]


class Pairs:
    """Random pairs of two shapes with their poses, of which about one tenth overlap."""

    def __init__(self, kind: str, count: int) -> None:
        generator = np.random.default_rng(7)
        self.kind, self.count = kind, count
        dim = 2 if kind == "polygons" else 3
        rotations = (count,) if dim == 2 else (count, 4)
        make = generator.uniform if dim == 2 else lambda low, high, size: generator.normal(size=size)
        self.a = graze.poses(generator.uniform(-3, 3, (count, dim)), make(-3, 3, rotations))
        self.b = graze.poses(generator.uniform(-3, 3, (count, dim)), make(-3, 3, rotations))
        points = generator.normal(size=(2, 20, dim)) * 0.6
        self.half = np.array([(0.5, 0.6, 0.7), (0.4, 0.8, 0.3)])
        if kind == "boxes":
            self.shapes = [graze.box(*half) for half in self.half]
        else:
            self.shapes = [graze.hull(cloud) for cloud in points]
        self.vertices = [np.array(shape.vertices) for shape in self.shapes]

    def faces(self, side: int) -> np.ndarray:
        faces = graze.Hull(self.vertices[side]).faces
        return np.array([(f[0], f[i], f[i + 1]) for f in faces for i in range(1, len(f) - 1)])


def unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


# ---- One function for each library: the runs that it has for a kind of pairs


def graze_runs(pairs: Pairs) -> Iterator[tuple[str, Run]]:
    a, b = (graze.place(shape) for shape in pairs.shapes)
    dim = a.dim
    poses = [[graze.Pose(row[:dim], row[dim:]) for row in side] for side in (pairs.a, pairs.b)]
    placed = [(a.with_pose(p), b.with_pose(q)) for p, q in zip(*poses)]
    out = graze.Distances.empty(pairs.count, dim)

    def arrays(threads: int) -> Run:
        return lambda: graze.distance(
            pairs.shapes[0], pairs.a, pairs.shapes[1], pairs.b, out, threads=threads
        ).distance

    yield "Graze, one by one", lambda: np.array([graze.distance(p, q).distance for p, q in placed])
    yield "Graze, arrays", arrays(1)
    yield "Graze, arrays, 2 threads", arrays(2)


def fcl_runs(pairs: Pairs) -> Iterator[tuple[str, Run]]:
    fcl = import_module("fcl")
    if pairs.kind == "polygons":
        return
    geometries = []
    for side in range(2):
        faces = pairs.faces(side)
        corners = np.concatenate([np.full((len(faces), 1), 3), faces], axis=1).reshape(-1)
        box = fcl.Box(*(2 * pairs.half[side]))
        geometries.append(box if pairs.kind == "boxes" else fcl.Convex(pairs.vertices[side], len(faces), corners))
    objects = [
        [fcl.CollisionObject(geometry, fcl.Transform(unit(row[3:]), row[:3])) for row in rows]
        for geometry, rows in zip(geometries, (pairs.a, pairs.b))
    ]
    request = fcl.DistanceRequest(enable_signed_distance=True)
    yield "python-fcl", lambda: np.array([fcl.distance(p, q, request, fcl.DistanceResult()) for p, q in zip(*objects)])


def coal_runs(pairs: Pairs) -> Iterator[tuple[str, Run]]:
    coal = import_module("coal")
    if pairs.kind == "polygons":
        return
    geometries = []
    for side in range(2):
        model = coal.BVHModelOBBRSS()
        faces = pairs.faces(side)
        model.beginModel(len(faces), len(pairs.vertices[side]))
        for face in faces:
            model.addTriangle(*pairs.vertices[side][face])
        model.endModel()
        model.buildConvexHull(True, "Qt")
        sizes = [float(2 * half) for half in pairs.half[side]]
        geometries.append((coal.Box(*sizes) if pairs.kind == "boxes" else model.convex, model))
    places = [[example.transform(coal, row) for row in rows] for rows in (pairs.a, pairs.b)]
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    first, second = (geometry for geometry, _ in geometries)

    def run() -> np.ndarray:
        distances = np.empty(pairs.count)
        for i, (p, q) in enumerate(zip(*places)):
            result.clear()
            distances[i] = coal.distance(first, p, second, q, request, result)
        return distances

    yield "Coal", run


def mujoco_runs(pairs: Pairs) -> Iterator[tuple[str, Run]]:
    mujoco = import_module("mujoco")
    if pairs.kind != "boxes":
        return
    geoms = "".join(f'<geom type="box" size="{x} {y} {z}"/>' for x, y, z in pairs.half)
    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{geoms}</worldbody></mujoco>")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    matrices = np.empty((2, pairs.count, 9))
    for side, rows in enumerate((pairs.a, pairs.b)):
        for i, quaternion in enumerate(unit(rows[:, 3:])):
            mujoco.mju_quat2Mat(matrices[side, i], quaternion)
    ends = np.empty(6)

    def run() -> np.ndarray:
        distances = np.empty(pairs.count)
        for i in range(pairs.count):
            data.geom_xpos[0], data.geom_xpos[1] = pairs.a[i, :3], pairs.b[i, :3]
            data.geom_xmat[0], data.geom_xmat[1] = matrices[0, i], matrices[1, i]
            distances[i] = mujoco.mj_geomDistance(model, data, 0, 1, 100.0, ends)
        return distances

    yield "MuJoCo", run


def bullet_runs(pairs: Pairs) -> Iterator[tuple[str, Run]]:
    bullet = import_module("pybullet")
    if pairs.kind == "polygons":
        return
    if not bullet.isConnected():
        bullet.connect(bullet.DIRECT)
    bodies = []
    for side in range(2):
        if pairs.kind == "boxes":
            shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=pairs.half[side].tolist())
        else:
            shape = bullet.createCollisionShape(bullet.GEOM_MESH, vertices=pairs.vertices[side].tolist())
        bodies.append(bullet.createMultiBody(0, shape))
    rows = [
        [(row[:3].tolist(), unit(row[3:])[[1, 2, 3, 0]].tolist()) for row in side] for side in (pairs.a, pairs.b)
    ]

    def run() -> np.ndarray:
        distances = np.empty(pairs.count)
        for i, (p, q) in enumerate(zip(*rows)):
            bullet.resetBasePositionAndOrientation(bodies[0], *p)
            bullet.resetBasePositionAndOrientation(bodies[1], *q)
            points = bullet.getClosestPoints(bodies[0], bodies[1], 100.0)
            distances[i] = min(point[8] for point in points) if points else np.nan
        return distances

    yield "PyBullet", run


def shapely_runs(pairs: Pairs) -> Iterator[tuple[str, Run]]:
    shapely = import_module("shapely")
    if pairs.kind != "polygons":
        return
    polygons = []
    for side, rows in enumerate((pairs.a, pairs.b)):
        matrices = [graze.Pose(row[:2], row[2:]).to_matrix() for row in rows]
        corners = np.array(matrices)[:, None, :2, :2] @ pairs.vertices[side][None, :, :, None]
        polygons.append(shapely.polygons(corners[..., 0] + rows[:, None, :2]))
    yield "Shapely 2, arrays", lambda: shapely.distance(*polygons)


LIBRARIES: dict[str, tuple[str, str, Callable[[Pairs], Iterator[tuple[str, Run]]]]] = {
    "Graze": ("graze", "graze", graze_runs),
    "python-fcl": ("fcl", "python-fcl", fcl_runs),
    "Coal": ("coal", "coal", coal_runs),
    "MuJoCo": ("mujoco", "mujoco", mujoco_runs),
    "PyBullet": ("pybullet", "pybullet", bullet_runs),
    "Shapely": ("shapely", "shapely", shapely_runs),
}


# ---- Placements


def trimesh_placements(task: example.Task) -> Run:
    trimesh = import_module("trimesh")
    manager = trimesh.collision.CollisionManager()
    for i, (half, row) in enumerate(zip(task.half_extents, task.obstacles)):
        box = trimesh.creation.box(2 * half)
        manager.add_object(str(i), box, np.array(graze.Pose(row[:3], row[3:]).to_matrix()))
    points, faces = task.triangles()
    part = trimesh.Trimesh(points, faces, process=False)
    matrices = [np.array(graze.Pose(row[:3], row[3:]).to_matrix()) for row in task.placements]
    return lambda: np.array([manager.in_collision_single(part, matrix) for matrix in matrices])


def placement_runs(task: example.Task) -> Iterator[tuple[str, Run]]:
    yield "Graze, one compound", example.with_graze(task, 1)
    yield "Graze, scene", scene_placements(task)
    for name, modules, make in (
        ("python-fcl, manager", ("fcl",), example.with_fcl),
        ("Coal, manager", ("coal",), example.with_coal),
        ("trimesh, manager", ("trimesh", "fcl", "scipy"), trimesh_placements),
    ):
        if all(util.find_spec(module) for module in modules):
            yield name, make(task)


def scene_placements(task: example.Task) -> Run:
    scene = graze.Scene()
    for half, row in zip(task.half_extents, task.obstacles):
        scene.add(graze.box(*half), row, type=graze.BodyType.STATIC)
    part = graze.place(task.part.shape)
    rows = [tuple(row) for row in task.placements.tolist()]
    return lambda: np.array([scene.overlap_any(part.with_pose(row)) is not None for row in rows])


# ---- Measuring


def measure(runs: dict[str, Run], rounds: int) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """The best time of each run in seconds, of interleaved rounds; and its results."""
    best, results = dict.fromkeys(runs, float("inf")), {}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            results[name] = run()
            best[name] = min(best[name], time.perf_counter() - start)
    return best, results


def pair_rows(kind: str, count: int, rounds: int) -> list[dict[str, object]]:
    pairs = Pairs(kind, count)
    made = [make(pairs) for module, _, make in LIBRARIES.values() if util.find_spec(module)]
    runs = {name: run for generator in made for name, run in generator}
    best, results = measure(runs, rounds)
    proved = graze.distance(pairs.shapes[0], pairs.a, pairs.shapes[1], pairs.b)
    separated = proved.relation == graze.Relation.SEPARATED
    rows: list[dict[str, object]] = []
    for name, seconds in best.items():
        values = results[name][separated]
        error = np.maximum(proved.lower[separated] - values, values - proved.upper[separated])
        rows.append({"task": kind, "run": name, "µs": 1e6 * seconds / count, "error": float(np.nanmax(np.append(error, 0)))})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=10_000)
    parser.add_argument("--placements", type=int, default=2_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    arguments = parser.parse_args()
    rows = [row for kind in ("boxes", "hulls", "polygons") for row in pair_rows(kind, arguments.pairs, arguments.rounds)]
    task = example.Task(arguments.placements)
    best, results = measure(dict(placement_runs(task)), arguments.rounds)
    expected = results["Graze, one compound"]
    for name, seconds in best.items():
        differ = int((results[name] != expected).sum())
        rows.append({"task": "placements", "run": name, "µs": 1e6 * seconds / arguments.placements, "error": differ})
    versions = {"Python": platform.python_version(), "graze": graze.__version__}
    for module, package, _ in LIBRARIES.values():
        if util.find_spec(module) and package != "graze":
            versions[package] = metadata.version(package)
    print(", ".join(f"{name} {version}" for name, version in versions.items()))
    print("\n| task | library | µs | error |\n|---|---|---|---|")
    for row in rows:
        print(f"| {row['task']} | {row['run']} | {row['µs']:.3f} | {row['error']:.1e} |")
    if arguments.json:
        Path(arguments.json).write_text(json.dumps({"versions": versions, "rows": rows}, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
