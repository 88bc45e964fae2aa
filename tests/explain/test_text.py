"""The text of `graze explain`: its tables hold the numbers of the trace that `graze query` prints, its sentences those
of the answer, and its words fit what happened."""
import json
import re
import tempfile
import unittest
from pathlib import Path

from commands import ROOT, query, records, run, text_of as stream

UNIT = {"type": "box", "half_extents": [1, 1]}
TRIANGLE = {"type": "triangle", "vertices": [[0, 0], [3, 0], [1, 2]]}
SQUARE = {"type": "polygon", "vertices": [[0, 0], [3, 0], [3, 3], [0, 3]]}
DISTANT = {"type": "polygon", "vertices": [[4, 4], [4, 6], [6, 6], [6, 4]]}
WALK = {"dim": 2, "method": "gjk", "start": [1, 0]}
OVERLAPPING = {**WALK, "a": SQUARE, "b": {"type": "polygon", "vertices": [[2, 2], [5, 2], [5, 5], [2, 5]]}}
TOUCHING = {**WALK, "a": SQUARE, "b": {"type": "polygon", "vertices": [[3, 3], [5, 3], [3, 5], [3, 5]]}}
BOXES = {"query": "obb", "a": {"type": "box", "half_extents": [1, 2, 3]},
         "b": {"type": "box", "half_extents": [1, 1, 1], "position": [2, 1, 1], "rotation": [1, 0.2, 0.3, 0.1]}}
PHASES = {"gjk": "GJK", "portal": "MPR, Minkowski portal refinement", "exact": "Exact refinement",
          "epa": "EPA, the expanding polytope algorithm", "axes": "Candidate axes", "bounding spheres": "Bounding spheres",
          "direction": "A single direction", "boundary walk": "Walk along the boundary of A − B",
          "closed form": "Nearest points in closed form", "newton": "Newton's method"}


def explain(*lines, options=()):
    """The finished process for query lines."""
    return run("explain", *options, "-", text=stream(lines))


def text_of(line):
    done = explain(line)
    assert done.returncode == 0, done.stderr
    return done.stdout.decode()


def number(word):
    return float(word.replace("−", "-").replace("∞", "inf"))


def vector(words):
    return [number(word) for word in words.strip("()").split(", ")]


def tables(text):
    """(heading, rows of cells) for each table; the first row holds the names of the columns."""
    heading, rows = None, []
    for line in text.splitlines() + [""]:
        if re.match(r"\S", line):
            heading = line
        cells = re.split(r"  +", line.strip())
        if rows and re.match(r" +(\d+  |…)", line):
            rows.append(cells)
        elif re.match(r" +(#|contact|vertex)  ", line):
            rows = [cells]
        elif rows:
            yield heading, rows
            rows = []


def paragraph(text, begins):
    """The sentence that begins so, in one line, or None."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if line.strip().startswith(begins):
            end = i + 1
            while end < len(lines) and lines[end].startswith("    "):
                end += 1
            return " ".join(part.strip() for part in lines[i:end])
    return None


def joined(text):
    return " ".join(text.split())


class Explained(unittest.TestCase):
    def assert_near(self, shown, value, digits):
        if value is None:
            self.assertIn(shown, (float("inf"), float("-inf")))
        else:
            self.assertAlmostEqual(shown, value, delta=10.0 ** (1 - digits) * abs(value) + 1e-300)

    def assert_vector(self, words, values, digits=3):
        for shown, value in zip(vector(words), values, strict=True):
            self.assert_near(shown, value, digits)

    def assert_step(self, row, step, phase):
        """One row of a table against a step of the trace."""
        epa = phase == "epa"
        direction, point, check = row[3:6] if epa else row[1:4]
        self.assert_vector(direction, step["direction"])
        self.assert_vector(point[point.index("("):], step["point"])
        self.assert_near(number(check), step["origin_check"], 4)
        self.assert_near(number(row[-2]), step["lower"], 4)
        self.assert_near(number(row[-1]), step["upper"], 4)
        i, j = step["pair"]
        if isinstance(i, int) and isinstance(j, int):
            self.assertRegex(point, rf"^A{i}−B{j} ")
        if epa:
            self.assertTrue(row[1].startswith(f"{len(step['polytope']['pairs'])} points"), row)
        else:
            check = step["origin_check"]
            self.assertEqual(row[4], "yes" if check > 0 else "no" if check < 0 else "just")

    def check(self, line):
        """The tables are the trace of `graze query`, in its order; the text has the answer, the relation that the certificate
        shows, and the verdict. Returns text and answer."""
        text, answer = text_of(line), query({**line, "trace": True, "proof": True})[0]
        if "trace" in answer:
            steps = answer["trace"] + answer.get("trace_after", [])
            rows = [(heading, row) for heading, table in tables(text) for row in table[1:] if heading in PHASES.values()]
            self.assertEqual(len(rows), len(steps), text)
            for k, ((heading, row), step) in enumerate(zip(rows, steps), 1):
                phase = step["phase"] if "phase" in step else "gjk"
                self.assertEqual((heading, row[0]), (PHASES[phase], str(k)))
                if any(step["direction"]):
                    self.assert_step(row, step, phase)
        if "relation" in answer and line.get("method") != "sat":
            self.assertIn(f"\nAnswer\n  {answer['relation']}", text)
            self.assertIn(f"\nCertificate\n  {answer['relation']}: ", text)
            self.assertTrue(text.endswith("checked exactly by the verifier: verified.\n"), text[-300:])
        return text, answer


class Walks(Explained):
    def test_overlapping_squares(self):
        text = text_of({**OVERLAPPING, "query": "intersect"})
        (_, table), = tables(text)
        self.assertEqual(table[0], ["#", "direction d", "support point w", "d·w", "reaches", "simplex", "lower", "upper"])
        self.assertEqual([row[2] for row in table[1:]], ["A1−B0 (1, −2)", "A3−B1 (−5, 1)", "A2−B0 (1, 1)"])
        self.assertEqual([row[5] for row in table[1:]], ["w1", "w1 w2", "w1 w2 w3"])
        shown = paragraph(text, "overlapping: the origin is strictly inside")
        terms = re.findall(r"([\d.]+)·\(A(\d) − B(\d)\)", shown)
        at = {"10": (1, -2), "31": (-5, 1), "20": (1, 1)}
        self.assertAlmostEqual(sum(float(weight) for weight, *_ in terms), 1, places=5)
        for axis in range(2):
            self.assertAlmostEqual(sum(float(w) * at[i + j][axis] for w, i, j in terms), 0, places=5)

    def test_touching_with_a_repeated_vertex(self):
        (_, gjk), (_, exact) = tables(text_of({**TOUCHING, "query": "intersect"}))
        self.assertEqual([row[2] for row in gjk[1:]], ["A1−B0 (0, −3)", "A2−B0 (0, 0)"])
        self.assertEqual(exact[0][5], "previous simplex")

    def test_words(self):
        """texts.jsonl: what the text contains, and what it lacks."""
        for row in records(ROOT / "tests/explain/texts.jsonl"):
            with self.subTest(row["why"]):
                words = joined(self.check(row["line"])[0])
                for piece in row["has"]:
                    self.assertIn(piece, words)
                for piece in row["lacks"]:
                    self.assertNotIn(piece, words)
                self.assertNotRegex(words, r"v = (\([^)]*\)) = \1")

    def test_bounds_are_proved(self):
        for line in ({"dim": 2, "query": "distance", "a": SQUARE, "b": DISTANT}, {**OVERLAPPING, "query": "distance"},
                     BOXES, {"query": "distance", "a": {"type": "ellipsoid", "radii": [1, 2, 3]},
                             "b": {"type": "sphere", "radius": 1, "position": [2.5, 0.3, 2]}}):
            text, answer = text_of(line), query({**line, "proof": True})[0]
            for bound, relation, sign in (("lower", "least", 1), ("upper", "most", -1)):
                shown = paragraph(text, f"{bound}: ")
                proved = number(re.search(rf"the distance is at {relation} (\S+),", shown)[1])
                self.assertGreaterEqual(sign * proved, sign * answer[bound])
                self.assertIn(f"the answer's {str(answer[bound]).replace('-', '−')}.", shown)

    def test_depth_by_epa(self):
        """A long table is cut: 30 steps, and the last 10."""
        egg, long = {"type": "ellipsoid", "radii": [1, 2, 3]}, []
        for b in ({"type": "box", "half_extents": [1, 1, 1], "position": [0.5, 2, 1], "rotation": [1, 0.3, 0.2, 0]},
                  {"type": "ellipsoid", "radii": [1.5, 1, 2], "position": [0.1, 0.2, 0.3]}):
            line = {"query": "penetration", "a": egg, "b": b}
            text, answer = text_of(line), query({**line, "trace": True, "proof": True})[0]
            _, *epa = dict(tables(text))[PHASES["epa"]]
            steps = [step for step in answer["trace_after"] if step["phase"] == "epa"]
            rows = [row for row in epa if not row[0].startswith("…")]
            self.assertEqual(int(rows[-1][0]) - int(rows[0][0]) + 1, len(steps))
            for row in rows:
                self.assert_step(row, steps[int(row[0]) - int(rows[0][0])], "epa")
            if len(steps) > 41:
                self.assertEqual((len(epa), epa[30]), (41, [f"… {len(steps) - 40} more steps …"]))
            long.append(len(steps) > 60)
            surface = answer["certificate"]["upper"]["surface"]
            self.assertIn(f"a closed surface of {len(surface['faces'])} triangles over {len(surface['pairs'])} points",
                          paragraph(text, "upper: "))
        self.assertTrue(any(long))


class Others(Explained):
    def test_axes_of_boxes(self):
        axes, answer = dict(tables(text_of(BOXES)))["Separating axes"], query(BOXES)[0]
        self.assertEqual(len(axes), 1 + 15)
        best, = [row for row in axes if row[-1] == "← best"]
        self.assert_vector(best[2], answer["axis"])
        self.assert_near(number(best[5]), answer["axis_separation"], 5)
        self.assertEqual(best[5], max((row[5] for row in axes[1:]), key=number))
        for row in axes[1:]:
            end, begin = number(row[3].split(" … ")[1]), number(row[4].split(" … ")[0])
            self.assertAlmostEqual(begin - end, number(row[5]), places=4)
        self.assertEqual(axes[7][1], "x of A × x of B")

    def test_axes_of_polygons(self):
        axes = dict(tables(text_of({"dim": 2, "query": "distance", "method": "sat", "a": SQUARE, "b": DISTANT})))["Separating axes"]
        self.assertEqual([row[1] for row in axes[1:]], [f"edge {i} of {name}" for name in "AB" for i in range(4)])
        self.assertEqual(axes[1][2:], ["(0, 1)", "0 … 3", "4 … 6", "1", "← best"])

    def test_manifold(self):
        line = {"dim": 2, "query": "manifold", "a": {"type": "box", "half_extents": [5, 1]},
                "b": {"type": "box", "half_extents": [1, 1], "position": [2, 1.875]}}
        text, answer = text_of(line), query(line)[0]
        (name, *_), *contacts = list(tables(text))[-1][1]
        self.assertEqual(name, "contact")
        self.assertEqual(len(contacts), len(answer["points"]))
        for row, point in zip(contacts, answer["points"]):
            self.assert_vector(row[1], point["point_a"])
            self.assert_vector(row[2], point["point_b"])
            self.assertEqual(number(row[3]), point["depth"])

    def test_minkowski(self):
        line = {"dim": 2, "query": "minkowski", "a": OVERLAPPING["a"], "b": OVERLAPPING["b"]}
        text, answer = text_of(line), query(line)[0]
        (_, (_, *rows)), = tables(text)
        self.assertEqual(len(rows), len(answer["vertices"]))
        for row, vertex, (i, j) in zip(rows, answer["vertices"], answer["pairs"]):
            self.assertEqual(row[1], f"A{i} − B{j}")
            self.assert_vector(row[2], vertex)


class Truths(Explained):
    def test_curved_over_a_plane_is_bounded_by_a_height_and_a_point(self):
        """The lowest point of a curved body is exact up to rounding."""
        line = {"query": "distance", "a": {"type": "halfspace", "normal": [0, 0, 1], "offset": 0},
                "b": {"type": "ellipsoid", "radii": [2, 1, 0.5], "rotation": [3, 1, 0.5, 0.2], "position": [0, 0, 3]}}
        text, answer = joined(text_of(line)), query(line)[0]
        self.assertNotIn("the lowest point of B", text)
        low, high = re.search(r"every point of B has a height of at least (\S+), and the point .* has at most (\S+)\.", text).groups()
        self.assertTrue(answer["lower"] <= float(low) <= float(high) <= answer["upper"])

    def test_parts_that_are_not_drawn_are_listed(self):
        parts = [{"type": "box", "half_extents": [0.25, 0.25], "position": [k, 0]} for k in range(301)]
        line = {"query": "distance", "dim": 2, "a": {"type": "compound", "parts": parts},
                "b": {"type": "box", "half_extents": [1, 1], "position": [0, 5]}}
        self.assertIn("of 301 parts (only the deciding one is drawn)", joined(text_of(line)))
        line["a"]["parts"] = parts[:300]
        self.assertNotIn("is drawn", text_of(line))

    def test_tiny_shapes_have_the_same_proofs(self):
        """The hulls of pairs do not depend on the scale."""
        for size in (1.0, 1e-170, 1e-300, 1e39):
            a = {"type": "polygon", "vertices": [[0, 0], [3 * size, 0], [3 * size, 3 * size], [0, 3 * size]]}
            for gap, begins in ((0, "touching: "), (size, "upper: v = ")):
                x = a["vertices"][1][0] + gap
                b = {"type": "polygon", "vertices": [[x, -size], [5 * size, -size], [x, 5 * size]]}
                shown = paragraph(text_of({"dim": 2, "query": "distance", "a": a, "b": b}), begins)
                self.assertRegex(shown, r"0\.\d+·\(A\d − B\d\) \+ 0\.\d+·\(A\d − B\d\)")

    def test_a_compound_is_explained_as_its_pair(self):
        a = {"type": "cylinder", "radius": 1, "half_length": 1}
        b = {"type": "cylinder", "radius": 1, "half_length": 3, "position": [0, 0, 0.1]}
        distant = {"type": "sphere", "radius": 1, "position": [5, 0, 0]}
        plain, whole = (list(tables(text_of({"query": "penetration", "a": shape, "b": b})))
                        for shape in (a, {"type": "compound", "parts": [a, distant]}))
        self.assertEqual(plain, whole)

    def test_directions_are_those_of_the_answer(self):
        square, diamond = ({"type": "polygon", "vertices": v} for v in ([[-1, -1], [1, -1], [1, 1], [-1, 1]],
                                                                        [[-2, 0], [0, -1], [2, 0], [0, 1]]))
        line = {"dim": 2, "query": "distance", "a": {**square, "rotation": [4, 3]}, "b": diamond}
        story = json.loads(explain(line, options=["--json"]).stdout)
        self.assertGreater(sum(x * y for x, y in zip(story["evidence"]["direction"], story["answer"]["normal"])), 0.999)

    def test_more_pairs_than_can_be_certified(self):
        parts = [{"type": "point", "position": [i, 0]} for i in range(300)]
        text = text_of({"query": "distance", "dim": 2, "a": {"type": "compound", "parts": parts},
                     "b": {"type": "compound", "parts": parts, "position": [0, 2]}})
        self.assertIn("the other pairs of parts are too many to be certified here", joined(text))

    def test_weights_only_where_they_show_it(self):
        """No weights are listed beside points of which only some make up the origin."""
        line = {"query": "penetration", "dim": 2, "a": TRIANGLE, "b": TRIANGLE}
        story = json.loads(explain(line, options=["--json"]).stdout)
        self.assertEqual(len(story["evidence"]["points"]), 4)
        self.assertEqual(story["evidence"]["weights"], [])
        story = json.loads(explain({**OVERLAPPING, "query": "intersect"}, options=["--json"]).stdout)
        self.assertEqual(len(story["evidence"]["weights"]), 3)


class Digits(Explained):
    """Numbers have as many digits as it takes to see in them what they are shown for."""
    GAP = {"query": "distance", "a": {"type": "sphere", "radius": 1},
           "b": {"type": "sphere", "radius": 1, "position": [2.000000000001, 0, 0]}}

    def gap(self, text, dim):
        shown = re.search(r"witness points (\(.*?\)) on A and (\(.*?\)) on B, normal", joined(text))
        a, b = vector(shown[1]), vector(shown[2])
        self.assertEqual(len(a), dim)
        return sum((x - y) ** 2 for x, y in zip(a, b)) ** 0.5

    def test_witness_points_have_the_distance(self):
        for x, y in ((123456.7, 98765.4), (-5e9, 3e8), (0, 0)):
            line = {"query": "distance", "dim": 2, "a": {**UNIT, "position": [x, y]},
                    "b": {**UNIT, "position": [x + 3.5, y + 2.5], "rotation": 0.2}}
            distance = query(line)[0]["distance"]
            self.assertAlmostEqual(self.gap(text_of(line), 2) / distance, 1, delta=2e-3)
        self.assertAlmostEqual(self.gap(text_of(self.GAP), 3) / query(self.GAP)[0]["distance"], 1, delta=2e-3)

    def test_distant_contacts_have_the_depth(self):
        line = {"dim": 2, "query": "manifold", "a": {**UNIT, "position": [1e7 + 0.1, 0]},
                "b": {**UNIT, "position": [1e7 + 1.975, 0.25]}}
        (_, *contacts), depth = list(tables(text_of(line)))[-1][1], -query(line)[0]["distance"]
        for row in contacts:
            self.assertAlmostEqual(abs(vector(row[1])[0] - vector(row[2])[0]), depth, delta=1e-3 * depth)

    def test_what_cores_are_less_r(self):
        (_, (names, row, *_)), *_ = tables(text_of(self.GAP))
        self.assertEqual(names[-2:], ["core lower", "core upper"])
        self.assertAlmostEqual(number(row[-1]) - 2, 1e-12, delta=1e-15)
        self.assertEqual(vector(row[2].split(" ", 1)[1]), [-2.000000000001, 0, 0])

    def test_differences_that_nearly_vanish(self):
        line = {"query": "distance", "dim": 2, "a": {**UNIT, "rotation": [1, 2]},
                "b": {**UNIT, "rotation": [1, 2], "position": [-1.2000000000006, 1.6000000000008]}}
        (_, (_, row, *_)), *_ = tables(text_of(line))
        (x, y), (u, v) = vector(row[1]), vector(row[2].split(" ", 1)[1])
        self.assertAlmostEqual((x * u + y * v) / number(row[3]), 1, delta=2e-2)

    def test_axes_have_the_gap(self):
        line = {"query": "distance", "dim": 2, "method": "sat", "a": {**UNIT, "position": [1e6, 0]},
                "b": {**UNIT, "position": [1000002.0009765625, 0.5]}}
        axes = dict(tables(text_of(line)))["Separating axes"]
        row = next(row for row in axes if row[-1] == "← best")
        end, begin = number(row[3].split(" … ")[1]), number(row[4].split(" … ")[0])
        self.assertAlmostEqual(begin - end, number(row[5]), delta=1e-6)


class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def rejected(self, *arguments, **options):
        done = run("explain", *arguments, **options)
        self.assertEqual(done.returncode, 2, done.stderr)
        return done.stderr.decode()

    def test_a_page_but_no_picture_in_3d(self):
        svg, html = self.folder / "t.svg", self.folder / "t.html"
        for more in ((), ("--html", html)):
            done = run("explain", "--svg", svg, *more, json.dumps(BOXES))
            self.assertEqual(done.returncode, 1)
            self.assertIn(b"Certificate", done.stdout)
            self.assertIn(b"--svg shows 2D queries only; --html", done.stderr)
            self.assertEqual((html.exists(), svg.exists()), (bool(more), False))

    def test_bad_names(self):
        name, line = self.folder / "t", json.dumps({**OVERLAPPING, "query": "intersect"})
        self.assertIn("must be given once", self.rejected("--svg", name, "--svg", name, line))
        self.assertIn("the same file", self.rejected("--svg", name, "--html", name, line))
        self.assertIn("write into a file", self.rejected("--html", "-", line))
        self.assertIn("must be given once", run("query", "-j2", "--jobs=2").stderr.decode())
        self.assertFalse(name.exists())

    def test_none_or_several_queries(self):
        name, lines = self.folder / "t", self.folder / "lines.jsonl"
        lines.write_text("\n", encoding="utf-8")
        self.assertIn("there is no query", self.rejected("--html", name, lines))
        text = 2 * (json.dumps({**OVERLAPPING, "query": "intersect"}) + "\n")
        lines.write_text(text, encoding="utf-8")
        self.assertIn(f"sed -n 2p {lines} | graze explain --html {name} -", self.rejected("--html", name, lines))
        self.assertIn("--svg shows one query", self.rejected("--svg", name, "-", text=text))
        self.assertFalse(name.exists())

    def test_gallery(self):
        """Every query has a page, a picture if it is in 2D, and an entry in the index; ids cannot leave the folder."""
        flat, folder = {**OVERLAPPING, "query": "intersect"}, self.folder / "gallery"
        lines = [{**flat, "id": "../a b", "title": "A < B", "caption": "\"both\""}, {**flat, "id": 7}, BOXES, "{}"]
        done = run("explain", "--gallery", folder, "-", text=stream(lines))
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        self.assertIn(b"line 4: ", done.stderr)
        self.assertEqual(sorted(path.name for path in folder.iterdir()), [
            "---a-b.html", "---a-b.svg", "README.md", "index.html", "query-2.html", "query-2.svg", "query-3.html"])
        index = (folder / "index.html").read_text(encoding="utf-8")
        self.assertIn("<h2>A &lt; B</h2>\n<p>&quot;both&quot; <a href=\"---a-b.html\">", index)
        self.assertEqual(index.count("<img"), 2)
        self.assertIn("--gallery excludes", self.rejected("--gallery", folder, "--json", json.dumps(flat)))


class Lines(Explained):
    def test_json(self):
        """It is one line; its words are those of the text, for a query as an argument or in a stream."""
        line = {**OVERLAPPING, "query": "distance"}
        done = run("explain", "--json", json.dumps(line, indent=1))
        self.assertEqual(done.stdout.count(b"\n"), 1)
        words = json.loads(done.stdout)["words"]
        text = run("explain", json.dumps(line)).stdout.decode()
        self.assertEqual(text, text_of(line))
        for sentence in (words["query"], words["answer"], *words["certificate"]):
            self.assertIn(joined(sentence), joined(text))

    def test_widths_and_bytes(self):
        """No line is wider than a terminal, ends with a blank, or holds what is no number."""
        wide = 0
        for name in ("mission", "overlap", "compound", "concave", "cubes"):
            done = run("explain", ROOT / f"examples/{name}.jsonl")
            for line in done.stdout.decode().splitlines():
                self.assertEqual(line, line.rstrip())
                self.assertNotRegex(line, r"\bnan\b|\binf\b|\?|(^|[ (])-\d")
                wide = max(wide, len(line))
        self.assertLessEqual(wide, 120)

    def test_extreme_numbers(self):
        for size in (1e-300, 5e-324, 1e40):
            square = {"type": "polygon", "vertices": [[0, 0], [size, 0], [size, size]]}
            for b in ({**square, "position": [0, 0]}, {"type": "point"}, {"type": "circle", "radius": size}):
                text = text_of({"dim": 2, "query": "distance", "a": square, "b": b})
                self.assertIn("checked exactly by the verifier: ", text)
                self.assertNotRegex(text, r"\bnan\b|\binf\b|\?")

    def test_several_queries(self):
        done = explain({**OVERLAPPING, "query": "intersect", "id": "one"}, {**TOUCHING, "query": "intersect", "id": 2})
        text = done.stdout.decode()
        self.assertTrue(text.startswith('"one": intersect in 2D: A is a polygon of 4 vertices, B is'))
        self.assertIn("\n\n2: intersect in 2D: ", text)

    def test_errors(self):
        good = {**OVERLAPPING, "query": "intersect"}
        done = explain('{"query":', good)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"line 1: bad_json", done.stderr)
        self.assertIn(b"Certificate", done.stdout)
        bad = '{"id":7,"query":"distance","a":{"type":"sphere","radius":-1},"b":{"type":"point"}}'
        done = explain(bad, options=["--json"])
        self.assertEqual((done.returncode, done.stdout), (1, run("query", text=bad).stdout))
        done = explain({"query": "hull", "dim": 2, "a": SQUARE})
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"graze query answers hull", done.stderr)
        self.assertIn(b'"method":"sat"', explain({"query": "sat", "dim": 2, "a": SQUARE, "b": DISTANT}).stderr)
