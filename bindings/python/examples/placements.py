"""10,000 random placements of a part among 200 obstacles: which are free, and how far is the nearest obstacle?

usage: placements.py [--count N] [--threads N] [--plot FILE.png]

Graze computes all placements in one call, against one shape with a tree over the obstacles. python-fcl and Coal, if they
are installed, compute the same placements one by one with their broad phase. The plot needs matplotlib.
"""

from __future__ import annotations

import argparse
import importlib
import time
from collections.abc import Callable
from typing import Any

import graze
import numpy as np
import numpy.typing as npt

SIZE = 30.0
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Task:
    """The part, the obstacles, and the placements."""

    def __init__(self, count: int, seed: int = 1) -> None:
        generator = np.random.default_rng(seed)
        self.part = graze.Hull(generator.normal(size=(60, 3)) * (1.0, 0.6, 0.4))
        self.half_extents = generator.uniform(0.3, 1.5, (200, 3))
        self.obstacles = graze.poses(generator.uniform(0, SIZE, (200, 3)), generator.normal(size=(200, 4)))
        self.compound = graze.compound(  # one shape with a tree over the boxes
            [graze.place(graze.box(*half), row) for half, row in zip(self.half_extents, self.obstacles)]
        )
        self.placements = graze.poses(generator.uniform(0, SIZE, (count, 3)), generator.normal(size=(count, 4)))

    def triangles(self) -> tuple[Floats, npt.NDArray[np.int64]]:
        """The surface of the part, for libraries that need triangles."""
        faces = [(f[0], f[i], f[i + 1]) for f in self.part.faces for i in range(1, len(f) - 1)]
        return np.array(self.part.vertices), np.array(faces)


def with_graze(task: Task, threads: int) -> Callable[[], Flags]:
    def run() -> Flags:
        pairs = graze.intersect(task.part.shape, task.placements, task.compound, None, threads=threads)
        return np.asarray(pairs.relation != graze.Relation.SEPARATED)

    return run


def clearances(task: Task, threads: int) -> Floats:
    """The distance of each placement from the nearest obstacle; negative: minus the depth in one of them."""
    pairs = graze.distance(
        task.part.shape, task.placements, task.compound, None, fields=["distance"], threads=threads
    )
    return np.asarray(pairs.distance)


def unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=-1, keepdims=True))


def with_fcl(task: Task) -> Callable[[], Flags]:
    fcl = importlib.import_module("fcl")
    points, faces = task.triangles()
    corners = np.concatenate([np.full((len(faces), 1), 3), faces], axis=1).reshape(-1)
    part = fcl.CollisionObject(fcl.Convex(points, len(faces), corners), fcl.Transform())
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(
        [
            fcl.CollisionObject(fcl.Box(*(2 * half)), fcl.Transform(unit(row[3:]), row[:3]))
            for half, row in zip(task.half_extents, task.obstacles)
        ]
    )
    manager.setup()

    def run() -> Flags:
        hits = np.zeros(len(task.placements), dtype=bool)
        for i, row in enumerate(task.placements):
            part.setTransform(fcl.Transform(unit(row[3:]), row[:3]))
            data = fcl.CollisionData()
            manager.collide(part, data, fcl.defaultCollisionCallback)
            hits[i] = data.result.is_collision
        return hits

    return run


def with_coal(task: Task) -> Callable[[], Flags]:
    coal = importlib.import_module("coal")
    points, faces = task.triangles()
    model = coal.BVHModelOBBRSS()
    model.beginModel(len(faces), len(points))
    for face in faces:
        model.addTriangle(*points[face])
    model.endModel()
    model.buildConvexHull(True, "Qt")
    part = coal.CollisionObject(model.convex, coal.Transform3s())
    manager = coal.DynamicAABBTreeCollisionManager()
    obstacles = []
    for half, row in zip(task.half_extents, task.obstacles):
        x, y, z = (float(2 * h) for h in half)
        obstacles.append(coal.CollisionObject(coal.Box(x, y, z), transform(coal, row)))
        manager.registerObject(obstacles[-1])
    manager.setup()

    def run() -> Flags:
        hits = np.zeros(len(task.placements), dtype=bool)
        for i, row in enumerate(task.placements):
            part.setTransform(transform(coal, row))
            part.computeAABB()
            callback = coal.CollisionCallBackDefault()
            manager.collide(part, callback)
            hits[i] = callback.data.result.isCollision()
        return hits

    return run


def transform(coal: Any, row: Floats) -> Any:
    return coal.Transform3s(coal.Quaternion(*unit(row[3:])), row[:3].copy())


def plot(path: str, task: Task, hits: Flags, gaps: Floats, times: dict[str, float]) -> None:
    pyplot = importlib.import_module("matplotlib.pyplot")
    figure, (left, middle, right) = pyplot.subplots(1, 3, figsize=(15, 4.5), layout="constrained")
    x, y = task.placements[:, 0], task.placements[:, 1]
    left.scatter(x[hits], y[hits], s=2, color="#d0021b", label=f"in contact ({hits.sum()})")
    left.scatter(x[~hits], y[~hits], s=2, color="#4a90d9", label=f"free ({(~hits).sum()})")
    left.set(title="Placements from above", xlabel="x", ylabel="y", aspect="equal")
    figure.legend(loc="outside lower left", ncols=2, markerscale=5)
    middle.hist(gaps, bins=60, color="#4a90d9")
    middle.axvline(0, color="#d0021b")
    middle.set(title="Distance from the nearest obstacle", xlabel="distance (< 0: minus the depth)", ylabel="placements")
    right.barh(list(times), [1e6 * seconds / len(hits) for seconds in times.values()], color="#4a90d9")
    right.invert_yaxis()
    right.set(title="Time for each placement", xlabel="µs")
    figure.savefig(path, dpi=120)
    print(f"wrote {path}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE")
    arguments = parser.parse_args()
    task = Task(arguments.count)
    libraries: dict[str, Callable[[Task], Callable[[], Flags]]] = {
        "Graze": lambda task: with_graze(task, arguments.threads),
        "python-fcl": with_fcl,
        "Coal": with_coal,
    }
    times: dict[str, float] = {}
    expected: Flags | None = None
    for name, prepare in libraries.items():
        try:
            run = prepare(task)
        except ImportError:
            print(f"{name:10}  not installed")
            continue
        start = time.perf_counter()
        hits = run()
        times[name] = time.perf_counter() - start
        expected = hits if expected is None else expected
        differ = int((hits != expected).sum())
        print(f"{name:10}  {times[name]:7.3f} s  {hits.sum()} of {len(hits)} in contact, {differ} differ from Graze")
    assert expected is not None
    start = time.perf_counter()
    gaps = clearances(task, arguments.threads)
    print(f"{'Graze':10}  {time.perf_counter() - start:7.3f} s  distances of {len(gaps)} placements")
    assert ((gaps <= 0) == expected).all()
    if arguments.plot:
        plot(arguments.plot, task, expected, gaps, times)


if __name__ == "__main__":
    main()
