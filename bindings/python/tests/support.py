"""Shapes and poses for tests. Random numbers come from the generator that a test seeds."""

import threading
import time

import graze
import numpy as np

CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
TETRAHEDRON = ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])


def shapes_3d():
    """One shape of each kind."""
    return [
        graze.point(),
        graze.segment((0, 0, -1), (0, 0, 1)),
        graze.triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
        graze.box(0.5, 1, 1.5),
        graze.hull(CUBE),
        graze.hull_points([*CUBE, (0, 0, 0)]),
        graze.sphere(1),
        graze.capsule(0.5, 1),
        graze.ellipsoid(0.5, 1, 1.5),
        graze.cylinder(1, 0.5),
        graze.cone(1, 1),
        graze.halfspace((0, 0, 1), -4),
        graze.box(1, 1, 1).with_margin(0.25),
        graze.compound([graze.place(graze.box(1, 1, 1)), graze.place(graze.sphere(1), (2, 0, 0))]),
        graze.mesh(*TETRAHEDRON),
        graze.mesh(*TETRAHEDRON, surface=True),
    ]


def shapes_2d():
    """One shape of each kind."""
    return [
        graze.point2(),
        graze.segment((0, -1), (0, 1)),
        graze.triangle((0, 0), (1, 0), (0, 1)),
        graze.box(0.5, 1),
        graze.polygon([(0, 0), (2, 0), (2, 1), (0, 1)]),
        graze.hull([(0, 0), (2, 0), (1, 3), (1, 1)]),
        graze.circle(1),
        graze.capsule2(0.5, 1),
        graze.ellipse(0.5, 1),
        graze.halfspace((0, 1), -4),
        graze.decompose([(0, 0), (4, 0), (4, 4), (2, 1)]).shape,
        graze.mesh([(0, 0), (1, 0), (0, 1)], [(0, 1), (1, 2), (2, 0)]),
    ]


def random_poses(generator, count, dim, size=4.0):
    """Poses of shape (count, 7), in 2D (count, 4)."""
    positions = generator.uniform(-size, size, (count, dim))
    rotations = generator.normal(size=(count, 4 if dim == 3 else 2))
    return np.concatenate([positions, rotations], axis=1)


def pose(row):
    """A row of an array of poses as a Pose."""
    dim = 3 if len(row) == 7 else 2
    return graze.Pose(row[:dim], row[dim:])


def longest_gap(function):
    """The time that a call takes, and the longest time in which another thread does not run, in seconds."""
    started, stop, gaps = threading.Event(), threading.Event(), [0.0]

    def watch():
        last = time.perf_counter()
        while not stop.is_set():
            started.set()
            time.sleep(0.001)
            now = time.perf_counter()
            gaps[0], last = max(gaps[0], now - last), now

    thread = threading.Thread(target=watch)
    thread.start()
    started.wait()
    start = time.perf_counter()
    function()
    took = time.perf_counter() - start
    stop.set()
    thread.join()
    return took, gaps[0]
