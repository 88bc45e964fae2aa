"""Arguments of wrong types raise a TypeError that names the argument and what it must be, without a list of overloads."""

import graze
import numpy as np
import pytest

A, BOX = graze.place(graze.box(1, 1, 1)), graze.box(1, 1, 1)
SCENE = graze.Scene(2)
BODY = SCENE.add(graze.circle(1))
PLACED = r"must be a placed shape: see place\(\)"


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: graze.distance(A, BOX), rf"b: box\(1\.0, 1\.0, 1\.0\), {PLACED}"),
        (lambda: graze.distance(BOX, A), rf"a: box\(1\.0, 1\.0, 1\.0\), {PLACED}"),
        (lambda: graze.distance(None, A), rf"a: None, {PLACED}"),
        (lambda: graze.distance(a=A, b=3), rf"b: 3, {PLACED}"),
        (lambda: graze.distance(BOX, BOX), rf"a: box.*, {PLACED}"),
        (lambda: graze.distance(A, A, clearance="x"), "clearance: 'x', must be a number"),
        (lambda: graze.distance(A, A, clearance=None), "clearance: None, must be a number"),
        (lambda: graze.distance(A, A, proof=1), "proof: 1, must be True or False"),
        (lambda: graze.distance(A, A, method="EPA"), "method: 'EPA', must be a Method"),
        (lambda: graze.distance(BOX, None, 5, None), "b: 5, must be Shapes, a Shape or a list of shapes"),
        (lambda: graze.intersect(A, BOX), rf"b: box.*, {PLACED}"),
        (lambda: graze.cast(A, (1, 0, 0), BOX), rf"b: box.*, {PLACED}"),
        (lambda: graze.cast(A, (1, 0, 0), None), rf"b: None, {PLACED}"),
        (lambda: graze.cast(A, (1, 0), A), r"motion_a: \(1, 0\), must be 3 numbers"),
        (lambda: graze.raycast(BOX, (0, 0, 0), (1, 0, 0)), rf"placed: box.*, {PLACED}"),
        (lambda: graze.manifold(A, BOX), rf"b: box.*, {PLACED}"),
        (lambda: graze.intersect_list(A, 3), "members: 3, must be a sequence"),
        (lambda: graze.place(A), r"shape: place\(.*, must be a Shape"),
        (lambda: graze.box("1", 1), "x: '1', must be a number"),
        (lambda: graze.box(1, 1, "1"), "z: '1', must be a number"),
        (lambda: graze.user(3, 5), "support: 5, must be a function"),
        (lambda: graze.compound(3), "parts: 3, must be a sequence"),
        (lambda: graze.part(A, "0"), r"index: '0', must be a whole number, -2\^63 to 2\^63 - 1"),
        (lambda: graze.fit_box([(0, 0)], "BEST"), "effort: 'BEST', must be an Effort"),
        (lambda: BOX.with_margin("x"), "margin: 'x', must be a number"),
        (lambda: graze.Motion.between(graze.Pose(), 1, 1), "end: 1, must be a Pose"),
        (lambda: graze.Pose() @ 3, "inner: 3, must be a Pose"),
        (lambda: graze.Filter(mask=-1), r"mask: -1, must be a whole number, 0 to 2\^64 - 1"),
        (lambda: graze.Filter(accept=5), "accept: 5, must be a function or None"),
        (lambda: SCENE.move(BODY, (1, 0), choose=3), "choose: 3, must be a function or None"),
        (lambda: graze.Scene("2"), r"dim: '2', must be a whole number, -2\^31 to 2\^31 - 1"),
        (lambda: SCENE.add(A), r"shape: place\(.*, must be a Shape"),
        (lambda: SCENE.pose(3), "body: 3, must be a Body"),
        (lambda: SCENE.overlap(BOX), rf"placed: box.*, {PLACED}"),
        (lambda: SCENE.overlap(A, filter=3), "filter: 3, must be a Filter"),
        (lambda: SCENE.step("1"), "dt: '1', must be a number"),
        (lambda: SCENE.restore("x"), "snapshot: 'x', must be bytes"),
        (lambda: SCENE.set(BODY, mass="1"), "mass: '1', must be a number"),
        (lambda: graze.mesh([(0, 0), (1, 0)], [b"\0\1"]), r"faces: \[b.*\], must be edges: whole numbers of shape \(n, 2\)"),
        (lambda: graze.hull(np.zeros((1, 4))), r"points: array.*, must be an array of shape \(n, 2\) or \(n, 3\)"),
        (lambda: graze.polygon(np.zeros((1, 4))), r"vertices: array.*, must be an array of shape \(n, 2\)"),
    ],
)
def test_messages(call, text):
    with pytest.raises(TypeError, match=rf"^{text}$"):
        call()


@pytest.mark.filterwarnings("ignore:nanobind. attempted to access an uninitialized instance")
def test_objects_that_are_not_initialised_are_named():
    with pytest.raises(TypeError, match="^b: .*Placed, must be a placed shape"):
        graze.distance(A, graze.Placed.__new__(graze.Placed))


@pytest.mark.parametrize("pose", [{1, 2}, {1: 3, 2: 4}, {(1, 2): 3, (1, 1): 4}, {"x": 1, "y": 2}, frozenset([1, 2]), b"\1\2", "12"])
def test_poses_without_an_order_of_numbers_are_rejected(pose):
    for argument, call in (
        ("pose", lambda: graze.place(graze.box(1, 1), pose)),
        ("pose", lambda: SCENE.set_pose(BODY, pose)),
        ("position", lambda: graze.Pose(pose)),
    ):
        with pytest.raises(TypeError, match=f"^{argument}: .*, must be "):
            call()


def test_iterators_are_poses():
    """The items of an iterator are read once."""
    for pose, same in (
        (lambda: iter([1, 2]), (1, 2)),
        (lambda: (x for x in (1, 2, 0.5)), (1, 2, 0.5)),
        (lambda: iter([(1, 2), (1, 1)]), (1, 2, 1, 1)),
        (lambda: (iter([1, 2]), iter([1, 1])), (1, 2, 1, 1)),
    ):
        assert graze.place(graze.box(1, 1), pose()).pose == graze.place(graze.box(1, 1), same).pose
    assert graze.place(BOX, iter([1, 2, 3])).pose.position == (1, 2, 3)
    assert graze.place(BOX, map(iter, np.eye(4))).pose == graze.place(BOX, np.eye(4)).pose
    with pytest.raises(TypeError, match="^pose: <list_iterator.*, must be a Pose"):
        graze.place(BOX, iter([1, 2]))


class Broken:
    def __float__(self):
        raise KeyError("from __float__")


@pytest.mark.parametrize(
    "call",
    [
        lambda number: graze.box(number, 1, 1),
        lambda number: graze.box(1, 1, number),
        lambda number: graze.distance(A, A, clearance=number),
        lambda number: graze.distance(BOX, None, BOX, None, max_distance=number),
        lambda number: graze.Motion((number, 0)),
        lambda number: graze.Motion((0, 0), number),
        lambda number: graze.place(BOX, (number, 0, 0)),
        lambda number: SCENE.step(number),
        lambda number: SCENE.set(BODY, margin=number),
        lambda number: graze.place(graze.user(2, lambda direction: ((0, 0), number))),
    ],
)
def test_exceptions_of_numbers_pass_through(call):
    with pytest.raises(KeyError, match="from __float__"):
        call(Broken())


def test_whole_numbers_beyond_the_range_of_doubles_are_infinite():
    huge = 10**400
    for call, text in (
        (lambda: graze.box(huge, 1, 1), r"box: x = inf \(must be"),
        (lambda: graze.sphere(-huge), r"sphere: radius = -inf \(must be"),
        (lambda: graze.place(BOX, (0, huge, 0)), r"place: pose\.position\[1\] = inf \(must be"),
        (lambda: graze.Motion((1, 2), -huge), r"Motion: angular\[2\] = -inf \(must be"),
        (lambda: graze.distance(A, A, clearance=huge), r"distance: clearance = inf \(must be"),
    ):
        with pytest.raises(graze.Error, match=f"^{text}"):
            call()
    assert graze.raycast(graze.place(graze.circle(1), (5, 0)), (0, 0), (1, 0), huge).t == pytest.approx(4)
    assert graze.distance(BOX, None, BOX, (3, 0, 0), max_distance=huge).distance == 1


def test_forms_of_poses():
    """Each form that the documentation of place() lists."""
    turn = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    for pose in (
        (1, 2, 3, 1, 0, 0, 1),
        ((1, 2, 3), (1, 0, 0, 1)),
        ((1, 2, 3), turn),
        [[0, -1, 0, 1], [1, 0, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]],
        graze.Pose((1, 2, 3), turn),
    ):
        assert graze.place(BOX, pose).pose.apply((1, 0, 0)) == pytest.approx((1, 3, 3))
    quarter = 1.5707963267948966
    for pose in (
        (1, 2, quarter),
        (1, 2, 1, 1),
        ((1, 2), quarter),
        ((1, 2), (1, 1)),
        ((1, 2), [[0, -1], [1, 0]]),
        [[0, -1, 1], [1, 0, 2], [0, 0, 1]],
    ):
        assert graze.place(graze.box(1, 1), pose).pose.apply((1, 0)) == pytest.approx((1, 3))
    assert graze.place(BOX, (1, 2, 3)).pose.position == (1, 2, 3)
    assert graze.place(BOX, None).pose == graze.Pose()
