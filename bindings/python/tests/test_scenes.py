"""Scenes: bodies, steps, events, queries, moves, snapshots."""

import gc
import os
import resource
import signal
import threading
import time

import graze
import numpy as np
import pytest
from support import TETRAHEDRON, longest_gap


def hall(threads=1):
    scene = graze.Scene(dim=2, threads=threads)
    wall = scene.add(graze.box(1, 9), (10, 0), type=graze.BodyType.STATIC, user="wall")
    ball = scene.add(graze.circle(1), motion=(100, 0), response=graze.Response.STOP)
    return scene, wall, ball


def test_events_begin_persist_and_end():
    scene, wall, ball = hall()
    step = scene.step(0.5)
    assert [(event.kind, event.a, event.b) for event in step.events] == [(graze.EventKind.BEGIN, wall, ball)]
    assert step.events[0].t_lower == pytest.approx(0.08, rel=1e-5)
    assert [event.kind.name for event in scene.step(0.5).events] == ["STAY"]
    scene.set_motion(ball, (-10, 0))
    assert [event.kind.name for event in scene.step(0.5).events] == ["END"]


def test_bodies_have_members():
    scene, wall, ball = hall()
    assert len(scene) == 2 and list(scene) == [wall, ball] and wall in scene
    assert scene.user(wall) == "wall" and scene.get(ball)["response"] is graze.Response.STOP
    scene.set(ball, margin=0.5, shape=graze.box(2, 2))
    assert scene.get(ball)["margin"] == 0.5 and scene.placed(ball).shape == graze.box(2, 2)
    assert scene.motion(ball) == graze.Motion((100, 0), 0.0)
    scene.remove(wall)
    assert wall not in scene
    with pytest.raises(graze.Error) as caught:
        scene.pose(wall)
    assert caught.value.status is graze.Status.NO_BODY


def test_wrong_members_are_named():
    scene, _, ball = hall()
    wrong = {
        "shape": (3, None),
        "pose": ("x",),
        "motion": ("x", 3),
        "type": ("STATIC", 7),
        "category": (-1, "x", 2**64),
        "mask": (None,),
        "sensor": (1, None),
        "margin": (None, "x"),
        "response": (None, graze.BodyType.STATIC),
        "mass": ("x",),
        "bounce": ([],),
    }
    before = scene.get(ball)
    assert {*wrong, "user"} == {*before}
    for name, values in wrong.items():
        for value in values:
            with pytest.raises(TypeError, match=f"^{name}: .*, must be "):
                scene.set(ball, **{name: value})
    assert scene.get(ball) == before


def test_results_of_accept_are_true_or_false():
    scene, wall, ball = hall()
    box = graze.place(graze.box(20, 1))
    for yes, no in [(True, False), (1, 0), (np.bool_(True), np.bool_(False))]:
        assert scene.overlap(box, graze.Filter(accept=lambda body: yes if body == ball else no)) == [ball]
    with pytest.raises(TypeError, match="the result of accept: None, must be True or False"):
        scene.overlap(box, graze.Filter(accept=lambda body: None))
    with pytest.raises(ValueError, match="truth value"):
        scene.overlap(box, graze.Filter(accept=lambda body: np.zeros(2)))


def test_queries_answer_about_bodies():
    scene, wall, ball = hall()
    point = graze.place(graze.point2(), (5, 0))
    assert [body for body, _ in scene.within(point, 4)] == [wall, ball]
    assert scene.nearest(point)[0][1].distance == 4
    assert scene.nearest(point, 5)[0][1].verify()
    assert scene.in_box((-2, -2), (2, 2)) == [ball]
    assert scene.overlap(graze.place(graze.box(20, 1))) == [wall, ball]
    assert scene.overlap_any(graze.place(graze.box(1, 1), (50, 50))) is None
    body, hit = scene.raycast((5, 0), (1, 0))
    assert body == wall and hit.t == pytest.approx(4)
    assert [body for body, _ in scene.raycast_all((-5, 0), (1, 0))] == [ball, wall]
    assert scene.cast(graze.place(graze.circle(1), (5, 0)), (9, 0))[0] == wall
    assert scene.closest_pairs()[0][2].distance == 8
    assert scene.pairs() == []


def test_filters_select_bodies():
    scene, wall, ball = hall()
    box = graze.place(graze.box(20, 1))
    assert scene.overlap(box, graze.Filter(exclude=ball)) == [wall]
    assert scene.overlap(box, graze.Filter(accept=lambda body: body == ball)) == [ball]
    assert scene.overlap(box, graze.Filter(category=2, mask=0)) == []


def test_exceptions_of_callbacks_pass_through():
    scene, _, ball = hall()
    with pytest.raises(ZeroDivisionError):
        scene.overlap(graze.place(graze.box(20, 1)), graze.Filter(accept=lambda body: 1 // 0))
    with pytest.raises(RuntimeError, match="must not change"):
        scene.move(ball, (50, 0), lambda moved, other: scene.remove(other))
    with pytest.raises(TypeError, match="CollisionResponse"):
        scene.move(ball, (50, 0), lambda moved, other: "slide")
    assert scene.pose(ball).position == (0, 0)


def test_queries_in_callbacks_raise_their_own_exceptions():
    scene = graze.Scene(dim=2)
    bodies = [scene.add(graze.circle(1), (i, 0)) for i in range(3)]
    answers = []

    def accept(body):
        if not answers:
            answers.append(None)
            raise KeyError("first")
        answers.append(scene.overlap(graze.place(graze.circle(1), (1, 0))))
        return True

    with pytest.raises(KeyError, match="first"):
        scene.overlap(graze.place(graze.circle(1), (1, 0)), graze.Filter(accept=accept))
    assert answers == [None, bodies, bodies]


class Box:
    """A user shape whose support function can call another function once."""

    def __init__(self):
        self.call, self.errors = None, []
        self.shape = graze.user(3, self.support)

    def support(self, direction):
        call, self.call = self.call, None
        if call:
            call()
        return [1 if x > 0 else -1 for x in direction]


def scene_with_box():
    box, scene = Box(), graze.Scene()
    body, other = scene.add(box.shape), scene.add(graze.sphere(1), (1.5, 0, 0))
    return box, scene, body, other


CALLS = {
    "add": lambda box, scene, body, other: scene.add(box.shape),
    "set": lambda box, scene, body, other: scene.set(body, margin=0.5),
    "set_pose": lambda box, scene, body, other: scene.set_pose(body, (0.25, 0, 0)),
    "restore": lambda box, scene, body, other: scene.restore(scene.save()),
    "manifold": lambda box, scene, body, other: scene.manifold(body, other),
    "move": lambda box, scene, body, other: scene.move(body, (0, 1, 0)),
    "step": lambda box, scene, body, other: scene.step(0.5),
}


@pytest.mark.parametrize("name", CALLS)
def test_support_functions_must_not_change_the_scene(name):
    box, scene, body, other = scene_with_box()

    def change():
        try:
            scene.remove(body)
            for i in range(50):
                scene.add(graze.sphere(1), (i, 0, 0))
        except RuntimeError as error:
            box.errors.append(str(error))

    box.call = change
    CALLS[name](box, scene, body, other)
    assert len(box.errors) == 1 and ("must not change" in box.errors[0] or "in use" in box.errors[0])
    assert list(scene)[:2] == [body, other] and scene.get(body)["shape"].kind is graze.ShapeKind.USER


@pytest.mark.parametrize("count", range(8))
@pytest.mark.parametrize("name", CALLS)
def test_exceptions_of_support_functions_are_raised_by_their_call(name, count):
    box, scene, body, other = scene_with_box()

    def fail_later(calls):
        if calls == 0:
            raise KeyError("support")
        box.call = lambda: fail_later(calls - 1)

    box.call = lambda: fail_later(count)
    try:
        CALLS[name](box, scene, body, other)
    except KeyError:
        assert box.call is None
    else:
        assert box.call is not None
    box.call = None
    assert graze.distance(graze.place(graze.sphere(1)), graze.place(graze.sphere(1), (3, 0, 0))).distance == 1
    assert len(scene) == len([body for body in scene if scene.get(body)["shape"].dim == 3])


@pytest.mark.parametrize("place", [graze.place, lambda shape: graze.Scene().add(shape)])
def test_exceptions_of_support_functions_are_raised_at_once(place):
    with pytest.raises(ZeroDivisionError):
        place(graze.user(3, lambda direction: 1 // 0))
    box, scene, body, _ = scene_with_box()
    box.call = lambda: scene.missing
    with pytest.raises(AttributeError, match="missing"):
        scene.placed(body)
    box.call = lambda: scene.remove(body)
    assert scene.placed(body).pose == graze.Pose()


def test_queries_whose_bodies_are_removed_name_themselves():
    """A support function may remove a body after the query, before the answers refer to it."""
    for name, query in (
        ("within", lambda scene: scene.within(graze.place(graze.point(), (0.5, 0, 0)), 9)),
        ("nearest", lambda scene: scene.nearest(graze.place(graze.point(), (-0.5, 0, 0)), 3)),
        ("closest_pairs", lambda scene: scene.closest_pairs(9)),
    ):
        box, scene, _, _ = scene_with_box()
        last = scene.add(graze.sphere(1), (2, 0, 0))

        def remove():
            try:
                scene.remove(last)
            except RuntimeError:
                box.call = remove

        box.call = remove
        with pytest.raises(graze.Error, match=f"^{name}: the scene has no such body"):
            query(scene)
        assert len(scene) == 2


def test_moves_slide_and_stop():
    scene, wall, ball = hall()
    collisions = scene.move(ball, (20, 3))
    assert [collision.other for collision in collisions] == [wall]
    assert scene.pose(ball).position == pytest.approx((8, 3), abs=1e-3)


def test_snapshots_restore_the_state():
    scene, wall, ball = hall()
    hull = scene.add(graze.hull([(0, 0), (1, 0), (0, 1)]), (-9, -9))
    before = scene.save()
    scene.step(1)
    scene.remove(hull)
    scene.restore(before)
    assert scene.save() == before and len(scene) == 3
    assert scene.placed(hull).shape.vertices == [(0, 0), (1, 0), (0, 1)]
    assert scene.user(wall) == "wall"
    with pytest.raises(graze.Error) as caught:
        scene.restore(before[:-1])
    assert caught.value.status is graze.Status.BAD_DATA


def test_snapshots_restore_margins_of_compounds_meshes_and_user_shapes():
    scene = graze.Scene()
    shapes = [graze.compound([graze.place(graze.sphere(1))]), graze.mesh(*TETRAHEDRON), graze.user(3, lambda d: (0, 0, 0))]
    bodies = [scene.add(shape, type=graze.BodyType.STATIC) for shape in shapes]
    before = scene.save()
    for body, shape in zip(bodies, shapes):
        scene.set(body, shape=shape.with_margin(0.5))
    del shapes, shape
    scene.restore(before)
    compound, mesh, user = (scene.get(body)["shape"] for body in bodies)
    assert (compound.margin, mesh.margin, user.margin) == (0, 0, 0)
    assert compound.parts == (graze.place(graze.sphere(1)),) and len(mesh.faces) == 4
    for body in bodies:
        scene.remove(body)
    gc.collect()
    assert mesh.vertices == TETRAHEDRON[0] and graze.distance(graze.place(user), graze.place(graze.sphere(1), (3, 0, 0))).distance == 2


@pytest.mark.parametrize("dim", [2, 3])
def test_snapshots_restore_the_dimension(dim):
    full, empty = graze.Scene(dim=dim), graze.Scene(dim=dim)
    body = full.add(graze.box(*[1] * dim))
    for saved in (full, empty):
        scene = graze.Scene(dim=5 - dim)
        scene.add(graze.box(*[1] * (5 - dim)))
        scene.restore(saved.save())
        assert scene.dim == dim and len(scene) == len(saved)
        assert scene.add(graze.box(*[1] * dim), [4] * dim)
    scene.restore(full.save())
    assert scene.pose(body) == graze.Pose([0] * dim) and scene.raycast([-3] + [0] * (dim - 1), [1] + [0] * (dim - 1))[0] == body


def test_threads_give_the_same_bits():
    states = []
    for threads in (1, 3):
        scene = graze.Scene(threads=threads)
        for i in range(300):
            scene.add(graze.box(0.4, 0.4, 0.4), (i % 10, i // 10 % 10, i // 100), motion=(i % 7 - 3, i % 5 - 2, i % 3 - 1))
        events = sum(len(scene.step(0.1).events) for _ in range(5))
        assert events > 100
        states.append(scene.save())
    assert states[0] == states[1]


def test_a_step_excludes_other_threads():
    scene = graze.Scene()
    for i in range(3000):
        scene.add(graze.box(0.6, 0.6, 0.6), (i % 15, i // 15 % 15, i // 225), motion=(1, 0, 0))
    thread = threading.Thread(target=scene.step, args=(1,))
    thread.start()
    rejected = 0
    while thread.is_alive():
        try:
            scene.pose(graze.Body(0, 1))
        except RuntimeError:
            rejected += 1
    thread.join()
    assert rejected > 0 and len(scene) == 3000


def crowd(count):
    """A scene of bodies at one place. Their masks exclude all pairs, so that a query about pairs only searches."""
    scene = graze.Scene(dim=2)
    for _ in range(count):
        scene.add(graze.circle(1), category=1, mask=2)
    return scene


QUERIES_ABOUT_PAIRS = [("pairs", 8000), ("closest_pairs", 3000)]


@pytest.mark.parametrize(("name", "count"), QUERIES_ABOUT_PAIRS)
def test_other_threads_run_during_a_query_about_pairs(name, count):
    query = getattr(crowd(count), name)
    took, longest = longest_gap(query)
    assert took > 0.05 and longest < took / 2


@pytest.mark.parametrize(("name", "count"), QUERIES_ABOUT_PAIRS)
def test_a_query_about_pairs_excludes_changes_by_other_threads(name, count):
    scene, body = crowd(count), graze.Body(0, 1)
    snapshot = scene.save()
    changes = [
        lambda: scene.set_pose(body, (0, 0)),
        lambda: scene.set(body, margin=0),
        lambda: scene.set_motion(body, None),
        lambda: scene.move(body, (0, 0)),
        lambda: scene.step(0),
        lambda: scene.restore(snapshot),
        lambda: scene.add(graze.circle(1)),
        lambda: scene.remove(body),
    ]

    def is_rejected(change):
        try:
            change()
        except RuntimeError as error:
            assert "must not change" in str(error)
            return True
        return False

    thread = threading.Thread(target=getattr(scene, name))
    thread.start()
    while not is_rejected(changes[0]):
        assert thread.is_alive()
    rounds = 0
    while scene.pose(body) == graze.Pose((0, 0)) and all(is_rejected(change) for change in changes):
        rounds += 1
    thread.join()
    assert rounds > 0


def busy_scene():
    scene = graze.Scene()
    for i in range(3000):
        scene.add(graze.box(0.6, 0.6, 0.6), (i % 15, i // 15 % 15, i // 225), motion=(1, 0, 0))
    return scene


@pytest.mark.parametrize(
    "call",
    [
        lambda s, body, v: s.add(graze.sphere(1), v),
        lambda s, body, v: s.add(graze.sphere(1), motion=v),
        lambda s, body, v: s.set_pose(body, v),
        lambda s, body, v: s.set(body, pose=v),
        lambda s, body, v: s.set_motion(body, v),
        lambda s, body, v: s.move(body, v),
        lambda s, body, v: s.in_box(v, (1, 1, 1)),
        lambda s, body, v: s.cast(graze.place(graze.point()), v),
        lambda s, body, v: s.cast_all(graze.place(graze.point()), v),
        lambda s, body, v: s.raycast(v, (1, 0, 0)),
        lambda s, body, v: s.raycast_all(v, (1, 0, 0)),
    ],
)
def test_a_step_that_begins_while_arguments_are_read_excludes_the_call(call):
    scene, begun = busy_scene(), threading.Event()

    class Slow:
        def __iter__(self):
            begun.set()
            time.sleep(0.05)
            return iter((1.0, 2.0, 3.0))

    def step():
        begun.wait()
        scene.step(1.0)

    thread = threading.Thread(target=step)
    thread.start()
    with pytest.raises(RuntimeError, match="a step runs"):
        call(scene, graze.Body(0, 1), Slow())
    thread.join()
    assert len(scene) == 3000


def test_the_memory_of_the_closest_pairs_is_that_of_the_results():
    scene = graze.Scene()
    for i in range(2000):
        scene.add(graze.point(), (3 * i, 0, 0))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert scene.closest_pairs(10**9, 1) == []
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 64 << 10
    near = graze.Scene()
    for i in range(40):
        near.add(graze.point(), (0.1 * i, 0, 0))
    assert len(near.closest_pairs(10**9)) == 780 and len(near.closest_pairs(200)) == 200


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_forked_process_destroys_a_scene_with_threads():
    scene = hall(threads=2)[0]
    child = os.fork()
    if child == 0:
        try:
            scene.step(0.1)
        except RuntimeError:
            del scene
            gc.collect()
            os._exit(7)
        os._exit(1)
    for _ in range(100):
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert done and os.waitstatus_to_exitcode(status) == 7
    assert len(scene.step(0.1).events) == 1


def test_events_are_a_tuple():
    step = hall()[0].step(0.5)
    assert isinstance(step.events, tuple) and step.events is step.events
