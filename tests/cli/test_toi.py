"""toi, and the methods of motion, at the command line: what the answers say, that every method but `discrete` hits what
is thin and fast, that `graze verify` proves what was asked with proof, and that it refuses forgeries of steps, times and
results."""
import copy
import json
import math
import random
import sys
import unittest

from commands import ask
from test_motion import BALL, BOX, CAST_KEYS, FLOOR, PASSING, REST, SQUARE, cast, verdicts

SEED = 20270114
ROD = {"type": "box", "half_extents": [2, 0.05]}
STICK = {"type": "box", "half_extents": [2, 0.05, 0.05]}
WALL = {"type": "box", "half_extents": [3, 0.5]}
EGG = {"type": "ellipse", "radii": [2, 1]}
GROUND = {"type": "halfspace", "normal": [0, 2], "offset": 0}
SLUG = {"type": "box", "half_extents": [0.01, 0.005, 0.005]}
SHEET = {"type": "box", "half_extents": [5e-7, 10, 10]}
METHODS = ("auto", "fccd", "sweep", "lccd", "ca")


def toi(a, b, place=None, turn=0, speed=None, t_max=1, turn_b=None, **rest):
    """A turns about the origin, in 3D about z; B stands at `place`, moves, and may turn too."""
    dim = len(place)
    still = [0] * dim
    turns = [w if dim == 2 or isinstance(w, list) else [0, 0, w] for w in (turn, turn_b or 0)]
    motion = {"type": "rotational", "velocity_a": still, "velocity_b": speed or still,
              "angular_velocity_a": turns[0], "angular_velocity_b": turns[1], "t_max": t_max}
    return {"query": "toi", "dim": dim, "a": a, "b": {**b, "position": place}, "motion": motion, "proof": True, **rest}


def straight(*arguments, **rest):
    return {**cast(*arguments, **rest), "query": "toi", "proof": True}


def swings_to(height, length=2, half=0.05):
    """When the corner of the rod that turns by 1 a second is as high."""
    return math.asin(height / math.hypot(length, half)) - math.atan2(half, length)


# name: the question, the result, the relation at the start, the time
QUESTIONS = {
    "rod": (toi(ROD, WALL, [0, 2.25], 1, t_max=2), "hit", "separated", swings_to(1.75)),
    "rod back": (toi(ROD, WALL, [0, 2.25], -1, t_max=3), "hit", "separated", swings_to(1.75)),
    "fast rod": (toi(ROD, WALL, [0, 2.25], 1e6), "hit", "separated", swings_to(1.75) / 1e6),
    "stick": (toi(STICK, {"type": "box", "half_extents": [3, 0.5, 9]}, [0, 2.25, 0], 4), "hit", "separated",
              swings_to(1.75) / 4),
    "both": (toi(ROD, ROD, [3.9, 0], 1, turn_b=1), "hit", "overlapping", 0),
    "short": (toi(ROD, WALL, [0, 2.75], 1, t_max=7), "clear", "separated", None),
    "short stick": (toi(STICK, BOX, [0, 0, 1.25], [0, 0, 5], t_max=3), "clear", "separated", None),
    "tumbling": (toi(SHEET, SLUG, [-10, 0, 0], 0, [20, 0, 0], turn_b=[3, 1, 200]), "hit", "separated", (0.499, 0.5)),
    "egg": (toi(EGG, WALL, [0, 2], 1, t_max=2), "hit", "separated", math.asin(math.sqrt(1.25 / 3))),
    "egg clear": (toi(EGG, WALL, [0, 2.75], 1, t_max=7), "clear", "separated", None),
    "landing": (toi(GROUND, SQUARE, [0, 1.25], 0, turn_b=1), "hit", "separated",
                math.asin(1.25 / math.sqrt(2)) - math.pi / 4),
    "clearance": (toi(ROD, WALL, [0, 2.25], 1, t_max=2, clearance=0.25), "hit", "separated", swings_to(1.5)),
    "turned": (toi({**ROD, "rotation": 0.25}, WALL, [0, 2.25], 1, t_max=2), "hit", "separated", swings_to(1.75) - 0.25),
    "part": (toi(SQUARE, SQUARE, [2, 0.25], 0, [9, 0], turn_b=1), "clear", "touching", None),
    "push": (toi(SQUARE, SQUARE, [2, 0.25], 0, [-9, 0], turn_b=1), "hit", "touching", 0),
    "deep": (toi(BOX, BOX, [0.5, 0.25, 1], [1, 2, 3], [9, 0, 0]), "hit", "overlapping", 0),
    "straight": (straight(BOX, BOX, [10, 0.5, 0.25], [-4, 0, 0], 4), "hit", "separated", 2),
    "slide": (straight(BOX, BOX, [0.5, 2, 0], [10, 0, 0]), "clear", "touching", None),
    "miss": (straight(BOX, BOX, [-9, 2.125, 0], [10, 0, 0], 2), "clear", "separated", None),
    "no turn": (toi(BOX, BOX, [5, 0, 0], 0, [-4, 0, 0]), "hit", "separated", 0.75),
    "spinning ball": (toi(BALL, FLOOR, [0, 0, -5], [7, 8, 9], [0, 0, 8]), "hit", "separated", (5 - 1 - 0.25) / 8),
}
TURNED = [name for name, row in QUESTIONS.items() if row[0]["motion"]["type"] == "rotational" and
          name not in ("no turn", "spinning ball")]
SWEPT = [name for name in TURNED if QUESTIONS[name][2] == "separated"]
TOI_KEYS = CAST_KEYS + ["orientation_a", "orientation_b"]


class Toi(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.asked = {name: {**row[0], "id": name} for name, row in QUESTIONS.items()}
        cls.answers = dict(zip(cls.asked, ask(*cls.asked.values()), strict=True))

    def about(self, answer, time):
        """The bracket holds the time, and is narrow."""
        low, high = time if isinstance(time, tuple) else (time, time)
        size = high or 1e-3
        self.assertLessEqual(answer["t_lower"], high + 1e-12 * size, answer)
        self.assertGreaterEqual(answer["t_upper"], low - 1e-12 * size, answer)
        self.assertLess(answer["t_upper"] - answer["t_lower"], 1e-6 * size, answer)


class Answers(Toi):
    def test_what_comes_of_it(self):
        for name, (question, result, starts, time) in QUESTIONS.items():
            answer = self.answers[name]
            with self.subTest(name, answer=str(answer)[:1000]):
                self.assertNotIn("error", answer)
                self.assertEqual((answer["result"], answer["starts"]), (result, starts))
                self.assertIn(answer["path"], ("sweep",) if name in TURNED else ("fccd", "lccd"))
                if result == "hit":
                    self.assertEqual(answer["t"], answer["t_lower"])
                    self.about(answer, time)
                else:
                    self.assertEqual([answer[key] for key in ("t", "t_lower", "t_upper", "point", "normal")], [None] * 5)

    def test_keys_in_order(self):
        for name, answer in self.answers.items():
            passing = PASSING if QUESTIONS[name][1] == "clear" and name not in TURNED else []
            rotation = ["rotation_a"] if name == "turned" else []
            self.assertEqual(list(answer), TOI_KEYS + passing + REST + rotation + ["certificate"], name)
            proofs = list(answer["certificate"])
            self.assertEqual(proofs[0], "relation")
            self.assertEqual(proofs[-1] == "steps", name in SWEPT, name)
        answer, = ask({**self.asked["rod"], "certificate": False})
        self.assertEqual(list(answer), TOI_KEYS + REST)
        answer, = ask({**self.asked["rod"], "proof": False})
        self.assertNotIn("steps", answer["certificate"])

    def test_steps_follow_each_other(self):
        for name in SWEPT:
            answer, dim = self.answers[name], QUESTIONS[name][0]["dim"]
            steps = answer["certificate"]["steps"]
            with self.subTest(name, steps=len(steps)):
                self.assertEqual(steps[0]["t0"], 0)
                for before, after in zip(steps, steps[1:]):
                    self.assertGreaterEqual(before["t1"], after["t0"])
                end = self.asked[name]["motion"]["t_max"] if answer["t_lower"] is None else answer["t_lower"]
                self.assertGreaterEqual(steps[-1]["t1"], end)
                for step in steps:
                    self.assertEqual(list(step), ["t0", "t1", "direction"])
                    self.assertLess(step["t0"], step["t1"])
                    self.assertEqual(len(step["direction"]), dim)

    def test_orientations(self):
        """Where the bodies are then, they all but touch."""
        for name in TURNED:
            question, answer = self.asked[name], self.answers[name]
            motion, dim = question["motion"], question["dim"]
            t = motion["t_max"] if answer["t"] is None else answer["t"]
            with self.subTest(name):
                for key in "ab":
                    turn = answer[f"orientation_{key}"]
                    self.assertEqual(len(turn), 2 if dim == 2 else 4)
                    rate = motion[f"angular_velocity_{key}"]
                    rate = rate if dim == 2 else math.hypot(*rate)
                    first = question[key].get("rotation", 0) if dim == 2 else 0
                    half, wanted = turn[0] / math.hypot(*turn), math.cos((first + rate * t) / 2)
                    self.assertAlmostEqual(abs(half), abs(wanted), delta=1e-9)
                if QUESTIONS[name][2] == "separated":
                    placed = {key: {**question[key], "position": answer[f"position_{key}"],
                                    "rotation": answer[f"orientation_{key}"]} for key in "ab"}
                    there, = ask({**question, **placed, "query": "distance"})
                    nearest = 0 if answer["result"] == "hit" else 1e-3
                    self.assertGreater(there["distance"], nearest - 1e-9)
                    self.assertTrue(answer["result"] == "clear" or there["distance"] < 1e-6, there)

    def test_no_turn_is_a_cast(self):
        for name in ("straight", "slide", "miss"):
            plain = {**self.asked[name], "query": "shapecast"}
            turned = copy.deepcopy(self.asked[name])
            turned["motion"].update(type="rotational", angular_velocity_a=[0, 0, 0], angular_velocity_b=[0, 0, 0])
            for answer in ask(plain, turned):
                told = {key: value for key, value in self.answers[name].items() if "orientation" not in key}
                self.assertEqual({key: value for key, value in answer.items() if "orientation" not in key},
                                 {**told, "query": answer["query"]})

    def test_the_part_that_meets_is_named(self):
        pair = {"type": "compound", "parts": [{**ROD, "position": [0, -4]}, {**ROD, "position": [0, 4]}]}
        question = toi(pair, {"type": "circle", "radius": 0.5}, [-4, 0], 1, t_max=2)
        answer, = ask(question)
        self.assertEqual((answer["result"], answer["part_a"]), ("hit", 1), answer)
        self.assertNotIn("refused", verdicts([question], [answer]))


class Methods(Toi):
    def test_what_is_thin_and_fast(self):
        """1000 lengths of the bullet within the step, a wall of 1e-6. Where samples look, nothing is to be seen."""
        time = (10 - 0.01 - 5e-7) / 20
        plain = cast(SHEET, SLUG, [-10, 0, 0], [20, 0, 0])
        spinning = toi(SHEET, SLUG, [-10, 0, 0], 0, [20, 0, 0], turn_b=[0, 0, 40])
        for question, methods in [(plain, METHODS), ({**plain, "query": "toi"}, METHODS),
                                  (spinning, ("auto", "sweep", "ca"))]:
            expected = time if question is not spinning else (0.499, 0.5)
            automatic = "sweep" if question is spinning else "lccd"
            for method, answer in zip(methods, ask(*[{**question, "method": method} for method in methods])):
                with self.subTest(method, query=question["query"], answer=str(answer)[:500]):
                    self.assertEqual((answer["result"], answer["starts"]), ("hit", "separated"))
                    self.assertEqual(answer["path"], automatic if method == "auto" else method)
                    self.about(answer, expected)
            answers = ask({**question, "method": "discrete"}, {**question, "method": "discrete", "samples": 64})
            self.assertEqual(*answers)
            self.assertEqual((answers[0]["result"], answers[0]["path"]), ("clear", "discrete"), answers)
            self.assertEqual(verdicts([question] * 2, answers), ["unproven"] * 2)

    def test_samples_prove_nothing(self):
        asked = [{**question, "method": "discrete"} for question in self.asked.values()]
        answers = ask(*asked)
        for question, answer, verdict in zip(asked, answers, verdicts(asked, answers), strict=True):
            self.assertEqual(verdict, "verified" if answer["starts"] == "overlapping" else "unproven", answer)

    def test_samples_see_what_is_slow(self):
        for name in ("rod", "stick", "egg", "straight"):
            question = {**self.asked[name], "method": "discrete", "samples": 2001}
            answer, = ask(question)
            time, step = QUESTIONS[name][3], question["motion"]["t_max"] / 2000
            self.assertEqual((answer["result"], answer["path"]), ("hit", "discrete"), answer)
            self.assertTrue(abs(answer["t"] - time) < 1.01 * step, answer)
            self.assertNotIn("steps", answer["certificate"])
            self.assertEqual(verdicts([question], [answer]), ["unproven"])

    def test_all_agree(self):
        for name in SWEPT + ["straight", "miss", "no turn"]:
            methods = ("sweep", "ca") if name in TURNED else METHODS
            asked = [{**self.asked[name], "method": method} for method in methods]
            answers = ask(*asked)
            self.assertNotIn("refused", verdicts(asked, answers), name)
            for method, answer in zip(methods, answers):
                with self.subTest(name, method=method):
                    self.assertEqual(answer["result"], QUESTIONS[name][1])
                    if answer["result"] == "hit":
                        self.about(answer, QUESTIONS[name][3])

    def test_rays_know_two(self):
        motion = {"type": "ray", "origin": [5, 0, 0], "direction": [-1, 0, 0]}
        fccd, sweep = ask(*[{"query": "raycast", "a": BOX, "motion": motion, "method": method}
                            for method in ("fccd", "sweep")])
        self.assertAlmostEqual(fccd["t"], 4)
        self.assertNotIn("t", sweep)


class Verified(Toi):
    def test_true_answers(self):
        names = list(QUESTIONS)
        for name, verdict in zip(names, verdicts([self.asked[n] for n in names], [self.answers[n] for n in names])):
            with self.subTest(name, answer=str(self.answers[name])[:1000]):
                self.assertEqual(verdict, "verified" if self.answers[name]["starts"] != "touching" or name == "slide"
                                 else "unproven")

    def test_from_touch(self):
        """They part, stay near or push: nothing of it is shown yet, and nothing refused."""
        asked = [toi(a, b, [2, 0.25], 0, [speed, 0], turn_b=turn) for a, b in ((SQUARE, SQUARE), (GROUND, SQUARE))
                 for speed in (-1, 0, 1, 9) for turn in (-9, -0.5, 0.5, 9)]
        asked = [{**question, "b": {**question["b"], "position": [0, 1]}} if question["a"] is GROUND else question
                 for question in asked]
        answers = ask(*asked, *[{**question, "method": "ca"} for question in asked])
        self.assertEqual({answer["starts"] for answer in answers}, {"touching"})
        self.assertEqual({answer["result"] for answer in answers}, {"hit", "clear", "possible"})
        self.assertEqual(set(verdicts(asked * 2, answers)), {"unproven"})

    def test_hits_at_once(self):
        """Bodies start separated by a few ulps and hit with t_lower = 0. The list of steps is empty: the certificate of
        the start and the pairs at t_upper prove the answer. Without time, the start alone proves `clear`."""
        arrow = {"type": "polygon", "vertices": [[-1, -1], [1, -1], [-1, 1]]}
        ground = {"type": "halfspace", "normal": [-1, 0], "offset": 0}
        asked = []
        for b in (SQUARE, {"type": "circle", "radius": 1}, arrow, {"type": "ellipse", "radii": [1, 1]}, ground):
            for tilt in (0, 1e-17, -1e-17):  # the corner that is nearest at first need not be the one that hits
                for turn in (1, -0.5):
                    place = [(1 if b is ground else 2) + 1e-15, 0]
                    a = {**SQUARE, "half_extents": [1, 1], "rotation": [1, tilt]}
                    question = toi(a, b, place, turn, [-1, 0])
                    asked += [question, {**question, "motion": {**question["motion"], "t_max": 0}}]
        cube = {"type": "box", "half_extents": [1, 1, 1]}
        asked.append(toi(cube, cube, [2 + 1e-15, 0, 0], [0, 0.25, 1], [-1, 0, 0]))
        answers = ask(*asked)
        for question, answer, verdict in zip(asked, answers, verdicts(asked, answers), strict=True):
            with self.subTest(question=question, answer=str(answer)[:1000]):
                hits = question["motion"]["t_max"] > 0
                self.assertEqual((answer["result"], answer["starts"]), ("hit" if hits else "clear", "separated"))
                self.assertEqual(answer["t_lower"], 0 if hits else None)
                self.assertEqual(answer["certificate"]["steps"], [])
                self.assertEqual(verdict, "verified")
                forgeries = [{**question, "clearance": 1e-12}, {**question, "b": {**question["b"], "position":
                             [answer["position_b"][0] - 1e-13] + question["b"]["position"][1:]}}]
                for forged in forgeries:
                    self.assertEqual(verdicts([forged], [answer]), ["refused"])
                later = {**answer, "t": 1e-20, "t_lower": 1e-20}
                self.assertEqual(verdicts([question], [later]), ["refused"])

    def test_without_steps(self):
        for name in SWEPT:
            answer, = ask({**self.asked[name], "proof": False})
            told = {key: value for key, value in answer.items() if key != "certificate"}
            for line in (answer, told, {**answer, "certificate": {}}):
                self.assertEqual(verdicts([self.asked[name]], [line]), ["unproven"], name)

    def test_a_sweep_of_what_does_not_turn(self):
        for name in ("straight", "miss", "no turn"):
            asked = {**self.asked[name], "method": "sweep"}
            for query in ("toi", "shapecast"):
                question = {**asked, "query": query}
                if query == "shapecast":
                    question["motion"] = {key: value for key, value in asked["motion"].items() if "angular" not in key}
                    question["motion"]["type"] = "linear"
                answer, = ask(question)
                self.assertIn("steps", answer["certificate"])
                self.assertEqual(verdicts([question], [answer]), ["verified"], (name, query))

    def test_random_motions(self):
        source = random.Random(SEED)

        def numbers(count, size):
            return [source.uniform(-size, size) for _ in range(count)]

        def shape(dim):
            made = source.choice([
                {"type": "box", "half_extents": [abs(x) for x in numbers(dim, 1)]},
                {"type": "hull", "vertices": [numbers(dim, 1) for _ in range(source.randint(1, 8))]},
                {"type": "ellipsoid" if dim == 3 else "ellipse", "radii": [0.1 + abs(x) for x in numbers(dim, 1)]},
                {"type": "capsule", "radius": 0.25, "half_length": source.random()}])
            return {**made, "rotation": numbers(1, 3)[0] if dim == 2 else [1, *numbers(3, 1)]}

        asked, sampled = [], []
        for _ in range(200):
            dim = source.choice([2, 3])
            place = numbers(dim, 4)
            turns = numbers(2, 4) if dim == 2 else [numbers(3, 4), numbers(3, 4)]
            asked.append(toi(shape(dim), shape(dim), place, turns[0], [-x * source.choice([0, 0.5, 1]) for x in place],
                             turn_b=turns[1]))
            sampled.append({**asked[-1], "method": "discrete", "samples": 500})
        answers = ask(*asked)
        self.assertEqual(set(verdicts(asked, answers)), {"verified"})
        results = [answer["result"] for answer in answers]
        self.assertTrue(40 < results.count("hit") < 160 and results.count("possible") == 0, results)
        for question, answer, seen in zip(asked, answers, ask(*sampled)):
            if seen["result"] == "hit":
                self.assertEqual(answer["result"], "hit", question)
                self.assertLessEqual(answer["t_lower"], seen["t_upper"], question)


class Forgeries(Toi):
    def forged(self, name, changes):
        """The answer with values at paths of keys replaced; `...` drops the key, and a function makes the new value of
        the old one."""
        answer = copy.deepcopy(self.answers[name])
        for path, value in changes.items():
            *way, key = [int(key) if key.lstrip("-").isdigit() else key for key in path.split(".")]
            place = answer
            for step in way:
                place = place[step]
            if value is ...:
                del place[key]
            else:
                place[key] = value(place[key]) if callable(value) else value
        self.assertNotEqual(answer, self.answers[name])
        return answer

    def check(self, expected, rows):
        answers = [self.forged(name, changes) for name, changes in rows]
        for row, verdict in zip(rows, verdicts([self.asked[name] for name, _ in rows], answers), strict=True):
            with self.subTest(row):
                self.assertEqual(verdict, expected)

    def test_steps(self):
        def opposite(d):
            return [-x for x in d]

        def across(d):
            return [-d[1], d[0]] if len(d) == 2 else d[1:] + d[:1]

        def backwards(step):
            return {**step, "t0": step["t1"], "t1": step["t0"]}

        first, last, steps = "certificate.steps.0", "certificate.steps.-1", "certificate.steps"
        rows = []
        for name in SWEPT:
            rows += [(name, {first + ".t0": 1e-9}), (name, {first + ".t0": -1}), (name, {last + ".t1": lambda t: 0.999 * t}),
                     (name, {first: backwards}), (name, {last: backwards}), (name, {steps: lambda s: s[:-1]}),
                     (name, {steps: lambda s: s[1:]})]
            if name != "landing":  # a half-space has but one direction, whatever the line says
                rows += [(name, {first + ".direction": opposite}), (name, {last + ".direction": across}),
                         (name, {first + ".direction": lambda d: [0] * len(d)})]
            count = len(self.answers[name]["certificate"]["steps"])
            if count > 2:
                rows += [(name, {f"{steps}.{count // 2}": ...}), (name, {steps: lambda s: s[::-1]}),
                         (name, {f"{steps}.1.t0": lambda t: t * 1.001}),
                         (name, {steps: lambda s: [{**s[0], "t1": s[-1]["t1"]}]})]
        self.check("refused", rows)

    def test_steps_that_cannot_be_read(self):
        steps = "certificate.steps"
        self.check("refused", [("rod", {steps: value}) for value in ([], 7, "all", {}, [7], [{}], [None])] + [
            ("rod", {steps + ".0.t0": value}) for value in (None, "0", ...)] + [
            ("rod", {steps + ".0.t1": value}) for value in (None, [1], ...)] + [
            ("rod", {steps + ".0.direction": value}) for value in (None, 1, [1], [0, 1, 0], [0, "1"], ...)])

    def test_times_and_results(self):
        rows = []
        for name in SWEPT:
            answer, end = self.answers[name], self.asked[name]["motion"]["t_max"]
            if QUESTIONS[name][1] == "hit":
                low, high = answer["t_lower"], answer["t_upper"]
                later = (high + end) / 2
                rows += [(name, {"t": later, "t_lower": later, "t_upper": end}), (name, {"t": low / 2}),
                         (name, {"t_lower": high, "t_upper": low}), (name, {"t": high + 1}),
                         (name, {"t": low / 4, "t_lower": low / 4, "t_upper": low / 2}), (name, {"result": "clear"}),
                         (name, {"result": "clear", "t": None, "t_lower": None, "t_upper": None})]
            else:
                rows += [(name, {key: 0.5}) for key in ("t", "t_lower", "t_upper")]
                rows += [(name, {"result": "hit", "t": end, "t_lower": end, "t_upper": end})]
            rows += [(name, {"starts": other}) for other in ("touching", "overlapping", "near", None)]
            rows += [(name, {"result": "perhaps"}), (name, {"query": "shapecast"})]
        rows += [("deep", {"starts": "separated"}), ("push", {"starts": "overlapping"})]
        self.check("refused", [row for row in rows if not self.shows_no_contact(*row)])
        self.check("unproven", [row for row in rows if self.shows_no_contact(*row)])

    def shows_no_contact(self, name, changes):
        """What was clear has no pairs that could be wrong."""
        return QUESTIONS[name][1] == "clear" and changes.get("result") == "hit"

    def test_what_is_not_shown_is_unproven(self):
        self.check("unproven", [row for name in SWEPT for row in [
            (name, {"certificate": ...}), (name, {"certificate.steps": ...}),
            *([(name, {"certificate.t_upper": None}), (name, {"t_upper": None})] if QUESTIONS[name][1] == "hit" else [])]])

    def test_sweeps_do_not_tell_how_near(self):
        self.check("refused", [(name, changes) for name in SWEPT for changes in (
            {"min_distance": [0, 1]}, {"min_distance": [0, None]}, {"t_min": 0})])

    def test_pairs(self):
        self.check("refused", [("rod", {"certificate.t_upper": {"pairs": pairs}}) for pairs in (
            [[0, 0]], [[0, 0], [3, 0]], [[7, 0]], [], [[0, -1]])])

    def test_the_answer_to_another_motion(self):
        for name, motion in [("rod", {"angular_velocity_a": 1.001}), ("rod", {"angular_velocity_a": -1}),
                             ("rod", {"t_max": 0.5}), ("short", {"t_max": 8}), ("short", {"velocity_b": [0, -1]}),
                             ("stick", {"angular_velocity_a": [0, 4, 0]}), ("tumbling", {"angular_velocity_b": [3, 1, 300]}),
                             ("egg clear", {"angular_velocity_b": 2}), ("landing", {"velocity_b": [0, -0.01]})]:
            asked = copy.deepcopy(self.asked[name])
            asked["motion"].update(motion)
            self.assertEqual(verdicts([asked], [self.answers[name]]), ["refused"], (name, motion))
        asked = {**self.asked["rod"], "clearance": 0.125}
        self.assertEqual(verdicts([asked], [self.answers["rod"]]), ["refused"])


if __name__ == "__main__":
    sys.exit(unittest.main())
