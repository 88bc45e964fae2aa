"""Queries about two shapes: relation, distance, certificates, contact points."""

import math
import pickle

import graze
import pytest


def test_separated_boxes_have_a_proved_gap():
    a, b = graze.place(graze.box(1, 1, 1)), graze.place(graze.box(1, 1, 1), (5, 0, 0))
    answer = graze.distance(a, b)
    assert answer.relation is graze.Relation.SEPARATED
    assert answer.lower <= 3 <= answer.upper and answer.distance == 3
    assert answer.normal == (1, 0, 0)
    assert answer.verify()
    assert answer.certificate["relation"]["kind"] == "separated"


def test_overlapping_hulls_need_a_complete_proof():
    hull = graze.hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)])
    a, b = graze.place(hull), graze.place(hull, (0.1, 0.1, 0.1))
    assert graze.distance(a, b).verify() is False
    proved = graze.distance(a, b, proof=True)
    assert proved.verify() is True
    assert proved.certificate["upper"]["surface"]["faces"]


def test_intersect_computes_the_relation_only():
    a, b = graze.place(graze.circle(1)), graze.place(graze.circle(1), (0.5, 0))
    answer = graze.intersect(a, b)
    assert answer.relation is graze.Relation.OVERLAPPING
    assert math.isnan(answer.distance) and answer.verify()


def test_clearance_is_added_to_the_radii():
    a, b = graze.place(graze.box(1, 1)), graze.place(graze.box(1, 1), (3, 0))
    assert graze.distance(a, b, clearance=0.25).distance == 0.75
    assert graze.intersect(a, b, clearance=1).relation is graze.Relation.TOUCHING


def test_answers_are_immutable():
    answer = graze.distance(graze.place(graze.point()), graze.place(graze.point(), (1, 0, 0)))
    with pytest.raises(AttributeError):
        answer.distance = 2


def test_answers_are_pickled_with_their_shapes():
    answer = graze.distance(graze.place(graze.cone(1, 2)), graze.place(graze.ellipsoid(1, 2, 3), (7, 1, 0)))
    again = pickle.loads(pickle.dumps(answer))
    assert (again.distance, again.lower, again.upper) == (answer.distance, answer.lower, answer.upper)
    assert again.certificate == answer.certificate and again.verify()


def test_shapes_of_different_dimensions_are_rejected():
    with pytest.raises(graze.Error) as caught:
        graze.distance(graze.place(graze.box(1, 1)), graze.place(graze.box(1, 1, 1)))
    assert caught.value.status is graze.Status.DIM_MISMATCH


def test_wrong_option_is_named_with_its_value():
    a = graze.place(graze.box(1, 1))
    with pytest.raises(graze.Error, match=r"clearance = -1 \(must be"):
        graze.distance(a, a, clearance=-1)


def test_a_turning_cast_needs_a_complete_proof():
    box, ball = graze.place(graze.box(1, 1)), graze.place(graze.circle(1), (5, 0))
    motion = graze.Motion((1, 0), 1.0)
    assert graze.cast(box, motion, ball, t_max=9).verify() is False
    result = graze.cast(box, motion, ball, t_max=9, proof=True)
    assert result.verify() is True and result.certificate["steps"]
    assert not graze.cast(box, (-1, 0), ball) and graze.cast(box, (-1, 0), ball).min_lower == pytest.approx(3)
