"""Arrays of pairs: the same answers as single queries, broadcasting, memory, threads, errors."""

import ctypes
import pickle

import graze
import numpy as np
import pytest
from support import longest_gap, pose, random_poses, shapes_2d, shapes_3d


def assert_same(record, index, answer):
    assert record.relation[index] == answer.relation
    if np.isnan(answer.distance):
        assert np.isnan(record.distance[index])
        return
    assert record.lower[index] <= answer.upper and answer.lower <= record.upper[index]
    assert record.distance[index] == pytest.approx(answer.distance, abs=1e-9)


@pytest.mark.parametrize(("dim", "make"), [(2, shapes_2d), (3, shapes_3d)])
def test_arrays_agree_with_single_queries(dim, make):
    generator = np.random.default_rng(20)
    shapes = make()
    table = graze.Shapes(shapes)
    at, other = random_poses(generator, len(shapes), dim), random_poses(generator, 5, dim)
    halfspace = next(i for i, shape in enumerate(shapes) if shape.kind is graze.ShapeKind.HALFSPACE)
    record = graze.distance(table, at, shapes[3], other[:, None])
    relations = graze.intersect(table, at, shapes[3], other[:, None])
    assert record.shape == (5, len(shapes)) and record.normal.shape == (5, len(shapes), dim)
    assert (record.relation == relations.relation).all()
    assert len(np.unique(record.relation)) >= 2
    for i in range(5):
        for k, shape in enumerate(shapes):
            a, b = graze.place(shape, pose(at[k])), graze.place(shapes[3], pose(other[i]))
            assert_same(record, (i, k), graze.distance(a, b))
    with pytest.raises(graze.Error, match="not defined") as caught:
        graze.distance(shapes[halfspace], None, shapes[halfspace], None)
    assert caught.value.status is graze.Status.UNSUPPORTED


def test_casts_agree_with_single_casts():
    generator = np.random.default_rng(21)
    at = random_poses(generator, 40, 3, size=6)
    velocities = generator.uniform(-4, 4, (40, 3))
    a, b = graze.box(1, 1, 1), graze.sphere(1)
    record = graze.cast(a, at, velocities, b, None, (0.5, 0, 0), 3.0)
    assert {1, 2} <= set(record.outcome.tolist())
    for i in range(40):
        result = graze.cast(graze.place(a, at[i]), velocities[i], graze.place(b), (0.5, 0, 0), 3.0)
        assert record.outcome[i] == result.outcome
        assert record.t_lower[i] == pytest.approx(result.t_lower, nan_ok=True)
        assert record.point[i] == pytest.approx(result.point, nan_ok=True)


def test_poses_have_several_forms():
    flat = graze.distance(graze.box(1, 1), graze.poses((4, 0), np.pi / 2), graze.box(1, 2), [(0, 0)])
    matrix = [[0, -1, 4], [1, 0, 0], [0, 0, 1]]
    assert flat.distance == pytest.approx(2)
    assert graze.distance(graze.box(1, 1), matrix, graze.box(1, 2), None).distance == pytest.approx(2)
    solid = np.eye(4)
    solid[:3, 3] = (4, 0, 0)
    assert graze.distance(graze.sphere(1), np.stack([solid] * 3), graze.point(), None).distance == pytest.approx([3] * 3)
    assert graze.distance(graze.sphere(1), [graze.Pose((4, 0, 0))], graze.point(), None).distance == pytest.approx([3])
    with pytest.raises(ValueError, match=r"poses_a: shape \(5,\), must be"):
        graze.distance(graze.sphere(1), np.zeros(5), graze.point(), None)
    with pytest.raises(ValueError, match=r"poses_b\[4, 1\] = nan, must be finite"):
        graze.distance(graze.sphere(1), None, graze.point(), [(0, 0, 0)] * 4 + [(0, np.nan, 0)])


def test_numbers_and_masks_are_not_guessed():
    shapes, at = graze.Shapes([graze.sphere(1), graze.point()]), np.zeros((2, 3))
    with pytest.raises(TypeError, match="max_distance: '3', must be a number"):
        graze.distance(shapes, at, graze.point(), None, max_distance="3")
    with pytest.raises(TypeError, match="poses_a: MaskedArray, must be an array of numbers.*masked"):
        graze.distance(shapes, np.ma.masked_array(at, mask=True), graze.point(), None)
    assert graze.Distances.empty(2, 3, fields=(name for name in ["distance"])).distance.shape == (2,)


def test_poses_are_validated():
    for arguments, text in (
        (((1, 2, 3), (0, 0, 0, 0)), "rotation: a quaternion is zero"),
        (((1, 2, 3), [(1, 0, 0, 0), (0, 0, 0, 0)]), "rotation: a quaternion is zero"),
        (((1, np.nan, 3),), r"position\[1\] = nan, must be finite"),
        (([(1, 2, 3), (1, 2, -np.inf)],), r"position\[1, 2\] = -inf, must be finite"),
        (((1, 2), [0.5, np.inf]), "rotation.* = (nan|inf), must be finite"),
        (([(1, 2)] * 3, [0.5, 1.5]), r"position \(3,\), rotation \(2,\): these shapes do not broadcast"),
    ):
        with pytest.raises(ValueError, match=f"^{text}"):
            graze.poses(*arguments)
    assert graze.poses(np.empty((0, 3))).shape == (0, 7) and graze.poses(np.empty((0, 2)), 0.5).shape == (0, 4)


def test_records_have_a_shape_and_a_dimension():
    assert graze.Distances.empty(np.int64(3), 2).normal.shape == (3, 2)
    for arguments, kind, text in (
        ((3, 4), ValueError, "dim: 4, must be 2 or 3"),
        ((-3, 3), ValueError, "shape: -3, must be sizes >= 0"),
        (((2, 2.5), 3), TypeError, "shape: 2.5, must be a whole number"),
        (("a", 3), TypeError, "shape: 'a', must be a whole number"),
    ):
        with pytest.raises(kind, match=f"^{text}"):
            graze.Distances.empty(*arguments)


def test_rows_of_positions_and_angles_are_rejected():
    for count, kind in ((3, graze.Error), (5, ValueError)):
        rows = np.random.default_rng(count).uniform(1, 2, (count, 3))
        with pytest.raises(kind, match=r"poses_b: .*poses\(\) accepts angles"):
            graze.distance(graze.point2(), None, graze.point2(), rows)
        assert graze.distance(graze.point2(), None, graze.point2(), graze.poses(rows[:, :2], rows[:, 2])).shape == (count,)


def test_poses_of_another_dimension_are_rejected():
    flat = [graze.Pose((i, 1)) for i in range(4)]
    with pytest.raises(TypeError, match=r"poses_a\[0\]: Pose\(\(0.0, 1.0\), .*, must be a 3D Pose"):
        graze.distance(graze.sphere(1), flat, graze.point(), (9, 0, 0))
    with pytest.raises(TypeError, match="poses_b: Pose.*, must be a 2D Pose"):
        graze.distance(graze.circle(1), None, graze.point2(), graze.Pose((0, 0, 0)))
    with pytest.raises(TypeError, match=r"poses_b\[1\]: \(0, 0\), must be a 2D Pose"):
        graze.distance(graze.circle(1), None, graze.point2(), [flat[0], (0, 0)])


def test_arrays_of_float64_are_not_copied():
    from graze._inputs import read_poses

    at = random_poses(np.random.default_rng(22), 10, 3)
    wide = np.zeros((10, 9))
    wide[:, :7] = at
    for array in (at, at[::2], wide[:, :7], at.reshape(2, 5, 7)):
        rows, _ = read_poses(array, 3, "poses")
        assert np.shares_memory(rows, array)
    for array in (at[::-1], np.asfortranarray(at), at.astype(np.float32), np.broadcast_to(at[0], (10, 7))):
        rows, _ = read_poses(array, 3, "poses")
        assert not np.shares_memory(rows, array)
        assert graze.intersect(graze.point(), array, graze.point(), None).shape == (10,)


def test_dlpack_is_read():
    class Tensor:
        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

    at = random_poses(np.random.default_rng(23), 4, 3)
    expected = graze.distance(graze.box(1, 1, 1), at, graze.point(), None)
    assert (graze.distance(graze.box(1, 1, 1), Tensor(at), graze.point(), None).distance == expected.distance).all()


def test_results_fill_a_record():
    at = random_poses(np.random.default_rng(24), 50, 3)
    record = graze.Distances.empty(50, 3, ["relation", "distance"])
    result = graze.distance(graze.box(1, 1, 1), at, graze.sphere(1), None, record)
    assert result is record and record.normal is None
    assert (record.distance == graze.distance(graze.box(1, 1, 1), at, graze.sphere(1), None).distance).all()
    with pytest.raises(ValueError, match=r"out: .*, must be Distances.empty\(\(50,\), 3\)"):
        graze.distance(graze.box(1, 1, 1), at, graze.sphere(1), None, graze.Distances.empty(49, 3))
    for other in (graze.Distances.empty(50, 3), graze.Casts.empty(50, 3)):
        with pytest.raises(ValueError, match=r"out: .*, must be Relations.empty\(\(50,\), 3\)"):
            graze.intersect(graze.box(1, 1, 1), at, graze.sphere(1), None, other)
    with pytest.raises(ValueError, match=r"fields: \['distance'\], must be None with out"):
        graze.distance(graze.box(1, 1, 1), at, graze.sphere(1), None, record, fields=["distance"])
    with pytest.raises(ValueError, match="fields: 'depth', must be some of relation, distance"):
        graze.Distances.empty(1, 3, ["depth"])


def test_records_that_share_memory_with_inputs_are_rejected():
    ball = graze.sphere(1)
    out = graze.Casts.empty(4, 3)
    at = [(3, 0, 0), (6, 0, 0), (9, 0, 0), (12, 0, 0)]
    assert graze.cast(ball, at, (-8, 0, 0), ball, None, None, 1, out) is out
    for name, arguments in (
        ("velocities_a", (ball, at, out.normal, ball, None, None)),
        ("velocities_b", (ball, at, None, ball, None, out.point)),
    ):
        with pytest.raises(ValueError, match=f"out: shares memory with {name}"):
            graze.cast(*arguments, pairs=([3, 2, 1, 0], [0] * 4), out=out)
    record = graze.Distances.empty(7, 3)
    with pytest.raises(ValueError, match="out: shares memory with poses_b"):
        graze.distance(ball, np.zeros((7, 7)), ball, record.lower, record)
    with pytest.raises(ValueError, match="out: shares memory with clearance"):
        graze.distance(ball, np.zeros((7, 7)), ball, None, record, clearance=record.lower)


def test_read_only_records_are_rejected():
    buffers = []
    data = pickle.dumps(graze.Distances.empty(4, 3, ["distance", "normal"]), protocol=5, buffer_callback=buffers.append)
    mapped = pickle.loads(data, buffers=[bytes(buffer) for buffer in buffers])
    with pytest.raises(ValueError, match="^out: distance is read-only, must be writable$"):
        graze.distance(graze.sphere(1), np.zeros((4, 7)), graze.point(), None, mapped)
    assert len(buffers) == 2


def test_pairs_select_bodies():
    at = random_poses(np.random.default_rng(25), 20, 3)
    shapes = graze.Shapes([graze.box(1, 1, 1), graze.sphere(1)])[np.arange(20) % 2]
    first, second = np.triu_indices(20, 1)
    record = graze.distance(shapes, at, shapes, at, pairs=(first, second))
    table = graze.distance(shapes.reshape(20, 1), at[:, None], shapes, at)
    assert record.shape == (190,)
    assert (record.distance == table.distance[first, second]).all()
    assert graze.intersect(shapes, at, shapes, at, pairs=([-1], [19])).relation == graze.Relation.OVERLAPPING
    with pytest.raises(IndexError, match=r"pairs\[1\]: 20, must be an index of 20 bodies"):
        graze.distance(shapes, at, shapes, at, pairs=([0], [20]))


def test_clearances_of_pairs():
    record = graze.intersect(graze.sphere(1), [(3, 0, 0)] * 3, graze.sphere(1), None, clearance=[0, 1, 2])
    assert [graze.Relation(value).name for value in record.relation] == ["SEPARATED", "TOUCHING", "OVERLAPPING"]


def test_threads_give_the_same_bits():
    generator = np.random.default_rng(26)
    at = random_poses(generator, 5000, 3)
    shapes = graze.Shapes([shape for shape in shapes_3d() if shape.kind is not graze.ShapeKind.HALFSPACE])
    mixed = shapes[generator.integers(len(shapes), size=5000)]
    one, three = (graze.distance(mixed, at, graze.box(1, 1, 1), None, threads=n) for n in (1, 3))
    for name in ("relation", "distance", "lower", "upper", "normal", "point_a", "point_b"):
        assert getattr(one, name).tobytes() == getattr(three, name).tobytes()
    with pytest.raises(graze.Error, match="threads = 0"):
        graze.distance(mixed, at, graze.box(1, 1, 1), None, threads=0)


def test_other_threads_run_during_a_batch():
    at = random_poses(np.random.default_rng(27), 200_000, 3, size=20)
    batch, longest = longest_gap(lambda: graze.distance(graze.cone(1, 1), at, graze.ellipsoid(1, 2, 3), None))
    assert longest < batch / 2
    batch, longest = longest_gap(lambda: ctypes.PyDLL(None).usleep(500_000))  # holds the GIL
    assert longest > batch / 2


def test_wrong_numbers_are_named():
    at = random_poses(np.random.default_rng(28), 10, 3)
    at[7, 2] = np.nan
    with pytest.raises(graze.Error, match="distance: poses_b: position of pair 7 = nan") as caught:
        graze.distance(graze.point(), None, graze.point(), at)
    assert caught.value.index == 7 and caught.value.argument == "poses_b"
    with pytest.raises(graze.Error, match=r"clearance of pair 1 = -1 \(must be"):
        graze.distance(graze.point(), None, graze.point(), None, clearance=[0, -1])
    with pytest.raises(TypeError, match=r"shapes\[1\]: 3, must be a Shape"):
        graze.Shapes([graze.point(), 3])
    with pytest.raises(graze.Error, match="DIM|dim"):
        graze.Shapes([graze.point(), graze.point2()])


def test_no_pairs():
    record = graze.distance(graze.point(), np.empty((0, 7)), graze.sphere(1), None)
    assert record.shape == (0,) and record.distance.size == 0
    at = np.zeros((5, 7))
    for pairs in (([], []), np.empty((2, 0)), (np.array([], dtype=np.int32), [])):
        assert graze.intersect(graze.point(), at, graze.point(), at, pairs=pairs).shape == (0,)
    for shape in (graze.point(), graze.point2()):
        assert graze.distance(shape, [], shape, None).shape == (0,)
        assert graze.cast(shape, [], [], shape, None, None).normal.shape == (0, shape.dim)


def test_support_functions_in_arrays():
    calls = []

    def support(direction):
        calls.append(direction)
        return [1.0 if d > 0 else -1.0 for d in direction]

    at = [(4, 0, 0), (0, 5, 0)]
    record = graze.distance(graze.user(3, support), at, graze.sphere(1), None, threads=2)
    assert record.distance == pytest.approx([2, 3]) and calls
    broken = graze.user(3, lambda direction: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        graze.distance(broken, at, graze.sphere(1), None)


def test_records_and_shapes_are_pickled():
    shapes = graze.Shapes(shapes_2d())[[[3, 4], [5, 6]]]
    again = pickle.loads(pickle.dumps(shapes))
    assert again.shape == (2, 2) and again[1, 1] == graze.circle(1)
    record = graze.distance(shapes, None, graze.point2(), (9, 9))
    copy = pickle.loads(pickle.dumps(record))
    assert (copy.distance == record.distance).all() and (copy.normal == record.normal).all()


def test_wrong_arguments_are_named():
    class Tensor:
        def __dlpack__(self, **options):
            raise BufferError("memory of a GPU")

        def __dlpack_device__(self):
            return (2, 0)

    ball, placed = graze.sphere(1), graze.place(graze.sphere(1))
    for query, text in (
        (lambda: graze.distance(ball, None, ball, None, threads=1.5), "threads: 1.5, must be a whole number"),
        (lambda: graze.distance(ball, None, ball, None, max_distance="x"), "max_distance: 'x', must be a number"),
        (lambda: graze.cast(ball, None, None, ball, None, None, "late"), "t_max: 'late', must be a number"),
        (lambda: graze.distance(ball, None, ball, None, fields="distance"), "fields: 'distance', must be a list of"),
        (lambda: graze.distance(ball, None, ball, None, pairs=3), "pairs: 3, must be two arrays"),
        (lambda: graze.distance(ball, None, ball, None, clearance="x"), "clearance: str, must be an array of numbers"),
        (lambda: graze.distance(ball, Tensor(), ball, None), "poses_a: Tensor, must be .* in main memory .memory of a"),
        (lambda: graze.distance(ball, None, placed, None), "b: place.*, must be a Shape; its pose is an argument"),
        (lambda: graze.distance([ball, placed], None, ball, None), r"a\[1\]: place.*, must be a Shape"),
        (lambda: graze.distance(3, None, ball, None), "a: 3, must be Shapes, a Shape or"),
        (lambda: len(graze.distance(ball, None, ball, None)), r"len: <Distances: \(\)>, must have a dimension"),
    ):
        with pytest.raises(TypeError, match=f"^{text}"):
            query()


def test_shapes_that_do_not_fit_are_named():
    at = np.zeros((2, 4))
    with pytest.raises(ValueError, match=r"side a \(2,\), side b \(3,\), clearance \(\): these shapes do not broadcast"):
        graze.distance(graze.box(1, 1), at, graze.box(1, 1), np.zeros((3, 4)))
    with pytest.raises(ValueError, match=r"a \(2,\), poses_a \(3,\)"):
        graze.distance(graze.Shapes([graze.box(1, 1)] * 2), np.zeros((3, 4)), graze.box(1, 1), None)
    with pytest.raises(ValueError, match="b: 3D shapes, must be 2D as a"):
        graze.distance(graze.box(1, 1), None, graze.box(1, 1, 1), None)
    with pytest.raises(ValueError, match=r"velocities_a: shape \(3,\), must be \(…, 2\)"):
        graze.cast(graze.box(1, 1), None, (1, 2, 3), graze.box(1, 1), None, None)
