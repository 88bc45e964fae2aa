"""Meshes at the command line: triangles of answers, verification, explanations, and model files."""
import base64
import json
import math
import os
import resource
import struct
import tempfile
import unittest
import zipfile
from pathlib import Path

from commands import linear, query, ray, run, sanitized, text_of, verdicts

VERTICES = [[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2]]
TRIANGLES = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
BALL = {"type": "sphere", "radius": 0.5}


def mesh(**rest):
    return {"type": "mesh", "vertices": VERTICES, "triangles": TRIANGLES, **rest}


def ring(*corners, **rest):
    count = len(corners)
    return {"type": "mesh", "vertices": list(corners), "edges": [[i, (i + 1) % count] for i in range(count)], **rest}


def pair(a, b, place=None, **rest):
    return {"query": "distance", "a": a, "b": {**b, "position": place} if place else b, **rest}


class Answers(unittest.TestCase):
    def test_the_nearest_triangle_is_named(self):
        for place, triangle, distance in (([0.5, 0.5, -3], 0, 2.5), ([0.5, -3, 0.5], 1, 2.5), ([-3, 0.5, 0.5], 2, 2.5)):
            first, second = query(pair(mesh(), BALL, place), pair({**BALL, "position": place}, mesh()))
            self.assertAlmostEqual(first["distance"], distance, 9)
            self.assertEqual(first["triangle_a"], triangle)
            self.assertEqual(second["triangle_b"], triangle)
            self.assertEqual((first["pairs"]["total"], second["pairs"]["total"]), (4, 4))
            for answer in first, second:
                self.assertFalse({"part_a", "part_b"} & set(answer))
                self.assertEqual(sum(key.startswith("triangle") for key in answer), 1)

    def test_two_meshes_and_a_compound(self):
        parts = {"type": "compound", "parts": [{**BALL, "position": [9, 9, 9]}, BALL]}
        both, mixed = query(pair(mesh(), mesh(), [5, 0, 0]), pair(mesh(), parts, [0, 0, -4]))
        self.assertEqual([key for key in both if key.startswith(("triangle", "part"))], ["triangle_a", "triangle_b"])
        self.assertEqual((both["distance"], both["pairs"]["total"]), (3, 16))
        self.assertEqual([key for key in mixed if key.startswith(("triangle", "part"))], ["triangle_a", "part_b"])
        self.assertEqual(mixed["part_b"], 1)

    def test_casts_name_the_triangle(self):
        hit, moved = query(ray(mesh(), [0.5, 0.5, -3], [0, 0, 1]), linear(BALL, mesh(), [4.5, 0, 0], [-8, 0, 0]))
        self.assertEqual((hit["hit"], hit["triangle_a"]), (True, 0))
        self.assertEqual((hit["pairs"]["total"], hit["pairs"]["tested"] in range(1, 5)), (4, True))
        self.assertAlmostEqual(hit["t"], 3, 9)
        self.assertIn("triangle_b", moved)
        self.assertEqual(moved["result"], "hit")
        self.assertAlmostEqual(moved["t"], 0.5, 6)

    def test_a_mesh_is_solid_by_default_if_it_is_closed(self):
        inside = [0.5, 0.5, 0.5]
        point = {"type": "point"}
        lines = [pair(shape, point, inside) for shape in (
            mesh(), mesh(solid=True), mesh(solid=False), {**mesh(), "triangles": TRIANGLES[1:]})]
        relations = [answer["relation"] for answer in query(*lines)]
        self.assertEqual(relations, ["overlapping", "overlapping", "separated", "separated"])

    def test_edges_in_2d(self):
        square = ring([0, 0], [4, 0], [4, 4], [0, 4])
        spot = {"type": "circle", "radius": 0.25}
        right, inside, hollow = query(pair(square, spot, [6, 2], dim=2), pair(square, spot, [2, 2], dim=2),
                                      pair({**square, "solid": False}, spot, [2, 3], dim=2))
        self.assertEqual((right["distance"], right["triangle_a"], right["pairs"]["total"]), (1.75, 1, 4))
        self.assertEqual(inside["relation"], "overlapping")
        self.assertEqual((hollow["relation"], hollow["distance"], hollow["triangle_a"]), ("separated", 0.75, 2))

    def test_pose_and_margin(self):
        turned = mesh(position=[10, 0, 0], rotation=[1, 0, 0, 1], margin=0.25)  # x becomes y
        answer, bounds = query(pair(turned, {"type": "point"}, [10.5, 4, 0]), {"query": "aabb", "a": turned})
        self.assertAlmostEqual(answer["distance"], 4.25 ** 0.5 - 0.25, 9)
        for low, high, least, most in zip(bounds["min"], bounds["max"], [7.75, -0.25, -0.25], [10.25, 2.25, 2.25]):
            self.assertLessEqual(low, least)
            self.assertGreaterEqual(high, most)

    def test_queries_about_the_vertices(self):
        hull, box = query({"query": "hull", "a": mesh()}, {"query": "fit_box", "a": mesh()})
        self.assertEqual((hull["indices"], len(hull["faces"])), ([0, 1, 2, 3], 4))
        self.assertGreater(box["volume"], 0)


class Verified(unittest.TestCase):
    def test_answers_are_verified_and_forged_triangles_are_not(self):
        lines = [pair(mesh(), BALL, [0.5, 0.5, -3], proof=True), pair(mesh(), mesh(), [5, 0, 0], proof=True),
                 {**pair(mesh(), BALL, [1, 1, 0]), "query": "intersect"}]
        answers = query(*lines)
        self.assertEqual(verdicts(lines, answers), ["verified"] * 3)
        for triangle in (4, -1, 0.5, "0"):
            self.assertEqual(verdicts(lines[:1], [{**answers[0], "triangle_a": triangle}]), ["refused"])

    def test_a_frontier_is_verified_and_a_forged_one_is_not(self):
        inner = {**mesh(), "vertices": [[x / 8 + 0.1 for x in point] for point in VERTICES]}
        hook = {"type": "mesh", "vertices": [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4]], "triangles": TRIANGLES[1:]}
        lines = [pair(hook, inner, [0.5, 0.5, 0.5], proof=True), pair(hook, BALL, [1, 1, 1], proof=True)]
        answers = query(*lines)
        self.assertEqual([answer["relation"] for answer in answers], ["separated", "separated"])
        self.assertEqual(verdicts(lines, answers), ["verified", "verified"])
        proof = answers[0]["certificate"]
        frontier = proof["frontier"]
        self.assertGreater(len(frontier["nodes"]), 1)
        self.assertEqual(sorted(frontier["order_a"]), list(range(3)))
        for change in ({"nodes": frontier["nodes"][:-1]}, {"nodes": []}, {"nodes": ["c"]}, {"nodes": "a"},
                       {"nodes": frontier["nodes"] + ["a"]}, {"order_a": [0, 1]}, {"order_a": [0, 1, 1]},
                       {"order_b": [0, 1, 2, 4]}, {"order_b": [0, 1, 2, -3]}, {"order_a": 5}):
            forged = {**answers[0], "certificate": {**proof, "frontier": {**frontier, **change}}}
            self.assertEqual(verdicts(lines[:1], [forged]), ["refused"], change)
        without = {**answers[0], "certificate": {key: value for key, value in proof.items() if key != "frontier"}}
        self.assertEqual(verdicts(lines[:1], [without]), ["refused"])

    def test_an_answer_to_a_mesh_that_is_not_solid(self):
        surface = {**mesh(), "triangles": TRIANGLES[1:]}
        answer, = query(pair(surface, BALL, [0.5, 0.5, -3], proof=True))
        line = pair({**surface, "solid": True}, BALL, [0.5, 0.5, -3])
        self.assertEqual(verdicts([line], [answer]), ["refused"])
        self.assertEqual(verdicts([line], query(line)), ["error"])


class Explained(unittest.TestCase):
    def test_sentences(self):
        done = run("explain", json.dumps(pair(mesh(), BALL, [0.5, 0.5, -3])))
        text = " ".join(done.stdout.decode().split())
        for words in ("A is a mesh of 4 triangles, solid, B is a sphere of radius 0.5",
                      "The deciding pair is triangle 0 of A (a triangle) and B. The search tests all 4 pairs."):
            self.assertIn(words, text)
        flat = pair(ring([0, 0], [4, 0], [4, 4], solid=False), {"type": "point"}, [6, 2], dim=2)
        with tempfile.TemporaryDirectory() as folder:
            files = Path(folder, "x.svg"), Path(folder, "x.html")
            done = run("explain", "--svg", files[0], "--html", files[1], json.dumps(flat))
            self.assertEqual(done.returncode, 0)
            self.assertIn("a mesh of 3 edges, not solid", done.stdout.decode())
            self.assertIn("edge 1 of A", done.stdout.decode())
            self.assertTrue(all(file.stat().st_size > 1000 for file in files))

    def test_the_deciding_triangle_of_a_larger_mesh(self):
        corners = [[x, y, 0] for x in range(20) for y in range(20)]
        faces = [[20 * x + y, 20 * x + y + 20, 20 * x + y + 1] for x in range(19) for y in range(19)]
        done = run("explain", "--json", "-", text=text_of([pair(
            {"type": "mesh", "vertices": corners, "triangles": faces}, BALL, [3.25, 4.25, 2])]))
        body = json.loads(done.stdout)["bodies"][0]
        self.assertEqual((body["part"], body["part_word"], body["others"]), (19 * 3 + 4, "triangle", []))
        self.assertEqual(len(body["faces"]["corners"]), 361)

    def test_a_scene(self):
        scene = {"bodies": [{"type": "static", "shape": mesh()}, {"velocity": [-8, 0, 0], "shape": {**BALL, "position": [4.5, 0, 0]}}],
                 "dt": 0.1, "steps": 10}
        with tempfile.TemporaryDirectory() as folder:
            files = Path(folder, "x.json"), Path(folder, "x.html")
            done = run("simulate", "--json", files[0], "--html", files[1], "-", text=json.dumps(scene))
            self.assertEqual(done.returncode, 0, done.stderr)
            contacts = json.loads(files[0].read_text(encoding="utf-8"))["contacts"]
            self.assertTrue(contacts)
            self.assertIn('"faces"', files[1].read_text(encoding="utf-8"))


# ---- Model files

def stl_text():
    facets = ["".join("vertex %g %g %g\n" % tuple(VERTICES[i]) for i in face) for face in TRIANGLES]
    return "solid t\n" + "".join(f"facet normal 0 0 0\nouter loop\n{facet}endloop\nendfacet\n" for facet in facets) + "endsolid t\n"


def stl_binary(triangles=TRIANGLES, vertices=VERTICES):
    records = [struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in vertices[i]), 0) for face in triangles]
    return b"\0" * 80 + struct.pack("<I", len(triangles)) + b"".join(records)


def obj(extra=""):
    return "".join("v %g %g %g\n" % tuple(v) for v in VERTICES) + "".join("f %d %d %d\n" % tuple(i + 1 for i in f) for f in TRIANGLES) + extra


def ply(faces=True):
    head = "ply\nformat ascii 1.0\nelement vertex 4\n" + "".join(f"property float {c}\n" for c in "xyz")
    rows = "".join("%g %g %g\n" % tuple(v) for v in VERTICES)
    if not faces:
        return head + "end_header\n" + rows
    return (head + "element face 4\nproperty list uchar int vertex_indices\nend_header\n" + rows
            + "".join("3 %d %d %d\n" % tuple(f) for f in TRIANGLES))


BLOB = b"".join(struct.pack("<3f", *v) for v in VERTICES) + b"".join(struct.pack("<3H", *f) for f in TRIANGLES)


def gltf(uri=None, **node):
    buffer = {"byteLength": len(BLOB), **({"uri": uri} if uri else {})}
    return json.dumps({
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, **node}], "buffers": [buffer],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 24}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3", "min": [0, 0, 0], "max": [2, 2, 2]},
                      {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"}]})


def glb(**node):
    text = gltf(**node).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(BLOB), b"BIN\0") + BLOB
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def dae(node=""):
    numbers = " ".join("%g" % x for v in VERTICES for x in v)
    accessor = "".join(f'<param name="{c}" type="float"/>' for c in "XYZ")
    return f"""<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="n" count="12">{numbers}</float_array><technique_common><accessor source="#n" count="4" stride="3">
{accessor}</accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>{" ".join(str(i) for f in TRIANGLES for i in f)}</p></triangles>
</mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node>{node}<instance_geometry url="#g"/></node>
</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def write_3mf(path, transform="1 0 0 0 1 0 0 0 1 0 0 0"):
    vertices = "".join('<vertex x="%g" y="%g" z="%g"/>' % tuple(v) for v in VERTICES)
    triangles = "".join('<triangle v1="%d" v2="%d" v3="%d"/>' % tuple(f) for f in TRIANGLES)
    kind = "http://schemas.microsoft.com/3dmanufacturing"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
        archive.writestr("_rels/.rels", f'<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Target="/3D/3dmodel.model" Id="r" Type="{kind}/2013/01/3dmodel"/></Relationships>')
        archive.writestr("3D/3dmodel.model", f'<?xml version="1.0"?><model unit="millimeter" xmlns="{kind}/core/2015/02"><resources><object id="1" type="model"><mesh><vertices>{vertices}</vertices><triangles>{triangles}</triangles></mesh></object></resources><build><item objectid="1" transform="{transform}"/></build></model>')


def without_assimp():
    answer, = query({"query": "aabb", "a": {"type": "mesh", "file": "none.stl"}})
    return "built without Assimp" in answer["error"]["message"]


FORMATS = ["stl", "obj", "ply", "gltf", "glb", "dae", "3mf"]
QUICK = os.environ.get("GRAZE_TIER") not in ("ci", "soak")


@unittest.skipIf(QUICK and without_assimp(), "needs Assimp")
class Files(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def answers(self, *lines, command="query"):
        self.write("lines.jsonl", text_of(lines))
        return [json.loads(line) for line in run(command, self.folder / "lines.jsonl").stdout.splitlines()]

    def aabb(self, name, content):
        """Writes the file and returns a query about it."""
        self.write(name, content)
        return {"query": "aabb", "a": {"type": "mesh", "file": name}}

    def distances(self, names, place):
        answers = self.answers(*[pair({"type": "mesh", "file": name}, BALL, place) for name in names])
        return [answer.get("distance", answer.get("error")) for answer in answers]

    def test_formats(self):
        data = "data:application/octet-stream;base64," + base64.b64encode(BLOB).decode()
        for name, content in (("a.stl", stl_text()), ("b.STL", stl_binary()), ("c.obj", obj()), ("d.ply", ply()), ("e.gltf", gltf(data)),
                              ("f.gltf", gltf("f.bin")), ("f.bin", BLOB), ("g.glb", glb()), ("h.dae", dae())):
            self.write(name, content)
        write_3mf(self.folder / "i.3mf")
        names = ["a.stl", "b.STL", "c.obj", "d.ply", "e.gltf", "f.gltf", "g.glb", "h.dae", "i.3mf"]
        lines = [line for name in names for line in (
            pair({"type": "mesh", "file": name, "solid": True}, {"type": "point"}, [0.5, 0.25, -3]),
            pair({"type": "mesh", "file": name}, {"type": "point"}, [0.5, 0.5, 0.5]))]
        answers = self.answers(*lines)
        for name, outside, inside in zip(names, answers[::2], answers[1::2]):
            with self.subTest(name, outside=outside):
                self.assertEqual((outside["distance"], outside["triangle_a"], outside["pairs"]["total"]), (3, 0, 4))
                self.assertEqual(inside["relation"], "overlapping")

    def test_transformations_of_nodes(self):
        """Mirrored, so that the orientation must be reversed, and moved."""
        self.write("a.glb", glb(translation=[10, 0, 0], scale=[-1, 1, 1]))
        self.write("b.dae", dae("<translate>10 0 0</translate><scale>-1 1 1</scale>"))
        write_3mf(self.folder / "c.3mf", "-1 0 0 0 1 0 0 0 1 10 0 0")
        names = ["a.glb", "b.dae", "c.3mf"]
        lines = [line for name in names for line in (
            pair({"type": "mesh", "file": name, "solid": True}, {"type": "point"}, [5, 0, 0]),
            pair({"type": "mesh", "file": name}, {"type": "point"}, [9.5, 0.5, 0.5]))]
        answers = self.answers(*lines)
        for name, outside, inside in zip(names, answers[::2], answers[1::2]):
            with self.subTest(name, outside=outside):
                self.assertEqual(outside["distance"], 3)
                self.assertEqual(inside["relation"], "overlapping")

    def test_polygons_lines_and_all_objects(self):
        self.write("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nl 1 3\n")
        self.write("b.obj", obj("o two\nv 9 0 0\nv 9 1 0\nv 9 0 1\nf 5 6 7\n"))
        square, two = self.answers(pair({"type": "mesh", "file": "a.obj"}, BALL, [0.5, 0.25, 2]),
                               pair({"type": "mesh", "file": "b.obj"}, BALL, [11, 0.25, 0.25]))
        self.assertEqual((square["distance"], square["pairs"]["total"]), (1.5, 2))
        self.assertEqual((two["distance"], two["triangle_a"], two["pairs"]["total"]), (1.5, 4, 5))

    def test_floats_are_exact(self):
        vertices = [[struct.unpack("<f", struct.pack("<f", x / 3))[0] for x in v] for v in VERTICES]
        self.write("a.stl", stl_binary(vertices=vertices))
        from_file, given = self.answers({"query": "aabb", "a": {"type": "mesh", "file": "a.stl"}},
                                    {"query": "aabb", "a": mesh(vertices=vertices)})
        self.assertEqual(from_file, given)

    def test_names_are_relative_to_the_file_of_queries(self):
        (self.folder / "models").mkdir()
        self.write("models/a.stl", stl_binary())
        for name in ("models/a.stl", "models/../models/a.stl", str(self.folder / "models/a.stl")):
            self.assertEqual(self.distances([name], [0.5, 0.5, -3]), [2.5], name)
        line = pair({"type": "mesh", "file": "models/a.stl"}, BALL, [0.5, 0.5, -3])
        for arguments in (("query",), ("query", "-")):
            answer, = run(*arguments, text=text_of([line]), cwd=self.folder).stdout.splitlines()
            self.assertEqual(json.loads(answer)["distance"], 2.5)
        done = run("explain", json.dumps(line), cwd=self.folder)
        self.assertIn("a mesh of 4 triangles, solid", done.stdout.decode())
        scene = {"bodies": [{"shape": {"type": "mesh", "file": "a.stl"}}], "steps": 1}
        self.write("models/scene.json", json.dumps(scene))
        self.assertEqual(run("simulate", self.folder / "models/scene.json").returncode, 0)

    def test_a_file_is_shared_by_lines_and_threads(self):
        for number in range(20):
            self.write(f"{number}.stl", stl_binary())
        lines = [pair({"type": "mesh", "file": f"{i % 20}.stl", "solid": i % 3 > 0}, BALL, [0.5, 0.5, -3 - i]) for i in range(400)]
        self.write("lines.jsonl", text_of(lines))
        one = run("query", "--jobs", 1, self.folder / "lines.jsonl").stdout
        self.assertEqual([json.loads(line)["distance"] for line in one.splitlines()], [2.5 + i for i in range(400)])
        if not sanitized():  # a child process reads a model, and needs the allocator that another thread may have locked
            self.assertEqual(run("query", "--jobs", 4, self.folder / "lines.jsonl").stdout, one)

    def test_verify_reads_the_file(self):
        self.write("a.stl", stl_binary())
        line = pair({"type": "mesh", "file": "a.stl"}, BALL, [0.5, 0.5, -3], proof=True)
        answer, = self.answers(line)
        self.write("answers.jsonl", text_of([answer]))
        files = self.folder / "lines.jsonl", self.folder / "answers.jsonl"
        self.assertIn(b"verified  1", run("verify", *files).stdout)
        self.write("a.stl", stl_binary(TRIANGLES[1:]))
        self.assertIn(b"refused   1", run("verify", *files).stdout)
        (self.folder / "a.stl").unlink()
        done = run("verify", "--json", *files).stdout.decode()
        self.assertIn('"verdict":"unproven","reason":"query without its file: a.file: cannot be read', done)

    def errors(self, files):
        """Writes the files, and expects an error for each, in the form: a.file: …("NAME"…)… . Returns the messages."""
        for name, content in files.items():
            if content is not None:
                self.write(name, content)
        self.write("lines.jsonl", text_of([{"query": "aabb", "a": {"type": "mesh", "file": name}} for name in files]))
        done = run("query", self.folder / "lines.jsonl")
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        for name, answer in zip(files, answers, strict=True):
            self.assertEqual(answer.get("error", answer).get("code"), "bad_file", name)
            self.assertTrue(answer["error"]["message"].startswith("a.file: "), name)
            self.assertIn(f'("{name[:20]}', answer["error"]["message"])
        return [answer["error"]["message"] for answer in answers]

    def expect_errors(self, rows):
        """Rows: the name of a file, its content (None: the file is there, or is missing), words of the error."""
        messages = self.errors({name: content for name, content, _ in rows})
        for (name, _, words), message in zip(rows, messages):
            with self.subTest(name):
                self.assertIn(words, message)

    def test_names_of_no_model_file(self):
        (self.folder / "folder.stl").mkdir()
        os.mkfifo(self.folder / "pipe.stl")
        with open(self.folder / "large.stl", "wb") as file:
            file.truncate((1 << 30) + 1)
        unknown = "unknown format"
        self.expect_errors([
            ("none.stl", None, 'cannot be read ("none.stl": No such file or directory), must be a model file'),
            ("folder.stl", None, 'cannot be read ("folder.stl": not a regular file)'),
            ("pipe.stl", None, "not a regular file"), ("large.stl", None, "more than 1 GiB"),
            ("/dev/zero", None, 'unknown format ("/dev/zero"), must be .stl, .obj, .ply'), ("f.bin", BLOB, unknown),
            ("stl", stl_text(), unknown), (".", None, unknown), ("", None, "must be the name of a file"),
            ("x" * 300 + ".stl", None, "File name too long")])
        answer, = self.answers({"query": "aabb", "a": {"type": "mesh", "file": "x" * 5000 + ".stl"}})
        self.assertIn("a.file: too long (50", answer["error"]["message"])

    def test_truncated_text(self):
        """Text files that end after any byte, except within the last number or word."""
        for suffix, content in (("ply", ply()), ("stl", stl_text())):
            whole = content.rstrip()
            last = len(whole.rsplit(None, 2 if suffix == "stl" else 1)[0])
            start = content.index("end_header") + len("end_header") if suffix == "ply" else len("solid t")
            lines = [self.aabb(f"{end}.{suffix}", whole[:end]) for end in range(start, last + 1)]
            self.assertGreater(len(lines), 25)
            for line, answer in zip(lines, self.answers(*lines), strict=True):
                self.assertEqual(answer["error"]["code"], "bad_file", line)
                self.assertIn(f"a.file: ends too early (\"{line['a']['file']}\"), must be a whole file", answer["error"]["message"])

    def test_broken_files(self):
        """Words of Assimp are expected only where they name the fault."""
        write_3mf(self.folder / "crash.3mf")  # a wrong checksum, for which Assimp ends its process
        archive = (self.folder / "crash.3mf").read_bytes()
        (self.folder / "sub").mkdir()
        self.write("f.bin", BLOB)
        rows = [("short.stl", b"hello", "File is too small"), ("count.stl", b"\0" * 80 + b"\xff" * 4 + b"\0" * 50, ""),
                ("cut.stl", stl_binary()[:150], ""), ("text.stl", stl_text()[:60] + "endsolid\n", "Cannot parse"),
                ("index.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", "vertex index out of range"),
                ("huge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", "vertex index out of range"),
                ("none.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "Invalid face index"), ("junk.ply", b"ply\nx\n", "format"),
                ("index.ply", ply().replace("3 1 2 3", "3 1 2 4000000000"), "mIndices[2] is out of range"),
                ("minus.ply", ply().replace("3 1 2 3", "3 1 2 -1"), "mIndices[2] is out of range"),
                ("junk.gltf", b"{\xff\xfe", ""), ("junk.glb", b"glTF\2\0\0\0", ""), ("junk.dae", b"<a>", ""), ("junk.3mf", b"PK", ""),
                ("sub/outside.gltf", gltf("../f.bin"), 'could not open referenced file "../f.bin"'),
                ("lost.gltf", gltf("lost.bin"), 'could not open referenced file "lost.bin"'),
                ("crash.3mf", archive.replace(b'x="2"', b'x="3"'), "Assimp crashed or did not end")]
        self.expect_errors(rows)
        self.assertTrue(all("cannot be imported (" in message for message in self.errors({row[0]: None for row in rows})))

    def test_empty_files(self):
        self.expect_errors([(f"a.{kind}", b"", f'empty ("a.{kind}"), must be a model file') for kind in FORMATS])

    def test_files_without_triangles(self):
        corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
        lines = ply().replace("element face 4", "element face 1").split("3 0 2 1")[0] + "2 0 1\n"
        self.expect_errors([("lines.obj", corners + "l 1 2 3\n", 'no triangles ("lines.obj"), must have at least one'),
                            ("points.obj", corners + "p 1 2 3\n", "no triangles"), ("lines.ply", lines, "no triangles"),
                            ("points.ply", ply(faces=False), "no faces"), ("zero.stl", stl_binary([]), "no facets")])

    def test_coordinates_that_are_no_numbers(self):
        finite = "out of range (\"{}\": a coordinate of vertex {}), must be finite and at most 1e40 in magnitude"
        nan, infinity = ([*VERTICES[:2], [0, x, 0], VERTICES[3]] for x in (math.nan, math.inf))
        moved = {"translation": [3e38, 0, 0], "scale": [3e38, 1, 1]}
        self.expect_errors([(name, content, finite.format(name, vertex)) for name, content, vertex in (
            ("nan.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 0), ("inf.obj", "v 0 0 0\nv 1 0 inf\nv 0 1 0\nf 1 2 3\n", 1),
            ("large.ply", ply().replace("0 0 2", "0 0 1e39"), 3), ("nan.stl", stl_binary(vertices=nan), 1),
            ("inf.stl", stl_binary(vertices=infinity), 1))])
        answer, = self.answers(self.aabb("moved.glb", glb(**moved)))
        self.assertEqual(answer["max"][0], 3 * struct.unpack("<f", struct.pack("<f", 3e38))[0])

    def test_a_file_with_too_large_counts(self):
        """The process of the import must not use all memory: the counts are of vertices, triangles and a list."""
        binary = ply().replace("format ascii", "format binary_little_endian")
        rows = [("vertices.ply", binary.replace("vertex 4", "vertex 2000000000")), ("faces.ply", binary.replace("face 4", "face 2000000000")),
                ("list.ply", ply().replace("uchar", "uint").replace("3 0 2 1", "4000000000 0 2 1"))]
        self.expect_errors([(name, content, "cannot be imported") for name, content in rows])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 2 << 20)  # in KiB on Linux

    def test_exit_status_of_other_commands(self):
        self.write("a.obj", "")
        shape = {"type": "mesh", "file": "a.obj"}
        self.write("scene.json", json.dumps({"bodies": [{"shape": shape}], "steps": 1}))
        for name, *arguments in (("a", "explain", json.dumps({"query": "aabb", "a": shape})), ("bodies[0].shape", "simulate", "scene.json")):
            done = run(*arguments, cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (1, b""))
            self.assertIn(f'bad_file: {name}.file: empty ("a.obj"), must be a model file', done.stderr.decode())

    def test_an_open_model_is_a_surface(self):
        self.write("a.stl", stl_binary(TRIANGLES[1:]))
        default, required = self.answers(pair({"type": "mesh", "file": "a.stl"}, BALL, [0.5, 0.5, -3]),
                                     pair({"type": "mesh", "file": "a.stl", "solid": True}, BALL, [0.5, 0.5, -3]))
        self.assertNotIn("error", default)
        self.assertEqual(required["error"]["code"], "bad_shape")
        self.assertIn("a.solid: the mesh is not closed (the edge from [", required["error"]["message"])


if __name__ == "__main__":
    unittest.main()
