"""Values are written by repr() and pickled; damaged pickles raise ValueError that names the class."""

import copy
import enum
import gc
import math
import pickle

import graze
import hypothesis
import hypothesis.strategies as st
import numpy as np
import pytest
from graze import _graze
from support import TETRAHEDRON, shapes_2d, shapes_3d

SQUARE = [(0, 0), (4, 0), (4, 4), (0, 4)]


def accept(body):
    return body.slot != 3


def hits_of_parts():
    """The hits of a ray on all parts of a compound, a mesh, and a convex shape."""
    shapes = [
        graze.compound([graze.place(graze.sphere(1)), graze.place(graze.box(1, 1, 1), (5, 0, 0))]),
        graze.mesh(*TETRAHEDRON),
        graze.ellipsoid(1, 2, 3),
    ]
    hits = [graze.raycast_parts(graze.place(shape, (0.5, 0, 0)), (-4, 0.25, 0.25), (1, 0, 0)) for shape in shapes]
    assert [len(of_shape) for of_shape in hits] == [2, 2, 1]
    return [hit for of_shape in hits for hit in of_shape]


def values():
    """An object of each public class that is a value, and of each function that restores one."""
    scene = graze.Scene(2)
    wall = scene.add(graze.box(1, 9), (10, 0), type=graze.BodyType.STATIC)
    ball = scene.add(graze.circle(1), motion=(100, 0))
    hit = scene.raycast((0, 5), (1, 0))[1]
    collision = scene.move(ball, (20, 0))[0]
    scene.set_pose(ball, (0, 0))
    step = scene.step(0.5)
    a, b = graze.place(graze.box(1, 1)), graze.place(graze.circle(1), (1, 0))
    outline = graze.validate_outline([(0, 0), (2, 2), (2, 0), (0, 1)])
    report = graze.validate_mesh(*[part[:3] for part in TETRAHEDRON])
    answer, contacts = graze.manifold(a, b)
    return [
        *shapes_2d(),
        *shapes_3d(),
        *(graze.place(shape) for shape in shapes_2d()),
        graze.Pose((1, 2, 3), (1, 0, 0, 1)),
        graze.Motion((1, 2), 3),
        graze.Hull([(0, 0), (1, 0), (0, 1), (0.1, 0.1)]),
        outline,
        outline.errors[0],
        graze.decompose(SQUARE, [[(1, 1), (2, 1), (2, 2)]], graze.Splitting.FEW),
        report,
        report.errors[0],
        answer,
        graze.distance(a, b, proof=True),
        graze.intersect(a, b),
        contacts[0],
        graze.cast(a, (1, 0), b),
        graze.raycast(b, (-4, 0), (1, 0)),
        *hits_of_parts(),
        graze.explain(answer),
        wall,
        step,
        step.events[0],
        hit,
        collision,
        graze.Filter(),
        graze.Filter(category=6, mask=5, exclude=wall, sensors=True, accept=accept),
        graze.Shapes([graze.sphere(1), graze.box(1, 1, 1)])[[0, 1, 1]],
        graze.distance(graze.circle(1), [(0, 0), (3, 0)], graze.circle(1), None),
        graze.intersect(graze.circle(1), [(0, 0), (3, 0)], graze.circle(1), None),
        graze.cast(graze.circle(1), None, [(1, 0)], graze.circle(1), (4, 0), None),
    ]


def members(value):
    """The values of the properties of an object, as text: NaN and arrays compare equal to themselves."""
    names = [name for name in dir(type(value)) if isinstance(getattr(type(value), name), property)]
    result = {}
    for name in names:
        try:
            result[name] = repr(getattr(value, name))
        except (AttributeError, graze.Error) as error:
            result[name] = str(error)
    return result


def test_values_are_pickled_and_copied():
    for value in values():
        again = pickle.loads(pickle.dumps(value))
        assert type(again) is type(value)
        assert members(again) == members(value)
        assert repr(again) == repr(value)
        assert repr(copy.deepcopy(value)) == repr(value)


def test_hits_of_parts_have_their_own_values_and_certificates():
    """Each hit is about its part, not about the first part, also when it is restored."""
    for hit in hits_of_parts():
        part = graze.part(hit.a, hit.part_a)
        alone = graze.raycast(part, hit.b.pose.position, hit.motion_b.velocity)
        assert alone.t_lower == pytest.approx(hit.t_lower) and alone.normal == pytest.approx(hit.normal)
        for same in (hit, pickle.loads(pickle.dumps(hit)), copy.copy(hit), copy.deepcopy(hit)):
            assert (same.t_lower, same.t_upper, same.part_a, same.point) == (hit.t_lower, hit.t_upper, hit.part_a, hit.point)
            assert same.verify()
            assert same.certificate == hit.certificate
        if hit.a.shape.kind is graze.ShapeKind.COMPOUND:
            assert hit.certificate == alone.certificate
        number = f"{hit.t_lower:.3g}"
        assert number in graze.explain(hit).text and graze.explain(hit).text == graze.explain(alone).text


def test_the_pickle_of_a_step_is_that_of_its_events():
    step = next(value for value in values() if isinstance(value, graze.Step))
    assert repr(pickle.loads(pickle.dumps(step)).events) == repr(step.events) == "(Event(begin, 0, 1),)"


def test_every_public_class_has_a_repr_and_can_be_pickled_except_scenes():
    seen = {type(value) for value in values()}
    for name in dir(graze):
        kind = getattr(graze, name)
        if not isinstance(kind, type) or name.startswith("_") or issubclass(kind, (enum.Enum, Exception)):
            continue
        assert kind.__repr__ is not object.__repr__, name
        assert kind in seen or kind is graze.Scene, name


def test_texts():
    scene = graze.Scene(2)
    assert repr(scene) == "<Scene: 2D, 0 bodies>"
    texts = {type(value).__name__: repr(value) for value in values()}
    assert texts["Step"] == "<Step: 1 events, 1 pairs, 1 responses>"
    assert texts["Collision"].startswith("Collision(SLIDE, other=Body(0, 1), t=0.39999")
    assert texts["Hull"] == "<Hull: 2D, 3 vertices, 0 faces>"
    assert texts["Outline"] == "<Outline: not simple, not convex, CW, area 1, 1 errors>"
    assert texts["Decomposition"].startswith("<Decomposition: 3 pieces, area 15.5>")
    assert texts["Filter"].startswith("Filter(category=6, mask=5, exclude=Body(0, 1), sensors=True, accept=<function")


def test_the_pickling_of_scenes_and_parts_raises_the_reason():
    for function in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match=r"a Scene cannot be pickled or copied: save\(\) and restore\(\)"):
            function(graze.Scene())
    with pytest.raises(TypeError, match="a part of a compound or mesh cannot be pickled"):
        pickle.dumps(graze.part(graze.place(shapes_3d()[13]), 0))


# ---- Damaged data

RESTORE = sorted(name for name in dir(_graze) if name.startswith("_restore_"))
REDUCED = [value.__reduce__() for value in values() if type(value).__module__ == "graze._graze"]
GOOD = [arguments for function, arguments in REDUCED if function.__module__ == "graze._pickle"]
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-2, 20),
    st.floats(),
    st.text(max_size=3),
    st.binary(max_size=3),
    st.sampled_from([math.inf, graze.Relation.TOUCHING, graze.circle(1), graze.place(graze.point()), object(), print]),
    st.lists(st.lists(st.floats(-9, 9), max_size=3), max_size=4),
    st.lists(st.integers(-1, 3), max_size=10),
    st.lists(st.integers(-1, 3), max_size=10).map(tuple),
)


def require_value_error(function, *arguments):
    try:
        repr(function(*arguments))
    except ValueError as error:
        assert "damaged pickle data" in str(error)
        assert "bad_cast" not in str(error) and "vector::" not in str(error)


def test_pickles_cover_all_functions():
    assert sorted({arguments[0] for arguments in GOOD} | {"_restore_decomposed"}) == RESTORE


@pytest.mark.parametrize("name", RESTORE)
@hypothesis.settings(max_examples=100)
@hypothesis.given(st.lists(JUNK, max_size=11))
def test_junk_raises_value_error(name, arguments):
    require_value_error(getattr(_graze, name), *arguments)


@hypothesis.settings(max_examples=600)
@hypothesis.given(st.sampled_from(GOOD), st.data())
def test_damaged_arguments_raise_value_error(good, data):
    """One argument, or one element of it, is junk."""
    arguments = list(good[1:])
    index = data.draw(st.integers(0, len(arguments) - 1)) if arguments else 0
    if arguments and isinstance(arguments[index], (tuple, list)) and arguments[index] and data.draw(st.booleans()):
        inner = list(arguments[index])
        inner[data.draw(st.integers(0, len(inner) - 1))] = data.draw(JUNK)
        arguments[index] = type(arguments[index])(inner)
    elif arguments:
        arguments[index] = data.draw(JUNK)
    require_value_error(getattr(_graze, good[0]), *arguments)


def test_messages_name_the_class_and_the_member():
    hull = [(0, 0), (1, 0), (0, 1)]
    for name, arguments, text in (
        ("_restore_hull", (hull, [0, 1]), r"Hull: damaged pickle data: indices: \[0, 1\], must be one for each vertex"),
        ("_restore_mesh_error", (99, 0, 0, 0), "MeshError: damaged pickle data: kind: 99, must be a MeshErrorKind"),
        ("_restore_contact", ((0, 0), (0, 0), "x", 0), "Contact: damaged pickle data: depth: 'x', must be a number"),
        ("_restore_shape", ("version", (), 0), "Shape: damaged pickle data: constructor: 'version', must be"),
        ("_restore_shape", ("box", (-1, 1), 0), r"Shape: damaged pickle data: box: x = -1"),
        (
            "_restore_part_hit",
            (graze.place(graze.sphere(1)), (-4, 0, 0), (1, 0, 0), 9, 1),
            "CastResult: damaged pickle data: part: 1, must be the index of a part that the ray hits",
        ),
        ("_restore_answer", (1,), r"Answer: damaged pickle data: arguments: \(1,\), must be 9"),
    ):
        with pytest.raises(ValueError, match=text):
            getattr(_graze, name)(*arguments)
    with pytest.raises(ValueError, match="graze: damaged pickle data: function: 'version'"):
        graze._pickle.call("version")


@pytest.mark.parametrize(
    ("index", "value", "text"),
    [
        (0, -5.0, r"clearance = -5 \(must be 0 to 1e40\)"),
        (0, math.nan, r"clearance = nan \(must be 0 to 1e40\)"),
        (1, -1.0, r"max_distance = -1 \(must be >= 0\)"),
        (2, math.nan, r"tolerance = nan \(must be >= 0\)"),
        (3, 0, r"max_iterations = 0 \(must be >= 1\)"),
        (4, 17, "options: .*, must be "),
    ],
)
def test_options_of_answers_are_those_of_queries(index, value, text):
    function, (name, a, b, options, *rest) = graze.distance(*[graze.place(graze.box(1, 1))] * 2).__reduce__()
    damaged = [*options[:index], value, *options[index + 1 :]]
    assert function(name, a, b, options, *rest).clearance == 0
    with pytest.raises(ValueError, match=f"^Answer: damaged pickle data: options: {text.removeprefix('options: ')}"):
        function(name, a, b, tuple(damaged), *rest)


def test_methods_of_answers_are_those_of_their_shapes():
    cone, box = graze.place(graze.cone(1, 1)), graze.place(graze.box(1, 1, 1), (4, 0, 0))
    exact = graze.distance(box, box, method=graze.Method.EXACT)
    assert pickle.loads(pickle.dumps(exact)).verify()
    function, (name, _, _, *rest) = exact.__reduce__()
    with pytest.raises(ValueError, match="^Answer: damaged pickle data: distance: .*not "):
        function(name, cone, box, *rest)


def test_damaged_arrays_raise_value_error():
    from graze._inputs import _restore_shapes
    from graze._records import _restore_record

    box, zeros = graze.box(1, 1), np.zeros(2)
    for shapes, index in (([box], np.array([1], np.uint32)), ([], zeros), ([box], zeros), (3, zeros), ([box, 3], zeros), ([box], 0)):
        with pytest.raises(ValueError, match="Shapes: damaged pickle data"):
            _restore_shapes(shapes, index)
    for shape, dim, buffers in (
        ((3,), 2, {"distance": zeros}),
        ((2,), 4, {"distance": zeros}),
        ((2,), 2, {"distance": zeros.astype(np.float32)}),
        ((2,), 2, {"depth": zeros}),
        ((2,), 2, 5),
        (("x",), 2, {"distance": zeros}),
        ((2,), 2, {"distance": [0, 0]}),
        ((-1, -2), 2, {"distance": zeros}),
    ):
        with pytest.raises(ValueError, match="Distances: damaged pickle data"):
            _restore_record(graze.Distances, shape, dim, buffers)
    with pytest.raises(ValueError, match="damaged pickle data"):
        _restore_record(int, (2,), 2, {})


def test_damaged_snapshots_raise_an_error_in_python_words():
    with pytest.raises(graze.Error, match=r"restore: snapshot\.magic: .*must be bytes that save\(\) returned") as caught:
        graze.Scene().restore(b"x" * 100)
    assert caught.value.status is graze.Status.BAD_DATA
    scene = graze.Scene(2)
    scene.add(graze.hull([(0, 0), (1, 0), (0, 1)]))
    snapshot = scene.save()
    for end in range(len(snapshot)):
        with pytest.raises(graze.Error) as caught:
            graze.Scene(2).restore(snapshot[:end])
        assert "graze_" not in str(caught.value)


def test_removed_bodies_may_call_the_scene():
    """The object of a body is freed after the body has left the scene."""
    lengths = []

    class User:
        def __init__(self, scene):
            self.scene = scene

        def __del__(self):
            lengths.append((len(self.scene), list(self.scene)))

    scene = graze.Scene(2)
    body = scene.add(graze.circle(1), user=User(scene))
    scene.remove(body)
    gc.collect()
    assert lengths == [(0, [])]
