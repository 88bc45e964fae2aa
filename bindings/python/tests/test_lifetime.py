"""Memory: objects keep what they need, and queries leak nothing."""

import gc
import pickle
import resource
import weakref

import graze
import numpy as np
import pytest
from support import TETRAHEDRON, shapes_2d, shapes_3d


def resident():
    """The size of this process in bytes."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def threads_of_process():
    """The number of threads of this process."""
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Threads:"))


def grows(function, count):
    """The growth in bytes per call, after calls that fill caches. A leak grows in every round, so it is the least."""
    growth = []
    for _ in range(5):
        before = resident()
        for _ in range(count):
            function()
        gc.collect()
        growth.append(resident() - before)
    return min(growth[1:]) / count


@pytest.mark.skipif(not hasattr(resource, "getrusage"), reason="no /proc")
def test_a_million_queries_leak_nothing():
    a, b = graze.place(graze.box(1, 1, 1)), graze.place(graze.box(1, 1, 1), (4, 0, 0))
    assert grows(lambda: graze.distance(a, b).normal, 200_000) < 8


@pytest.mark.parametrize(
    "name", ["shapes", "proofs", "casts", "arrays", "scenes", "explanations", "explanations of failures", "errors", "pickles", "contacts"]
)
def test_calls_leak_nothing(name):
    hull = graze.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    a, b = graze.place(hull), graze.place(hull, (0.1, 0.1, 0.1))
    mesh = graze.place(graze.mesh(*TETRAHEDRON), (0.1, 0.2, 0.3))
    at = np.ones((100, 7))

    def scenes():
        scene = graze.Scene()
        scene.add(hull, motion=(1, 0, 0), user=object())
        scene.add(graze.sphere(1), (3, 0, 0))
        scene.step(0.5)
        scene.nearest(a, 2)
        scene.restore(scene.save())

    def errors():
        with pytest.raises(graze.Error):
            graze.sphere(-1)
        with pytest.raises(ZeroDivisionError):
            graze.distance(graze.place(graze.user(3, lambda direction: 1 // 0)), a)

    fails = [False]

    def support(direction):
        if fails[0]:
            raise ZeroDivisionError
        return (0, 0)

    user = graze.distance(graze.place(graze.user(2, support)), graze.place(graze.circle(1), (3, 3)))

    def failing_explanation():
        fails[0] = True
        with pytest.raises(ZeroDivisionError):
            graze.explain(user)

    calls = {
        "shapes": (lambda: [repr(shape) for shape in shapes_3d() + shapes_2d()], 200),
        "proofs": (lambda: (graze.distance(a, b, proof=True).certificate, graze.distance(mesh, b, proof=True).verify()), 300),
        "casts": (lambda: graze.cast(a, graze.Motion((1, 0, 0), (0, 0, 1)), mesh).certificate, 3000),
        "arrays": (lambda: graze.distance(graze.Shapes([hull]), at, hull, None, threads=2), 300),
        "scenes": (scenes, 1000),
        "explanations": (lambda: graze.explain(graze.distance(a, b)), 30),
        "errors": (errors, 3000),
        "pickles": (lambda: pickle.loads(pickle.dumps([graze.distance(a, b), mesh, graze.Pose((1, 2))])), 3000),
        "explanations of failures": (failing_explanation, 30),
        "contacts": (lambda: (graze.manifold(a, b), graze.contacts(mesh, b)), 3000),
    }
    function, count = calls[name]
    assert grows(function, count) < 64


def test_a_leaked_result_is_noticed():
    a, kept = graze.place(graze.box(1, 1)), []
    assert grows(lambda: kept.append(graze.distance(a, a)), 20_000) > 64


def test_objects_outlive_what_they_were_made_of():
    part = graze.part(graze.place(graze.compound([graze.place(graze.hull([(0, 0), (1, 0), (0, 1)]))])), 0)
    answer = graze.distance(graze.place(graze.mesh(*TETRAHEDRON)), graze.place(graze.sphere(1), (5, 0, 0)))
    table = graze.Shapes(shapes_3d())[3:5]
    gc.collect()
    assert graze.distance(part, graze.place(graze.point2(), (3, 0))).distance == 2
    assert answer.verify() and len(answer.a.shape.faces) == 4
    assert graze.distance(table, None, graze.point(), (9, 0, 0)).distance[1] == 8


def test_shapes_of_parts_keep_the_whole():
    def part_of(size):
        return graze.part(graze.place(graze.decompose([(0, 0), (size, 0), (size, size), (2, 1)]).shape), 0)

    shapes = [part_of(size).shape for size in range(4, 100)]
    assert [shape.vertices for shape in shapes] == [part_of(size).shape.vertices for size in range(4, 100)]


def test_failed_constructors_free_their_memory():
    def support(direction):
        return (0, 0, 0)

    before, alive = threads_of_process(), weakref.ref(support)
    for _ in range(20):
        with pytest.raises(graze.Error, match="skin"):
            graze.Scene(threads=4, skin=-1)
    assert threads_of_process() == before
    with pytest.raises(graze.Error):
        graze.Shapes([graze.user(3, support), graze.circle(1)])
    del support
    gc.collect()
    assert alive() is None


def test_cycles_through_scenes_are_collected():
    class Owner:
        pass

    owner = Owner()
    owner.scene = graze.Scene()
    owner.scene.add(graze.sphere(1), user=owner)
    alive = weakref.ref(owner)
    del owner
    gc.collect()
    assert alive() is None


def test_a_wrong_answer_is_refuted():
    a = graze.place(graze.compound([graze.place(graze.box(1, 1), (2, 2)), graze.place(graze.box(1, 1), (-4, 3))]))
    answer = graze.distance(a, graze.place(graze.circle(0.5), (0, -1)))
    call, state = answer.__reduce__()
    wrong = call(*state[:6], tuple(number + 1 for number in state[6]), *state[7:])
    answer.verify()  # leaves numbers on the stack
    with pytest.raises(graze.Error, match="verify: the certificate or the interval is wrong") as caught:
        wrong.verify()
    assert (caught.value.status, caught.value.argument) == (graze.Status.REFUTED, "")


def scene_with(owner):
    scene = graze.Scene()
    scene.add(graze.user(3, owner.support))
    return scene


def compound_with(owner):
    return graze.compound([graze.place(graze.user(3, owner.support)), graze.place(graze.sphere(1))])


CYCLES = {
    "shape": lambda owner: graze.user(3, owner.support),
    "shapes": lambda owner: [graze.user(3, owner.support).with_margin(i) for i in range(3)],
    "placed": lambda owner: graze.place(graze.user(3, owner.support)),
    "compound": compound_with,
    "part": lambda owner: graze.part(graze.place(compound_with(owner)), 0),
    "other part": lambda owner: graze.part(graze.place(compound_with(owner)), 1).shape,
    "filter": lambda owner: graze.Filter(accept=owner.support),
    "scene": scene_with,
    "table": lambda owner: graze.Shapes([graze.user(3, owner.support)]),
    "answer": lambda owner: graze.distance(graze.place(graze.user(3, owner.support)), graze.place(graze.sphere(1))),
    "cast": lambda owner: graze.cast(graze.place(compound_with(owner)), (1, 0, 0), graze.place(graze.sphere(1))),
}


@pytest.mark.parametrize("name", CYCLES)
def test_cycles_through_functions_are_collected(name):
    class Owner:
        def support(self, direction):
            return (0, 0, 0)

    owner = Owner()
    owner.value = CYCLES[name](owner)
    alive = weakref.ref(owner)
    gc.collect()
    assert alive() is owner
    del owner
    gc.collect()
    assert alive() is None


def test_everything_is_pickled():
    for shape in [*shapes_3d(), *shapes_2d()]:
        again = pickle.loads(pickle.dumps(shape.with_margin(0.5)))
        assert repr(again) == repr(shape.with_margin(0.5))
        placed = graze.place(shape, (1, 2, 3)[: shape.dim])
        assert repr(pickle.loads(pickle.dumps(placed))) == repr(placed)
    a, b = graze.place(graze.box(1, 1)), graze.place(graze.circle(1), (5, 0))
    cast = graze.cast(a, graze.Motion((1, 0), 1.0), b, t_max=9, proof=True)
    again = pickle.loads(pickle.dumps(cast))
    assert (again.t, again.point) == (cast.t, cast.point) and again.verify() and cast.verify()
    ray = pickle.loads(pickle.dumps(graze.raycast(b, (0, 0), (1, 0))))
    assert ray.verify() and ray.is_ray
    for value in (graze.Motion((1, 2), 3.0), graze.Body(3, 4), graze.Relation.TOUCHING, graze.Pose((1, 2, 3))):
        assert pickle.loads(pickle.dumps(value)) == value
    generator = np.random.default_rng(10)
    for points in (generator.normal(size=(60, 2)), generator.normal(size=(60, 3)), generator.integers(-2, 3, (60, 3))):
        hull = graze.Hull(points)
        again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(hull))))
        assert len(hull.vertices) < 60 and again.vertices == hull.vertices and again.indices == hull.indices
        assert sorted(map(sorted, again.faces)) == sorted(map(sorted, hull.faces))
    solid = graze.place(graze.box(1, 1, 1))
    for pair in ((a, a.with_pose((1, 1))), (solid, solid.with_pose((1, 1, 0)))):
        for contact in graze.manifold(*pair)[1]:
            again = pickle.loads(pickle.dumps(contact))
            for name in ("point_a", "point_b", "depth", "feature"):
                assert getattr(again, name) == getattr(contact, name)
    for faces in (TETRAHEDRON[1], [*TETRAHEDRON[1][:3], (0, 0, 7)]):
        report = graze.validate_mesh(TETRAHEDRON[0], faces)
        again = pickle.loads(pickle.dumps(report))
        assert (repr(again), repr(again.errors)) == (repr(report), repr(report.errors))
    explanation = graze.explain(graze.distance(a, b))
    assert pickle.loads(pickle.dumps(explanation)).html == explanation.html
    hull = graze.Hull([(0, 0), (1, 0), (0, 1), (0.1, 0.1)])
    assert pickle.loads(pickle.dumps(hull)).vertices == hull.vertices
    with pytest.raises(graze.Error) as caught:
        graze.sphere(-1)
    error = pickle.loads(pickle.dumps(caught.value))
    assert (str(error), error.status, error.value) == (str(caught.value), caught.value.status, -1)
    with pytest.raises(TypeError, match="a part"):
        pickle.dumps(graze.part(graze.place(shapes_3d()[13]), 0))


@pytest.mark.parametrize("query", [graze.intersect, graze.distance])
@pytest.mark.parametrize("proof", [False, True])
def test_pickling_keeps_what_verify_proves(query, proof):
    generator = np.random.default_rng(20)
    kinds, unproved = set(), 0
    for _ in range(40):
        a, b = (
            graze.place(graze.compound([graze.place(graze.box(1, 1), at) for at in generator.uniform(-4, 4, (3, 2))]), at)
            for at in generator.uniform(-5, 5, (2, 2))
        )
        answer = query(a, b, proof=proof)
        proved, parts = answer.verify(), len(answer.certificate.get("parts", ()))
        again = pickle.loads(pickle.dumps(answer))
        assert (again.verify(), len(again.certificate.get("parts", ()))) == (proved, parts)
        assert again.certificate == answer.certificate
        kinds.add(answer.relation)
        unproved += not proved
    assert len(kinds) >= 2 and (unproved == 0) == proof


@pytest.mark.filterwarnings("ignore:nanobind")
def test_uninitialised_objects_are_rejected():
    placed, scene = graze.Placed.__new__(graze.Placed), graze.Scene.__new__(graze.Scene)
    calls = [
        lambda: graze.distance(placed, placed),
        lambda: graze.cast(placed, None, placed),
        lambda: graze.manifold(placed, placed),
        lambda: graze.raycast(placed, (0, 0, 0), (1, 0, 0)),
        lambda: graze.intersect_list(placed, [placed]),
        lambda: graze.Scene().nearest(placed),
        lambda: graze.compound([placed]),
        lambda: graze.Shapes([graze.Shape.__new__(graze.Shape)]),
        lambda: placed.pose,
        lambda: repr(placed),
        lambda: hash(placed),
        lambda: placed == placed,
        lambda: pickle.dumps(placed),
        lambda: graze.Answer.__new__(graze.Answer).verify(),
        lambda: graze.explain(graze.Answer.__new__(graze.Answer)),
        lambda: scene.step(1),
        lambda: len(scene),
    ]
    for call in calls:
        with pytest.raises((TypeError, RuntimeError)):
            call()
