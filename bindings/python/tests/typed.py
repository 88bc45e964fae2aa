"""A program that type checkers read: mypy and pyright, both strict."""

import graze
import numpy as np
from typing_extensions import assert_type

box: graze.Shape = graze.box(1, 2, 3)
placed = graze.place(box, (1.0, 2.0, 3.0))
graze.place(box, graze.Pose((1, 2, 3), (1, 0, 0, 0)))
graze.place(box, np.eye(4))
graze.place(box, ((1, 2, 3), (1, 0, 0, 0)))

answer = graze.distance(placed, placed, clearance=0.5, proof=True)
assert_type(answer, graze.Answer)
assert_type(answer.relation, graze.Relation)
assert_type(answer.distance, float)
assert_type(answer.normal, tuple[float, ...])
assert_type(answer.verify(), bool)

result = graze.cast(placed, (1, 0, 0), placed, graze.Motion((0, 1, 0), (0, 0, 1)))
assert_type(result, graze.CastResult)
assert_type(graze.raycast(placed, np.zeros(3), (1, 0, 0)).t, float)

hull = graze.Hull(np.random.rand(10, 3))
assert_type(hull.faces, list[list[int]])
mesh = graze.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
contacts = graze.manifold(placed, graze.place(mesh))[1]
assert_type(contacts, list[graze.Contact])

shapes = graze.Shapes([box, graze.sphere(1)])
record = graze.distance(shapes, np.zeros((100, 1, 7)), box, None, threads=2)
assert_type(record, graze.Distances)
inside = record.relation == graze.Relation.OVERLAPPING
touching = graze.intersect(shapes, None, box, [(0, 0, 0)])
assert_type(touching, graze.Relations)

scene = graze.Scene(dim=2)
body = scene.add(graze.circle(1), (0, 0), motion=(1, 0), type=graze.BodyType.KINEMATIC)
assert_type(body, graze.Body)
for event in scene.step(0.1).events:
    assert_type(event.kind, graze.EventKind)
scene.move(body, (1, 0), lambda moved, other: graze.CollisionResponse.SLIDE)

page: str = graze.explain(answer).html

try:
    graze.sphere(-1)
except graze.Error as error:
    assert_type(error.status, graze.Status)
