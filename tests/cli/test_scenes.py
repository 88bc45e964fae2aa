"""Scene files of `graze simulate`: their errors (scene_errors.jsonl), the effects of their keys (scenes.jsonl), and the
scenes in examples/scenes."""
import json
import math
import unittest
from functools import reduce

from commands import records
from runs import SCENES, played, scene, simulate, summary_of, timeless


def at(found, path):
    return reduce(lambda value, key: value[int(key) if key.isdigit() else key], path.split("."), found)


class SceneFiles(unittest.TestCase):
    def test_errors(self):
        for row in records("scene_errors.jsonl"):
            with self.subTest(row):
                done = simulate("-", text=row["scene"])
                self.assertEqual((done.returncode, done.stdout), (1, b""))
                self.assertEqual(done.stderr.decode().rstrip("\n"), f"graze: standard input: {row['message']}")

    def test_keys(self):
        for row in records("scenes.jsonl"):
            with self.subTest(row):
                found = summary_of(*row["arguments"], "-", text=json.dumps(row["scene"]))
                found["facts"] = dict(found["parameters"])
                for path, expected in row["expect"].items():
                    value = at(found, path)
                    if isinstance(expected, list):
                        self.assertEqual([round(x, 12) for x in value], expected)
                    else:
                        self.assertEqual(value, expected)
                for path, (low, high) in row.get("between", {}).items():
                    self.assertTrue(low <= at(found, path) <= high, path)
                if "keys" in row:
                    self.assertEqual(set(found["bodies"][0]), set(row["keys"]))

    def test_a_delayed_body_returns_to_its_path(self):
        """Issue: between keyframes, and after the last one, the body kept an error of its rotation for ever."""
        def static(x, y, half):
            return {"type": "static", "shape": {"type": "box", "half_extents": half, "position": [x, y]}}

        def arm(stops, t):
            """The angle of an arm that pushes a box against a bar. The bar is removed after half a second."""
            path = [{"t": s, "position": [0, 0], "rotation": angle} for s, angle in stops]
            bar = [{"t": s, "position": [1.8, y]} for s, y in ((0.5, -1.8), (0.6, -9))]
            found = summary_of("-", text=scene(
                {"type": "kinematic", "shape": {"type": "box", "half_extents": [2, 0.1]}, "path": path},
                {"type": "kinematic", "shape": {"type": "box", "half_extents": [1, 0.5]}, "path": bar},
                static(2.6, -0.7, [0.1, 0.9]), static(1.15, -0.9, [0.1, 0.4]),
                {"shape": {"type": "box", "half_extents": [0.3, 0.3], "position": [1.8, -0.9]}},
                dim=2, dt=0.015625, steps=int(t * 64), respond="slide"))
            w, z = found["bodies"][0]["rotation"]
            return 2 * math.atan2(z, w), found["summary"]["stalled"]
        for stops, end, last in (([(0, 0), (2, -2)], 1.5, -1.5), ([(0, 0), (0.4, -0.8)], 2, -0.8)):
            angle, stalled = arm(stops, 0.5)
            self.assertTrue(stalled > 0 and angle > -0.4, "it is delayed")
            self.assertAlmostEqual(arm(stops, end)[0], last, 9)

    def test_contacts_are_in_the_order_of_time(self):
        """The page finds times by bisection."""
        for more in (("--count", "300"), ("--count", "300", "--respond", "bounce", "--spin")):
            found, (page, _) = summary_of(*more)["contacts"], played(*more)
            self.assertEqual([c[:3] for c in found], sorted(c[:3] for c in found))
            times = [c[0] for c in page["contacts"]]
            self.assertEqual((times, len(times)), (sorted(times), len(found)))


class Examples(unittest.TestCase):
    def test_all_are_listed_run_and_miss_nothing(self):
        listed = (SCENES / "README.md").read_text(encoding="utf-8")
        paths = sorted(SCENES.glob("*.json"))
        self.assertGreaterEqual(len(paths), 8)
        for path in paths:
            with self.subTest(path.name):
                self.assertIn(f"[{path.name}]({path.name})", listed)
                self.assertIn(json.loads(path.read_text(encoding="utf-8"))["note"], listed)
                found, again = summary_of("--steps", "30", path), summary_of("--steps", "30", path)
                self.assertEqual((found["summary"]["steps"], found["summary"]["missed"]), (30, 0))
                self.assertEqual(timeless(found), timeless(again))

    def bodies_of(self, name):
        return json.loads((SCENES / name).read_text(encoding="utf-8"))["bodies"]

    def run_of(self, name, *arguments):
        """The summary of a scene, its bodies by name, and the pairs of names with a contact."""
        found = summary_of(*arguments, SCENES / name)
        names = [body["name"] for body in found["bodies"]]
        met = {}
        for t, a, b, *_ in found["contacts"]:
            met.setdefault((names[a], names[b]), []).append(t)
        return found, {body["name"]: body for body in found["bodies"]}, met

    def test_assembly(self):
        """The key fits into the lock; when it leaves it hits the block."""
        _, _, met = self.run_of("assembly.json")
        self.assertEqual(set(met), {("block with a slot", "key"), ("key", "clearance of 0.015")})
        self.assertTrue(all(t > 3.5 for times in met.values() for t in times), met)

    def test_arenas(self):
        for name, edge in (("cubes.json", 4), ("polygons.json", 8)):
            found, bodies, met = self.run_of(name)
            inside = {each: body for each, body in bodies.items() if not each.startswith("wall")}
            for each, body in inside.items():
                self.assertTrue(all(abs(x) < edge for x in body["position"]), (name, each))
            self.assertEqual(found["summary"]["overlaps"], 0)
            self.assertTrue(any(a in inside for a, _ in met), "some met each other")
            self.assertEqual(len({a for a, _ in met if a.startswith("wall")}), len(bodies) - len(inside))

    def test_pile(self):
        fallen = [body for body in self.bodies_of("pile.json") if body.get("type") != "static"]
        self.assertEqual(len(fallen), 27)
        for steps in ("75", "150"):
            found, bodies, _ = self.run_of("pile.json", "--steps", steps)
            self.assertEqual(found["summary"]["overlaps"], 0)
            for was in fallen:
                body = bodies[was["name"]]
                x, y, z = body["position"]
                self.assertTrue(abs(x) < 2 and abs(y) < 2 and 0 < z < 4, body)
                self.assertEqual(body["angular_velocity"], [0, 0, 0])
                self.assertEqual(body["rotation"], was["shape"].get("rotation", [1, 0, 0, 0]))

    def test_hand(self):
        """No body passes through the table, its rims or another body."""
        for steps in ("140", "280", "420"):
            found, bodies, met = self.run_of("hand.json", "--steps", steps)
            self.assertEqual(found["summary"]["overlaps"], 0)
            for name, body in bodies.items():
                x, y, z = body["position"]
                if name.startswith("cube"):
                    self.assertTrue(abs(x) < 1.81 and abs(y) < 1.01 and z > 0.149, (steps, body))
                if name == "ball":  # it may pass over the low rim
                    self.assertTrue(z > 0.149 or max(abs(x) - 2, abs(y) - 1.2) > 0, (steps, body))
        self.assertTrue({b for a, b in met if a == "hand"} >= {"cube 3"}, met)

    def test_platformer(self):
        found, bodies, met = self.run_of("platformer.json")
        self.assertTrue({("ledge 1", "hero"), ("ramp", "hero"), ("hero", "coin 1")} <= set(met), met)
        self.assertGreater(sum(len(times) for (_, b), times in met.items() if b == "ball"), 4)
        self.assertTrue(("left wall", "arrow") in met and bodies["arrow"]["position"][0] > -12)
        _, lifted, _ = self.run_of("platformer.json", "--steps", "180")  # the lift is where it turns
        self.assertAlmostEqual(lifted["passenger"]["position"][1], 4.5 + 0.15 + 0.5, 2)
        self.assertEqual(found["summary"]["overlaps"], 0)

    def test_sizes(self):
        bodies = self.bodies_of("sizes.json")
        paths, halves = [], []
        for body in bodies[1:]:
            shape = body["shape"]
            half = max(shape.get("radii") or shape.get("half_extents") or [shape["radius"]])
            halves.append(half)
            paths.append(math.hypot(*body["velocity"]) / 60 / (2 * half))
        self.assertTrue(0.95e-3 < min(halves) / bodies[0]["shape"]["radius"] < 1.05e-3)
        self.assertTrue(22 <= max(paths) < 23)
        for steps in ("60", "180"):
            found, _, met = self.run_of("sizes.json", "--steps", steps)
            planet, *grains = found["bodies"]
            self.assertTrue(all(math.dist(grain["position"], planet["position"]) > 10 for grain in grains))
        self.assertGreater(len({b for a, b in met if a == "planet"}), 40)

    def test_bullets(self):
        path = SCENES / "bullets.json"
        for method in ("auto", "fccd", "sweep", "lccd", "ca"):
            found = summary_of("--method", method, path)
            self.assertEqual((found["summary"]["missed"], found["summary"]["responses"]), (0, 9), method)
            for body in found["bodies"]:
                if body["name"].startswith("bullet"):
                    self.assertLess(body["position"][0], 0, "stopped at the first wall")
        found = summary_of("--method", "discrete", path)
        self.assertGreater(found["summary"]["missed"], 5)
        flown = [body for body in found["bodies"] if body["name"].startswith("bullet") and body["position"][0] > 0.02]
        self.assertGreater(len(flown), 4, "most fly through the first wall")

    def test_rods(self):
        bodies = self.bodies_of("rods.json")
        turns = [abs(body["angular_velocity"]) / 60 for body in bodies if "angular_velocity" in body]
        self.assertTrue(0.1 < min(turns) and 0.75 < max(turns) < 0.8)
        found, _, met = self.run_of("rods.json", "--method", "sweep")
        self.assertEqual(found["summary"]["missed"], 0)
        for k in range(1, 16):
            self.assertGreater(len(met[(f"rod {k}", f"peg {k}")]), 2)
        summary = summary_of("--method", "discrete", SCENES / "rods.json")["summary"]
        self.assertGreater(summary["missed"], (summary["missed"] + summary["contacts"]) / 3)

    def test_car_park(self):
        _, _, met = self.run_of("car-park.json")
        self.assertEqual({pair for pair in met if "exit, watched" not in pair},
                         {("leaving", "lorry"), ("parked 5", "walker")})
