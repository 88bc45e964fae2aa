"""raycast, shapecast and toi at the command line (motion.jsonl, toi.jsonl): answers, their keys, methods, and proofs."""
import json
import math
import random
import sys
import unittest

from commands import ROOT, Answered, linear, query, ray, rotational, run, verdicts

SEED = 20261121
BOX = {"type": "box", "half_extents": [1, 1, 1]}
SQUARE = {"type": "box", "half_extents": [1, 1]}
BALL = {"type": "sphere", "radius": 0.25}
GROUND = {"type": "halfspace", "normal": [0, 2], "offset": 0}
SLUG = {"type": "box", "half_extents": [0.01, 0.005, 0.005]}
SHEET = {"type": "box", "half_extents": [5e-7, 10, 10]}
ROD = {"type": "box", "half_extents": [2, 0.05]}
METHODS = ("auto", "fccd", "sweep", "lccd", "ca")
KINDS = {"inside": "overlapping", "near": "overlapping", "touch": "touching", "separated": "separated"}
CAST_KEYS = ["id", "query", "result", "starts", "t", "t_lower", "t_upper", "point", "normal", "position_a", "position_b"]
RAY_KEYS = ["id", "query", "hit", "t", "t_lower", "t_upper", "point", "normal"]
TOI_KEYS = CAST_KEYS + ["orientation_a", "orientation_b"]
PASSING = ["min_distance", "t_min"]
REST = ["path", "iterations", "exact"]
NO_HIT = ("t", "t_lower", "t_upper", "point", "normal")


def numbers(source, count, size, grid=False):
    return [source.randint(-4, 4) * size / 4 if grid else source.uniform(-size, size) for _ in range(count)]


class Linear(Answered):
    file = "motion.jsonl"

    def test_answers(self):
        for name, line in self.lines.items():
            answer, result, number = self.answers[name], line["expect"]["result"], line["expect"]["number"]
            with self.subTest(name, answer=answer):
                if line["query"] == "raycast":
                    self.assertIs(answer["hit"], result == "hit")
                else:
                    self.assertEqual((answer["result"], answer["starts"]), (result, line["expect"]["starts"]))
                self.assertIn(answer["path"], ("fccd", "lccd"))
                if result == "clear":
                    self.assertEqual([answer[key] for key in NO_HIT], [None] * 5)
                    lower, upper = answer["min_distance"]
                    upper = lower if upper is None else upper  # an endless ray
                    self.assertLessEqual(upper, lower + (1e-8 if "egg" in name else 1e-11))
                    self.assertTrue(number is None or lower - 1e-11 <= number <= upper + 1e-11)
                else:
                    self.assertEqual(answer["t"], answer["t_lower"])
                    self.assertLessEqual(answer["t_lower"], answer["t_upper"])
                    if number is not None:
                        self.assertLessEqual(answer["t_lower"], number * (1 + 1e-15))
                        self.assertGreaterEqual(answer["t_upper"], number * (1 - 1e-15))
                        self.assertAlmostEqual(answer["t"], number, delta=1e-9 * number)

    def test_keys_in_order(self):
        for name, answer in self.answers.items():
            keys = list(RAY_KEYS if answer["query"] == "raycast" else CAST_KEYS)
            if self.lines[name]["expect"]["result"] == "clear":
                keys += PASSING
            keys += REST + (["rotation_a", "rotation_b"] if name == "turned" else []) + ["certificate"]
            self.assertEqual(list(answer), keys, name)
            proofs = ["relation", "t_lower"] + (["lower", "upper"] if "min_distance" in answer else ["t_upper"])
            self.assertEqual(list(answer["certificate"]), proofs, name)
        answer, = query({**self.lines["miss"], "certificate": False})
        self.assertEqual(list(answer), CAST_KEYS + PASSING + REST)

    def test_contact_points(self):
        for name, normal, point in [("bullet", [1, 0, 0], None), ("fall", [0, 0, 1], None),
                                    ("ray", [-1, 0, 0], [-1, 0.5, 0.25]), ("ray on", [1, 0, 0], [1, 0.25, 0]),
                                    ("ray floor", [0, 0, 1], [0, 0, 1]), ("ray on floor", [0, 0, 1], [0, 7, 1]),
                                    ("ray inside", None, [0.5, 0.25, 0])]:
            answer = self.answers[name]
            with self.subTest(name, answer=answer):
                self.assertTrue(answer["normal"] is None if normal is None else math.dist(answer["normal"], normal) < 1e-9)
                self.assertTrue(point is None or math.dist(answer["point"], point) < 1e-9)
        both, miss = self.answers["both"], self.answers["miss"]
        self.assertLess(math.dist(both["position_a"] + both["position_b"], [2, 0, 0, 4, 0.5, 0.25]), 2e-9)
        self.assertAlmostEqual(miss["t_min"], 0.9, delta=0.21)
        self.assertEqual(miss["position_b"], [11, 2.125, 0])

    def test_equivalent_lines(self):
        plain = self.lines["ray"]
        motion = {key: value for key, value in plain["motion"].items() if key != "t_max"}
        same = [{**plain, "b": None}, {**plain, "motion": motion}, {**plain, "method": "auto"}, {**plain, "method": "fccd"}]
        self.assertEqual(query(*same), [self.answers["ray"]] * 4)
        bullet = self.lines["bullet"]
        self.assertEqual(query({**bullet, "method": "auto"}, {**bullet, "method": "fccd"}), [self.answers["bullet"]] * 2)

    def test_true_answers_are_verified(self):
        self.assertEqual(set(verdicts(self.lines.values(), self.answers.values())), {"verified"})
        for name, answer in self.answers.items():
            starts = self.lines[name]["expect"]["starts"]
            self.assertEqual(KINDS.get(answer["certificate"]["relation"]["kind"], starts), starts)

    def test_explain_lists_its_queries(self):
        self.assertIn(b"raycast in 3D: A is a box", run("explain", json.dumps(self.lines["ray"])).stdout)
        done = run("explain", json.dumps({"query": "aabb", "a": BOX}))
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"raycast, shapecast and toi; graze query answers aabb", done.stderr)

    def test_random_motions(self):
        source = random.Random(SEED)

        def shape(dim, grid):
            made = source.choice([
                {"type": "box", "half_extents": [abs(x) for x in numbers(source, dim, 1, grid)]},
                {"type": "hull", "vertices": [numbers(source, dim, 1, grid) for _ in range(source.randint(1, 8))]},
                {"type": "sphere" if dim == 3 else "circle", "radius": abs(numbers(source, 1, 1, grid)[0])},
                {"type": "capsule", "radius": 0.25, "half_length": abs(numbers(source, 1, 1, grid)[0])},
                {"type": "triangle", "vertices": [numbers(source, dim, 1, grid) for _ in range(3)]}])
            turn = source.choice([0.5, 1.5]) if dim == 2 else [1, *numbers(source, 3, 1, grid)]
            return {**made, **({"rotation": turn} if source.random() < 0.5 else {})}

        lines = []
        for _ in range(2000):
            dim, grid = source.choice([2, 3]), source.random() < 0.5
            a, away = shape(dim, grid), numbers(source, dim, 5, grid)
            aim = [-x * source.choice([0, 0.5, 1, 2]) for x in away] if source.random() < 0.7 else numbers(source, dim, 9, grid)
            if source.random() < 0.5:
                lines.append(ray(a, away, aim, source.choice([1, 4])))
            else:
                lines.append(linear(a, shape(dim, grid), away, aim, source.choice([0, 1, 4])))
        answers = query(*lines)
        self.assertEqual(set(verdicts(lines, answers)), {"verified"})
        hits = sum(answer.get("hit", answer.get("result") == "hit") for answer in answers)
        self.assertTrue(200 < hits < 600, hits)

    def test_rays_from_a_curved_surface(self):
        """Issue: the start is undecided, yet hits had a certificate that claimed it, and those that left took 55,000
        iterations."""
        source, lines = random.Random(SEED), []
        for i in range(200):
            radii = [1, 0.7, 1.3][:2 + i % 2]
            direction = [source.gauss(0, 1) for _ in radii]
            size = math.hypot(*(x / r for x, r in zip(direction, radii)))
            origin, sign = [x / size for x in direction], source.choice([-1, 1])
            egg = {"type": "ellipsoid" if len(radii) == 3 else "ellipse", "radii": radii}
            lines.append(ray(egg, origin, [sign * x for x in origin], 4))
        answers = query(*lines)
        found = verdicts(lines, answers)
        self.assertNotIn("refused", found)
        self.assertGreater(found.count("unproven"), 100)
        self.assertLess(max(answer["iterations"] for answer in answers), 6000)

    def test_rays_that_graze_a_cone(self):
        """Issue: no direction of doubles separates there, and the answer was no JSON; a little inside, the normal was that
        of a gap of a few units in the last place."""
        cone, slope = {"type": "cone", "radius": 0.5, "half_length": 1}, math.atan2(0.5, 2)
        lines = [ray(cone, [-5, 0.22, 0.12], [1, 0, 0]), ray(cone, [-5, 0.03, 0.46], [1, 0, 0])]
        answers = query(*lines)
        self.assertNotIn("refused", verdicts(lines, answers))
        for answer, (y, z) in zip(answers, ((0.22, 0.12), (0.03, 0.46))):
            radius = 0.25 - z / 4
            normal = [-math.sqrt(max(radius ** 2 - y ** 2, 0)) / radius, y / radius]
            expected = [math.cos(slope) * x for x in normal] + [math.sin(slope)]
            self.assertLess(math.dist(answer["normal"], expected), 1e-4, answer)

    def test_the_examples(self):
        lines = (ROOT / "examples/motion.jsonl").read_text(encoding="utf-8").splitlines()
        answers = query(*lines)
        self.assertEqual(verdicts(lines, answers), ["verified"] * 5)
        self.assertEqual([answer.get("result", answer.get("hit")) for answer in answers], 
                         ["hit", True, "clear", "hit", "clear"])

    def test_compounds_name_the_parts_that_meet(self):
        pair = {"type": "compound", "parts": [{**BOX, "position": [-4, 0, 0]}, {**BOX, "position": [4, 0, 0]}]}
        arrow = {"type": "polygon", "concave": "decompose", "vertices": [[0, 0], [4, 0], [1, 1], [0, 4]]}
        rods = {"type": "compound", "parts": [{**ROD, "position": [0, -4]}, {**ROD, "position": [0, 4]}]}
        lines = [linear(pair, BOX, [4, 9, 0], [0, -7, 0]), linear(BALL, pair, [9.25, 0, 0], [-4, 0, 0]),
                 ray(arrow, [5, 5], [-1, -1]), ray(arrow, [0.5, 0.5], [1, 0]), ray(arrow, [5, 5], [1, 1], 1),
                 rotational(rods, {"type": "circle", "radius": 0.5}, [-4, 0], 1, t_max=2, proof=True)]
        answers = query(*lines)
        self.assertEqual((answers[0]["part_a"], answers[1]["part_b"], answers[5]["part_a"]), (1, 0, 1))
        self.assertEqual([answer["t"] for answer in answers[3:5]], [0, None])
        for answer, time in zip(answers, (1, 1, 4)):
            self.assertTrue(answer["t_lower"] <= time <= answer["t_upper"] and abs(answer["t"] - time) < 1e-9, answer)
        self.assertIn("pieces_a", answers[2]["certificate"])
        self.assertIsNone(answers[3]["normal"])
        self.assertNotIn("refused", verdicts(lines, answers))


class Toi(Answered):
    file = "toi.jsonl"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.turned = [name for name, line in cls.lines.items() if line["motion"]["type"] == "rotational" and
                      name not in ("no turn", "spinning ball")]
        cls.swept = [name for name in cls.turned if cls.lines[name]["expect"]["starts"] == "separated"]

    def assert_time(self, answer, time):
        """The bracket holds the time, and is narrow."""
        low, high = time
        size = high or 1e-3
        self.assertLessEqual(answer["t_lower"], high + 1e-12 * size, answer)
        self.assertGreaterEqual(answer["t_upper"], low - 1e-12 * size, answer)
        self.assertLess(answer["t_upper"] - answer["t_lower"], 1e-6 * size, answer)

    def test_answers(self):
        found = verdicts(self.lines.values(), self.answers.values())
        for verdict, (name, line) in zip(found, self.lines.items(), strict=True):
            answer, expected = self.answers[name], line["expect"]
            with self.subTest(name, answer=str(answer)[:1000]):
                self.assertEqual((answer["result"], answer["starts"]), (expected["result"], expected["starts"]))
                self.assertIn(answer["path"], ("sweep",) if name in self.turned else ("fccd", "lccd"))
                self.assertEqual(verdict, "unproven" if expected["starts"] == "touching" and name != "slide" else "verified")
                if expected["result"] == "hit":
                    self.assertEqual(answer["t"], answer["t_lower"])
                    self.assert_time(answer, expected["time"])
                else:
                    self.assertEqual([answer[key] for key in NO_HIT], [None] * 5)

    def test_keys_in_order(self):
        for name, answer in self.answers.items():
            passing = PASSING if answer["result"] == "clear" and name not in self.turned else []
            rotation = ["rotation_a"] if name == "turned" else []
            self.assertEqual(list(answer), TOI_KEYS + passing + REST + rotation + ["certificate"], name)
            proofs = list(answer["certificate"])
            self.assertEqual((proofs[0], proofs[-1] == "steps"), ("relation", name in self.swept), name)
        bare, unproved = query({**self.lines["rod"], "certificate": False}, {**self.lines["rod"], "proof": False})
        self.assertEqual(list(bare), TOI_KEYS + REST)
        self.assertNotIn("steps", unproved["certificate"])

    def test_steps_follow_each_other(self):
        for name in self.swept:
            answer, line = self.answers[name], self.lines[name]
            steps = answer["certificate"]["steps"]
            with self.subTest(name, steps=len(steps)):
                self.assertEqual(steps[0]["t0"], 0)
                self.assertTrue(all(before["t1"] >= after["t0"] for before, after in zip(steps, steps[1:])))
                end = line["motion"]["t_max"] if answer["t_lower"] is None else answer["t_lower"]
                self.assertGreaterEqual(steps[-1]["t1"], end)
                for step in steps:
                    self.assertEqual(list(step), ["t0", "t1", "direction"])
                    self.assertTrue(step["t0"] < step["t1"] and len(step["direction"]) == line["dim"])

    def test_orientations(self):
        """At the orientations of the answer, the bodies all but touch."""
        for name in self.turned:
            line, answer = self.lines[name], self.answers[name]
            motion, dim = line["motion"], line["dim"]
            t = motion["t_max"] if answer["t"] is None else answer["t"]
            with self.subTest(name):
                for key in "ab":
                    turn, rate = answer[f"orientation_{key}"], motion[f"angular_velocity_{key}"]
                    self.assertEqual(len(turn), 2 if dim == 2 else 4)
                    rate = rate if dim == 2 else math.hypot(*rate)
                    first = line[key].get("rotation", 0) if dim == 2 else 0
                    half, expected = turn[0] / math.hypot(*turn), math.cos((first + rate * t) / 2)
                    self.assertAlmostEqual(abs(half), abs(expected), delta=1e-9)
                if name in self.swept:
                    placed = {key: {**line[key], "position": answer[f"position_{key}"],
                                    "rotation": answer[f"orientation_{key}"]} for key in "ab"}
                    there, = query({**line, **placed, "query": "distance"})
                    self.assertGreater(there["distance"], (0 if answer["result"] == "hit" else 1e-3) - 1e-9)
                    self.assertTrue(answer["result"] == "clear" or there["distance"] < 1e-6, there)

    def test_no_turn_is_a_shapecast(self):
        def without_orientation(answer):
            return {key: value for key, value in answer.items() if "orientation" not in key}
        for name in ("straight", "slide", "miss", "no turn"):
            line = self.lines[name]
            linear_motion = {**{key: value for key, value in line["motion"].items() if "angular" not in key}, "type": "linear"}
            angular = {"type": "rotational", "angular_velocity_a": [0] * 3, "angular_velocity_b": [0] * 3}
            plain = {**line, "query": "shapecast", "motion": linear_motion}
            for answer in query(plain, {**line, "motion": {**linear_motion, **angular}}):
                self.assertEqual(without_orientation(answer),
                                 {**without_orientation(self.answers[name]), "query": answer["query"]})
            if name != "slide":
                lines = [{**line, "method": "sweep"}, {**plain, "method": "sweep"}]
                answers = query(*lines)
                self.assertTrue(all("steps" in answer["certificate"] for answer in answers))
                self.assertEqual(verdicts(lines, answers), ["verified"] * 2, name)

    def test_thin_and_fast_bodies_hit_by_every_method_but_discrete(self):
        """1000 lengths of the bullet within the step, a wall of 1e-6."""
        time = (10 - 0.01 - 5e-7) / 20
        plain = linear(SHEET, SLUG, [-10, 0, 0], [20, 0, 0], proof=True)
        spinning = rotational(SHEET, SLUG, [-10, 0, 0], 0, [0, 0, 40], [20, 0, 0], proof=True)
        for line, methods, automatic, expected in [(plain, METHODS, "lccd", (time, time)),
                                                   ({**plain, "query": "toi"}, METHODS, "lccd", (time, time)),
                                                   (spinning, ("auto", "sweep", "ca"), "sweep", (0.499, 0.5))]:
            for method, answer in zip(methods, query(*[{**line, "method": method} for method in methods])):
                with self.subTest(method, query=line["query"], answer=str(answer)[:500]):
                    self.assertEqual((answer["result"], answer["starts"]), ("hit", "separated"))
                    self.assertEqual(answer["path"], automatic if method == "auto" else method)
                    self.assert_time(answer, expected)
            answers = query({**line, "method": "discrete"}, {**line, "method": "discrete", "samples": 64})
            self.assertEqual(*answers)
            self.assertEqual((answers[0]["result"], answers[0]["path"]), ("clear", "discrete"), answers)
            self.assertEqual(verdicts([line] * 2, answers), ["unproven"] * 2)

    def test_samples_prove_nothing_and_hit_what_is_slow(self):
        lines = [{**line, "method": "discrete"} for line in self.lines.values()]
        answers = query(*lines)
        for answer, verdict in zip(answers, verdicts(lines, answers), strict=True):
            self.assertEqual(verdict, "verified" if answer["starts"] == "overlapping" else "unproven", answer)
        for name in ("rod", "stick", "egg", "straight"):
            line = {**self.lines[name], "method": "discrete", "samples": 2001}
            answer, = query(line)
            self.assertEqual((answer["result"], answer["path"]), ("hit", "discrete"), answer)
            self.assertLess(abs(answer["t"] - line["expect"]["time"][0]), 1.01 * line["motion"]["t_max"] / 2000)
            self.assertNotIn("steps", answer["certificate"])
            self.assertEqual(verdicts([line], [answer]), ["unproven"])

    def test_methods_agree(self):
        for name in self.swept + ["straight", "miss", "no turn"]:
            methods = ("sweep", "ca") if name in self.turned else METHODS
            lines = [{**self.lines[name], "method": method} for method in methods]
            answers = query(*lines)
            self.assertNotIn("refused", verdicts(lines, answers), name)
            for answer in answers:
                self.assertEqual(answer["result"], lines[0]["expect"]["result"])
                if answer["result"] == "hit":
                    self.assert_time(answer, lines[0]["expect"]["time"])
        fccd, sweep = query(*[ray(BOX, [5, 0, 0], [-1, 0, 0], method=method) for method in ("fccd", "sweep")])
        self.assertAlmostEqual(fccd["t"], 4)
        self.assertNotIn("t", sweep)

    def test_hits_at_once(self):
        """Separated by a few ulps, bodies hit with t_lower = 0. The list of steps is empty: the certificate of the start
        and the pairs at t_upper prove the answer. Without time, the start alone proves `clear`."""
        arrow = {"type": "polygon", "vertices": [[-1, -1], [1, -1], [-1, 1]]}
        ground = {"type": "halfspace", "normal": [-1, 0], "offset": 0}
        lines = []
        for b in (SQUARE, {"type": "circle", "radius": 1}, arrow, {"type": "ellipse", "radii": [1, 1]}, ground):
            for tilt in (0, 1e-17, -1e-17):  # the corner that is nearest at first need not be the one that hits
                for turn in (1, -0.5):
                    a = {**SQUARE, "half_extents": [1, 1], "rotation": [1, tilt]}
                    line = rotational(a, b, [(1 if b is ground else 2) + 1e-15, 0], turn, velocity=[-1, 0], proof=True)
                    lines += [line, {**line, "motion": {**line["motion"], "t_max": 0}}]
        cube = {"type": "box", "half_extents": [1, 1, 1]}
        lines.append(rotational(cube, cube, [2 + 1e-15, 0, 0], [0, 0.25, 1], velocity=[-1, 0, 0], proof=True))
        answers = query(*lines)
        for line, answer, verdict in zip(lines, answers, verdicts(lines, answers), strict=True):
            with self.subTest(line=line, answer=str(answer)[:1000]):
                hits = line["motion"]["t_max"] > 0
                self.assertEqual((answer["result"], answer["starts"]), ("hit" if hits else "clear", "separated"))
                self.assertEqual(answer["t_lower"], 0 if hits else None)
                self.assertEqual(answer["certificate"]["steps"], [])
                self.assertEqual(verdict, "verified")
                nearer = [answer["position_b"][0] - 1e-13] + line["b"]["position"][1:]
                for forged in ({**line, "clearance": 1e-12}, {**line, "b": {**line["b"], "position": nearer}}):
                    self.assertEqual(verdicts([forged], [answer]), ["refused"])
                later = {**answer, "t": 1e-20, "t_lower": 1e-20}
                self.assertEqual(verdicts([line], [later]), ["refused"])

    def test_starts_that_touch_are_unproven(self):
        lines = [rotational(a, SQUARE, place, 0, turn, [speed, 0], proof=True)
                 for a, place in ((SQUARE, [2, 0.25]), (GROUND, [0, 1])) for speed in (-1, 0, 1, 9)
                 for turn in (-9, -0.5, 0.5, 9)]
        answers = query(*lines, *[{**line, "method": "ca"} for line in lines])
        self.assertEqual({answer["starts"] for answer in answers}, {"touching"})
        self.assertEqual({answer["result"] for answer in answers}, {"hit", "clear", "possible"})
        self.assertEqual(set(verdicts(lines * 2, answers)), {"unproven"})

    def test_without_proof_all_is_unproven(self):
        lines = [{**self.lines[name], "proof": False} for name in self.swept]
        answers = query(*lines)
        for made in (answers, [{**answer, "certificate": {}} for answer in answers]):
            self.assertEqual(set(verdicts(lines, made)), {"unproven"})

    def test_random_motions(self):
        source = random.Random(20270114)

        def shape(dim):
            made = source.choice([
                {"type": "box", "half_extents": [abs(x) for x in numbers(source, dim, 1)]},
                {"type": "hull", "vertices": [numbers(source, dim, 1) for _ in range(source.randint(1, 8))]},
                {"type": "ellipsoid" if dim == 3 else "ellipse", "radii": [0.1 + abs(x) for x in numbers(source, dim, 1)]},
                {"type": "capsule", "radius": 0.25, "half_length": source.random()}])
            return {**made, "rotation": numbers(source, 1, 3)[0] if dim == 2 else [1, *numbers(source, 3, 1)]}

        lines = []
        for _ in range(200):
            dim = source.choice([2, 3])
            place = numbers(source, dim, 4)
            turns = numbers(source, 2, 4) if dim == 2 else [numbers(source, 3, 4), numbers(source, 3, 4)]
            lines.append(rotational(shape(dim), shape(dim), place, *turns,
                                    [-x * source.choice([0, 0.5, 1]) for x in place], proof=True))
        answers = query(*lines)
        self.assertEqual(set(verdicts(lines, answers)), {"verified"})
        results = [answer["result"] for answer in answers]
        self.assertTrue(40 < results.count("hit") < 160 and results.count("possible") == 0, results)
        sampled = query(*[{**line, "method": "discrete", "samples": 500} for line in lines])
        for line, answer, sample in zip(lines, answers, sampled):
            if sample["result"] == "hit":
                self.assertEqual(answer["result"], "hit", line)
                self.assertLessEqual(answer["t_lower"], sample["t_upper"], line)


if __name__ == "__main__":
    sys.exit(unittest.main())
