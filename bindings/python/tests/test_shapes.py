"""Shapes, poses, placed shapes, and shapes built from points."""

import math

import graze
import numpy as np
import pytest
from support import CUBE, TETRAHEDRON, shapes_2d, shapes_3d


def test_shapes_have_the_members_of_their_kind():
    capsule = graze.capsule(0.5, 2).with_margin(0.25)
    assert (capsule.kind, capsule.dim, capsule.radius, capsule.half_length, capsule.margin) == (
        graze.ShapeKind.CAPSULE,
        3,
        0.5,
        2,
        0.25,
    )
    assert graze.halfspace((0, 2), 3).normal == (0, 2) and graze.halfspace((0, 2), 3).offset == 3
    assert graze.ellipsoid(1, 2, 3).radii == (1, 2, 3) and graze.ellipsoid(1, 2, 3).is_curved
    assert graze.box(1, 2).vertices == [(-1, -2), (1, -2), (-1, 2), (1, 2)]
    with pytest.raises(AttributeError, match="a box has no radius"):
        graze.box(1, 1).radius
    with pytest.raises(AttributeError):
        graze.box(1, 1).margin = 2


def test_wrong_shapes_are_rejected():
    for make, text in (
        (lambda: graze.sphere(-1), r"sphere: radius = -1 \(must be >= 0\)"),
        (lambda: graze.box(1, math.nan, 1), r"box: y = nan"),
        (lambda: graze.polygon([(0, 0), (1, 0)]), "polygon: vertices"),
        (lambda: graze.polygon([(0, 0), (2, 0), (1, 0.1), (1, 2)]), "polygon: vertices.*convex"),
        (lambda: graze.halfspace((0, 0), 1), "halfspace: normal.*must not be zero"),
        (lambda: graze.compound([]), "compound: parts"),
        (lambda: graze.mesh(TETRAHEDRON[0], [(0, 1, 9)]), r"mesh: faces\[0\]\[2\]"),
        (lambda: graze.place(graze.sphere(1), ((0, 0, 0), (0, 0, 0, 0))), "place: pose.rotation.*must not be zero"),
    ):
        with pytest.raises(graze.Error, match=text):
            make()
    for make, text in (
        (lambda: graze.segment((0, 0), (1, 1, 1)), r"b: \(1, 1, 1\), must be 2 numbers"),
        (lambda: graze.hull([(0, 0), (1, "x")]), r"points\[1\]"),
        (lambda: graze.compound([graze.box(1, 1)]), r"parts\[0\]: box\(1.0, 1.0\), must be a placed shape"),
        (lambda: graze.mesh(TETRAHEDRON[0], [(0, 1, 2.5)]), "2.5, must be the index of a vertex"),
        (lambda: graze.mesh(np.array(TETRAHEDRON[0], dtype=complex), [(0, 1, 2)]), "real numbers"),
        (lambda: graze.place(graze.sphere(1), graze.Pose((1, 2))), "must be a 3D pose"),
    ):
        with pytest.raises(TypeError, match=text):
            make()


def test_messages_name_the_argument_of_python():
    nan, origin = math.nan, (0, 0, 0)
    for make, text, argument in (
        (lambda: graze.hull([]), "points: no points, must be at least one", "points"),
        (lambda: graze.Hull(np.empty((0, 3))), "points: no points", "points"),
        (lambda: graze.hull_points([]), "points: no points", "points"),
        (lambda: graze.fit_box([]), "points: no points", "points"),
        (lambda: graze.mesh([], []), "vertices: no points", "vertices"),
        (lambda: graze.validate_outline([]), "vertices: no points", "vertices"),
        (lambda: graze.decompose([(0, 0), (9, 0), (0, 9)], [[]]), r"holes\[0\]: no points", "holes[0]"),
        (lambda: graze.Shapes([]), "Shapes: no shapes, must be at least one", "shapes"),
        (lambda: graze.Pose.axis_angle(origin, origin, 1), "axis_angle: axis .must be finite and not zero", "axis"),
        (lambda: graze.Pose.axis_angle(origin, (0, nan, 1), 1), "axis_angle: axis .must be finite", "axis"),
        (lambda: graze.Pose.axis_angle(origin, (0, 0, 1), nan), "axis_angle: angle = nan", "angle"),
        (lambda: graze.contains(graze.place(graze.point()), (0, 0, nan)), r"contains: point\[2\] = nan .must be", "point"),
    ):
        with pytest.raises(graze.Error, match=f"^{text}") as caught:
            make()
        assert caught.value.argument == argument


def test_arrays_and_lists_make_the_same_shapes():
    points = np.array(CUBE, dtype=np.float64)
    for given in (CUBE, points, points.astype(np.float32), points.astype(np.int64), np.asfortranarray(points), iter(CUBE)):
        assert graze.hull(given) == graze.hull(CUBE)
    for faces in (TETRAHEDRON[1], np.array(TETRAHEDRON[1]), np.array(TETRAHEDRON[1], dtype=np.uint8)):
        assert graze.mesh(TETRAHEDRON[0], faces).faces == TETRAHEDRON[1]
    assert graze.place(graze.sphere(1), points[3]).pose.position == tuple(points[3])


def test_messages_are_cut_between_characters():
    for length in range(40, 70):
        with pytest.raises(TypeError, match="pose: 'a.*must be"):
            graze.place(graze.point(), "a" * (length % 4 + 1) + "éé€😀" * length)


def test_sets_and_dictionaries_have_no_order():
    numbers, points = {3, 1, 2}, {(0, 0), (1, 0), (0, 1)}
    calls = [
        lambda: graze.place(graze.point(), numbers),
        lambda: graze.Pose(dict.fromkeys(numbers)),
        lambda: graze.Motion(frozenset(numbers)),
        lambda: graze.polygon(points),
        lambda: graze.hull(dict.fromkeys(points)),
        lambda: graze.mesh([*points], points),
        lambda: graze.mesh([*points], [{0, 1}, (1, 2), (2, 0)]),
    ]
    for call in calls:
        with pytest.raises(TypeError, match="must be"):
            call()
    assert graze.Motion(map(float, "123")).velocity == (1, 2, 3)


def test_poses_compose():
    quarter = graze.Pose.axis_angle((1, 0, 0), (0, 0, 1), math.pi / 2)
    assert quarter.apply((1, 0, 0)) == pytest.approx((1, 1, 0))
    assert (quarter @ quarter).apply((1, 0, 0)) == pytest.approx((0, 1, 0))
    assert graze.Pose((1, 2), math.pi / 2).to_matrix()[0] == pytest.approx((0, -1, 1))
    motion = graze.Motion.between(graze.Pose((0, 0), 0.0), graze.Pose((2, 0), 1.0), 2)
    assert motion.velocity == (1, 0) and motion.angular == pytest.approx(0.5)
    assert graze.Pose((0, 0), 0.0).after(motion, 2).apply((0, 0)) == pytest.approx((2, 0))


def test_motions_are_validated():
    plane, space = graze.Pose((1, 2)), graze.Pose((3, 4, 5))
    with pytest.raises(TypeError, match="end: .*must be a 2D pose"):
        graze.Motion.between(plane, space, 1)
    for time in (0, -1, float("nan")):
        with pytest.raises(graze.Error, match=r"between: time = .* \(must be > 0\)") as caught:
            graze.Motion.between(space, space, time)
        assert caught.value.status is graze.Status.BAD_OPTION
    for call, argument in [
        (lambda: graze.Motion((float("nan"), 0)), "velocity"),
        (lambda: graze.Motion((0, 0), float("inf")), "angular"),
        (lambda: graze.Motion((0, 0, 0), (0, 0, 2e40)), "angular"),
        (lambda: graze.Motion.between(space, graze.Pose((0, 0, 0)), 1e-41), "velocity"),
    ]:
        with pytest.raises(graze.Error, match=argument) as caught:
            call()
        assert (caught.value.status, caught.value.argument) == (graze.Status.BAD_NUMBER, argument)
    assert graze.Motion.between(space, graze.Pose((0, 0, 0)), 2).velocity == (-1.5, -2, -2.5)


def test_every_form_of_a_pose_is_read():
    quarter = graze.Pose((1, 2, 3), (1, 0, 0, 1))
    matrix = np.array(quarter.to_matrix())
    for form in (
        (1, 2, 3, 1, 0, 0, 1),
        ((1, 2, 3), (1, 0, 0, 1)),
        (np.array([1, 2, 3]), matrix[:3, :3]),
        ((1, 2, 3), matrix[:3, :3].tolist()),
        matrix,
    ):
        assert graze.place(graze.point(), form).pose.apply((1, 0, 0)) == pytest.approx((1, 3, 3))
    turn = [[0, -1], [1, 0]]
    for form in (
        (1, 2, math.pi / 2),
        (1, 2, 1, 1),
        ((1, 2), math.pi / 2),
        [[1, 2], [1, 1]],
        ((1, 2), turn),
        [[0, -1, 1], [1, 0, 2], [0, 0, 1]],
    ):
        assert graze.place(graze.point2(), form).pose.apply((1, 0)) == pytest.approx((1, 3))
    for form in ((1, 2), ((1, 2, 3), 0.5), ((1, 2, 3), turn), ((1, 2, 3), range(9)), np.zeros((2, 3)), "12", 3, {3, 1, 2}, {1: 2, 3: 4, 5: 6}):
        with pytest.raises(TypeError, match="(?s)pose: .*, must be a Pose"):
            graze.place(graze.point(), form)
    with pytest.raises(graze.Error, match="pose: the matrix is not a rotation"):
        graze.place(graze.point2(), ((0, 0), [[0, 1], [1, 0]]))


def test_matrices_are_validated():
    moved = np.eye(4)
    moved[:3, 3] = (1, 2, 3)
    scaled, reflected, row_vectors = np.diag([3.0, 3, 3, 1]), np.diag([1.0, 1, -1, 1]), moved.T
    divided = np.diag([1.0, 1, 1, 5])
    for make, name in (
        (lambda matrix: graze.place(graze.point(), matrix), "pose"),
        (graze.Pose.matrix, "matrix"),
        (lambda matrix: graze.intersect(graze.point(), matrix, graze.point(), None), "poses_a"),
        (lambda matrix: graze.intersect(graze.point(), None, graze.point(), [moved, matrix]), r"poses_b\[1\]"),
    ):
        for matrix, text in (
            (np.zeros((4, 4)), r"column 3 = 0 \(must be 0, 0, 0, 1\)"),
            (scaled, "not a rotation"),
            (reflected, "not a rotation"),
            (row_vectors, "column 0 = 1"),
            (divided, "column 3 = 5"),
            (np.diag([1.0, np.nan, 1, 1]), "not a rotation"),
        ):
            with pytest.raises(graze.Error, match=f"^{name}: .*{text}"):
                make(matrix)
    for rotation in (np.zeros((3, 3)), np.diag([1, 1, -1])):
        with pytest.raises(graze.Error, match="rotation: the matrix is not a rotation"):
            graze.Pose((0, 0, 0), rotation)
    with pytest.raises(graze.Error, match="rotation: the matrix is not a rotation"):
        graze.Pose((0, 0), [[0, 1], [1, 0]])
    with pytest.raises(graze.Error, match=r"pose: last row .* column 0 = 7 \(must be 0, 0, 1; poses\(\) accepts angles"):
        graze.place(graze.point2(), [(1, 2, 3), (4, 5, 6), (7, 8, 9)])


def test_matrices_of_single_precision_are_rotations():
    generator = np.random.default_rng(31)
    for _ in range(200):
        pose = graze.Pose(generator.normal(size=3), generator.normal(size=4))
        matrix = np.array(pose.to_matrix(), dtype=np.float32)
        assert graze.Pose.matrix(matrix).apply((1, 2, 3)) == pytest.approx(pose.apply((1, 2, 3)), abs=1e-5)


def test_placed_shapes_answer_about_themselves():
    placed = graze.place(graze.box(1, 2, 3), (10, 0, 0))
    assert graze.bounds(placed) == ((9, -2, -3), (11, 2, 3))
    assert graze.support(placed, (1, 1, 1)) == ((11, 2, 3), 7)
    assert graze.project(placed, (2, 0, 0)) == (18, 22)
    relations = [graze.contains(placed, (x, 0, 0)).name for x in (10, 11, 12)]
    assert relations == ["OVERLAPPING", "TOUCHING", "SEPARATED"]
    assert placed.with_pose((0, 0, 0)) == graze.place(graze.box(1, 2, 3))
    with pytest.raises(graze.Error, match="half-space has no bounds"):
        graze.bounds(graze.place(graze.halfspace((0, 1), 0)))
    with pytest.raises(graze.Error, match="direction"):
        graze.support(placed, (0, 0, 0))


def test_parts():
    compound = graze.place(shapes_3d()[13], (0, 5, 0))
    assert compound.part_count == 2 and len(compound.shape.parts) == 2
    assert graze.bounds(graze.part(compound, 1)) == ((1, 4, -1), (3, 6, 1))
    with pytest.raises(graze.Error, match=r"index = 2 \(must be >= 0 and < 2\)"):
        graze.part(compound, 2)
    with pytest.raises(graze.Error, match="cannot be moved"):
        graze.part(compound, 0).with_pose((0, 0, 0))


def test_hulls_have_faces():
    hull = graze.Hull([*CUBE, (0, 0, 0), (0.5, 0, 0)])
    assert (hull.affine_dim, len(hull.vertices), len(hull.faces), hull.area, hull.volume) == (3, 8, 6, 24, 8)
    assert hull.indices == list(range(8))
    assert graze.Hull([(0, 0), (1, 1), (2, 2)]).affine_dim == 1


def test_smallest_boxes():
    box, volume = graze.fit_box(CUBE, graze.Effort.FAST)
    assert volume == pytest.approx(8) and box.shape.kind is graze.ShapeKind.BOX
    assert all(graze.contains(box, point) is not graze.Relation.SEPARATED for point in CUBE)


def test_outlines():
    square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    outline = graze.validate_outline(square)
    assert (outline.convex, outline.simple, outline.winding.name, outline.area) == (True, True, "CCW", 16)
    pieces = graze.decompose(square, [[(1, 1), (3, 1), (3, 3), (1, 3)]])
    assert pieces.area == 12 and pieces.verify() and len(pieces.internal_edges) == len(pieces.pieces)
    assert graze.contains(graze.place(pieces.shape), (2, 2)) is graze.Relation.SEPARATED
    with pytest.raises(graze.Error, match="edges_cross") as caught:
        graze.decompose([(0, 0), (2, 2), (2, 0), (0, 1)])
    assert caught.value.status is graze.Status.NOT_SIMPLE


def test_meshes_are_validated():
    report = graze.validate_mesh(*TETRAHEDRON)
    assert report.closed and report.oriented and report.volume == pytest.approx(1 / 6) and report.errors == []
    assert repr(report) == "<MeshReport: closed, oriented, volume 0.16666666666666666, 0 errors>"
    errors = graze.validate_mesh(TETRAHEDRON[0], [*TETRAHEDRON[1][:3], (0, 0, 7)]).errors
    assert [error.kind.name for error in errors].count("BAD_INDEX") == 1
    assert {error.kind for error in errors} >= {graze.MeshErrorKind.OPEN_EDGE}


def test_the_upper_bound_in_a_solid_is_the_distance_from_its_surface():
    """COMING_FROM.md states it about trimesh.proximity.signed_distance."""
    outline = [(0, 0), (4, 0), (4, 4), (3, 4), (3, 1), (1, 1), (1, 4), (0, 4)]
    edges = [(i, (i + 1) % 8) for i in range(8)]
    solid, surface = graze.mesh(outline, edges), graze.mesh(outline, edges, surface=True)
    points = np.random.default_rng(32).uniform(-1, 5, (300, 2))
    result = graze.distance(solid, None, graze.point2(), points)
    inside = result.relation == graze.Relation.OVERLAPPING
    assert 50 < inside.sum() < 250
    gaps = graze.distance(surface, None, graze.point2(), points).distance
    assert -result.upper == pytest.approx(np.where(inside, gaps, -gaps), abs=1e-9)
    assert (result.distance[inside] < result.upper[inside] - 0.1).any()


def test_scenes_step_without_pairs_of_static_bodies():
    scene = graze.Scene(dim=2)
    for kind in (graze.BodyType.STATIC, graze.BodyType.STATIC, graze.BodyType.KINEMATIC):
        scene.add(graze.circle(1), type=kind)
    assert [(event.a.slot, event.b.slot) for event in scene.step(0).events] == [(0, 2), (1, 2)]


def test_contacts():
    floor, box = graze.place(graze.halfspace((0, 0, 1), 0)), graze.place(graze.box(1, 1, 1), (0, 0, 0.75))
    answer, contacts = graze.manifold(floor, box)
    assert answer.distance == -0.25 and [contact.depth for contact in contacts] == [0.25] * 4
    assert len({contact.feature for contact in contacts}) == 4
    mesh = graze.place(graze.mesh(*TETRAHEDRON))
    pairs = graze.contacts(mesh, graze.place(graze.sphere(1), (0.25, 0.25, -0.75)))
    assert pairs and all(part < 4 and contacts for part, _, _, _, contacts in pairs)


def test_lists():
    ball = graze.place(graze.circle(1))
    members = [graze.place(graze.circle(1), (x, 0)) for x in (1, 2, 5, 9)]
    assert [index for index, _ in graze.intersect_list(ball, members)] == [0, 1]
    near = graze.distance_list(ball, members, max_distance=3)
    assert [(index, answer.distance) for index, answer in near] == [(0, -1), (1, 0), (2, 3)]
    assert all(answer.verify() for _, answer in near)


def test_rays():
    mesh = graze.place(graze.mesh(*TETRAHEDRON))
    hit = graze.raycast(mesh, (0.2, 0.2, -5), (0, 0, 1))
    assert hit and hit.t == pytest.approx(5) and hit.normal == (0, 0, -1)
    assert len(graze.raycast_parts(mesh, (0.2, 0.2, -5), (0, 0, 1))) == 2
    assert not graze.raycast(mesh, (5, 5, -5), (0, 0, 1))


def test_the_least_distance_of_clear_casts():
    a, b = graze.place(graze.box(1, 1, 1)), graze.place(graze.sphere(1), (9, 0, 0))
    clear = graze.cast(a, (1, 0, 0), b)
    assert (clear.min_lower, clear.min_upper, clear.t_min) == pytest.approx((6, 6, 1))
    without = graze.cast(a, (1, 0, 0), b, min_distance=False)
    assert without.min_lower == 0 and math.isnan(without.min_upper) and math.isnan(without.t_min)
    for other in (graze.cast(a, graze.Motion((0, 0, 0), (0, 0, 1)), b), graze.cast(a, (9, 0, 0), b)):
        assert math.isnan(other.min_lower) and math.isnan(other.min_upper) and math.isnan(other.t_min)


def test_support_functions():
    def support(direction):
        length = math.hypot(*direction)
        return [d / length for d in direction], 1e-15

    ball = graze.place(graze.user(3, support), (4, 0, 0))
    answer = graze.distance(ball, graze.place(graze.sphere(1)))
    assert answer.conditional and answer.distance == pytest.approx(2)
    for broken, kind, text in (
        (lambda d: "x", TypeError, "the result of the support function: 'x', must be 3 numbers"),
        (lambda d: 1 // 0, ZeroDivisionError, "by zero"),
        (lambda d: (math.nan, 0, 0), graze.Error, r"the result of the support function: \(nan, 0, 0\), must be finite"),
        (lambda d: ((0, 0, 0), "x"), TypeError, "the error of the support function: 'x', must be a number >= 0"),
        (lambda d: ((0, 0, 0), -1), TypeError, "the error of the support function: -1, must be a number >= 0"),
    ):
        with pytest.raises(kind, match=text):
            graze.distance(graze.place(graze.user(3, broken)), ball)
    assert graze.distance(ball, graze.place(graze.sphere(1))).distance == pytest.approx(2)


def test_wrong_results_of_support_functions_are_named():
    for result, message in [
        (((0, 0, 0), "x"), "the error of the support function: 'x', must be a number"),
        (((0, 0, 0), None), "the error of the support function: None, must be a number"),
        ("x", "the result of the support function: 'x', must be 3 numbers"),
    ]:
        with pytest.raises(TypeError, match=message):
            graze.place(graze.user(3, lambda direction: result))


def test_every_shape_has_a_text():
    for shape in [*shapes_2d(), *shapes_3d()]:
        assert repr(shape).split("(")[0] in dir(graze)
        same = shape.with_margin(shape.margin)
        assert hash(shape) == hash(same) and shape == same


def test_hashes_differ_with_the_numbers():
    assert len({hash(graze.box(1, 1, i)) for i in range(100)}) > 90
    assert len({hash(graze.hull([(0, 0), (i, 0), (0, i)])) for i in range(1, 100)}) > 90
    assert len({hash(graze.place(graze.sphere(i))) for i in range(100)}) > 90
    assert hash(graze.box(0.0, 1)) == hash(graze.box(-0.0, 1))


def test_objects_of_other_types_are_not_compared():
    for value in (graze.Motion((0.0, 0, 0)), graze.Pose((1, 2)), graze.box(1, 1), graze.place(graze.box(1, 1)), graze.Body(1, 2)):
        assert value.__eq__(7) is NotImplemented and value != 7 and value == value
    assert graze.Motion((0.0, 0, 0)) == graze.Motion((-0.0, 0, 0))


def test_answers_are_neither_true_nor_false():
    a = graze.place(graze.box(1, 1))
    with pytest.raises(TypeError, match="[.]relation"):
        bool(graze.intersect(a, a))


@pytest.mark.parametrize("result", [(1e41, 0, 0), ((0, 0, 0), math.inf), ((0, 0, 0), 1e41)])
def test_results_of_support_functions_are_bounded(result):
    with pytest.raises(graze.Error, match="support function"):
        graze.place(graze.user(3, lambda direction: result))


@pytest.mark.parametrize("kind", [KeyboardInterrupt, MemoryError, ZeroDivisionError])
def test_exceptions_of_arguments_pass_through(kind):
    class Broken:
        def __iter__(self):
            raise kind

        def __float__(self):
            raise kind

    for call in (
        lambda: graze.Pose(Broken()),
        lambda: graze.Pose((Broken(), 0)),
        lambda: graze.place(graze.sphere(1), Broken()),
        lambda: graze.hull(Broken()),
    ):
        with pytest.raises(kind):
            call()


def test_methods_of_poses_return_valid_poses():
    nan, pose, distant = math.nan, graze.Pose((1, 2, 3)), graze.Pose((1e40, 0, 0))
    for call in (
        lambda: pose.after((nan, 0, 0), 1),
        lambda: pose.after((1, 0, 0), nan),
        lambda: distant.after((1e40, 0, 0), 1e9),
        lambda: pose.apply((nan, 0, 0)),
        lambda: distant @ distant,
    ):
        with pytest.raises(graze.Error):
            call()


def test_whole_numbers_are_written_in_full():
    with pytest.raises(graze.Error, match="= -1000 "):
        graze.sphere(-1000)


def test_meshes_equal_only_themselves():
    mesh = graze.mesh(*TETRAHEDRON)
    assert mesh == mesh.with_margin(0) and hash(mesh) == hash(mesh.with_margin(0)) and mesh != graze.mesh(*TETRAHEDRON)


def test_messages_name_the_argument_as_it_was_written():
    nan, scene, ball = math.nan, graze.Scene(), graze.place(graze.sphere(1))
    for call, text in (
        (lambda: graze.box(1, -2, 3), "box: y = -2 "),
        (lambda: graze.ellipsoid(1, 2, -3), "ellipsoid: z = -3 "),
        (lambda: graze.segment((0, 0), (nan, 0)), "segment: b = nan "),
        (lambda: graze.hull([(0, 0), (nan, 0)]), "hull: points[1] = nan "),
        (lambda: graze.Hull([(0, 0), (nan, 0)]), "Hull: points[1] = nan "),
        (lambda: graze.hull_points([(0, 0), (nan, 0)]), "hull_points: points[1] = nan "),
        (lambda: graze.fit_box([(0, 0), (nan, 0)]), "fit_box: points[1] = nan "),
        (lambda: graze.place(graze.sphere(1), (nan, 0, 0)), "place: pose.position[0] = nan "),
        (lambda: ball.with_pose((nan, 0, 0)), "with_pose: pose.position[0] = nan "),
        (lambda: scene.within(ball, -1), "within: distance = -1 "),
        (lambda: scene.nearest(ball, 1, -1), "nearest: distance = -1 "),
        (lambda: scene.closest_pairs(1, -1), "closest_pairs: distance = -1 "),
        (lambda: scene.cast_any(ball, (nan, 0, 0)), "cast_any: motion.velocity[0] = nan "),
        (lambda: scene.raycast_any((nan, 0, 0), (1, 0, 0)), "raycast_any: origin[0] = nan "),
        (lambda: graze.mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2), (0, 1, 7)]), "mesh: faces[1][2] = 7 "),
        (lambda: graze.decompose([(0, 0), (9, 0), (9, 9)], [[(7, 1), (8, 1), (8, nan)]]), "decompose: holes[0][2] = nan "),
        (
            lambda: graze.decompose([(0, 0), (9, 0), (9, 9)], [[(7, 1), (8, 1), (8, 2)]], graze.Splitting.FEWEST),
            "decompose: splitting = 2 (must not be Splitting.FEWEST for holes",
        ),
        (lambda: scene.restore(b"x"), "restore: snapshot.magic: the bytes are not a snapshot of this version, or they are damaged (must be bytes that save()"),
    ):
        with pytest.raises(graze.Error) as caught:
            call()
        assert str(caught.value).startswith(text), str(caught.value)
