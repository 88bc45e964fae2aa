"""Answers of `graze query` (answers.jsonl): values, order of keys, the text of ids, numbers that read back. Every error code
(errors.jsonl). Whole lines (lines.jsonl)."""
import json
import math
import struct
import unittest

from commands import query, records, run

STEP_KEYS = ["phase", "direction", "pair", "point", "origin_check", "simplex", "lower", "upper"]


CODES = {"bad_json", "unknown_query", "unknown_shape", "unknown_key", "missing", "bad_number", "bad_shape",
         "not_convex", "not_simple", "bad_file", "dim_mismatch", "unsupported"}  # out_of_memory: test_process.py


class Answers(unittest.TestCase):
    def test_each(self):
        rows = records("answers.jsonl")
        for row, answer in zip(rows, query(*[row["line"] for row in rows])):
            with self.subTest(row["why"], answer=answer):
                self.assertNotIn("error", answer)
                for key, value in row["expect"].items():
                    self.assertEqual(answer[key], value, key)
                if "keys" in row:
                    self.assertEqual(list(answer), row["keys"])
                if "trace_points" in row:
                    self.assertEqual([step["point"] for step in answer["trace"]], row["trace_points"])
                    self.assertTrue(all(list(step) == STEP_KEYS for step in answer["trace"]))

    def test_exact_lines(self):
        for row in records("lines.jsonl"):
            done = run("query", text=row["text"] + "\n")
            self.assertEqual((done.stdout.decode(), done.returncode), (row["answer"] + "\n", row["status"]), row["why"])

    def test_ids_keep_their_text(self):
        ids = ['"a"', '""', '"\\u00e9\\n\\"\\\\"', '"é"', "0", "-7", "123456789012345678901234567890", "1.50", "1e5",
               "-0.0", '"]}{,"']
        for place in ('{"id":%s,"query":"intersect","a":{"type":"point"},"b":{"type":"point"}}',
                      ' {"a":{"type":"point"},"b":{"type":"point"},"why":"{[\\"id\\":3,",'
                      '"query":"intersect", "id" : %s }',
                      '{"query":"intersect","id":%s ,"a":{"type":"point","id":1}}',
                      '{"id":%s,"query":"intersect","a":{"type":"point"'):
            done = run("query", text="".join(place % i + "\n" for i in ids))
            lines = done.stdout.decode().splitlines()
            for line, expected in zip(lines, ids, strict=True):
                self.assertTrue(line.startswith('{"id":%s,' % expected), (line, expected))

    def test_null_where_it_means_absent(self):
        point = {"type": "point"}
        ball = {"type": "sphere", "radius": 1, "position": [4, 0, 0]}
        for plain in ({"query": "distance", "a": point, "b": ball}, {"query": "aabb", "a": ball}):
            nulls = {"id": None, "b": None, "max_distance": None, "motion": None, **plain}
            moving = {**plain, "motion": {"type": "ray", "t_max": None}}
            first, second, third = query(plain, nulls, moving)
            self.assertNotIn("error", first)
            self.assertEqual((second, third), (first, first))

    def test_numbers_read_back(self):
        # Points are bounded by themselves, so what is printed must be what was written: patterns from a fixed
        # multiplicative sequence, every exponent that is accepted.
        state, written = 20250701, []
        for _ in range(3000):
            state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
            value = struct.unpack("<d", struct.pack("<Q", state ^ state >> 29))[0]
            if abs(value) <= 1e40:
                written.append(value)
        written += [0.1, 1 / 3, 5e-324, 2.2250738585072014e-308, 1e40, 2.0 ** 53 + 2, 123456789012345680.0]
        lines = ['{"query":"aabb","dim":2,"a":{"type":"point","position":[%r,%r]}}' % (x, -x) for x in written]
        for x, answer in zip(written, query(*lines), strict=True):
            self.assertEqual(answer["min"], [x, -x])
            self.assertEqual(answer["max"], [x, -x])

    def test_a_long_trace_is_json(self):
        answer, = query({"query": "distance", "trace": True, "a": {"type": "ellipsoid", "radii": [1, 2, 3]},
                       "b": {"type": "cone", "radius": 1, "half_length": 2, "position": [4, 5, 6]}})
        self.assertGreater(len(answer["trace"]), 1)
        self.assertIsInstance(answer["stop"], str)
        self.assertEqual(json.loads(json.dumps(answer)), answer)

    def test_what_follows_gjk(self):
        square = {"type": "polygon", "vertices": [[0, 0], [3, 0], [3, 3], [0, 3]]}
        box = {"type": "hull", "vertices": [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]}
        ball = [[math.sin(i) * math.cos(2.4 * i), math.sin(i) * math.sin(2.4 * i), math.cos(i)] for i in range(90)]
        cube = {"type": "box", "half_extents": [1, 1, 1]}
        polygons = {"query": "distance", "trace": True, "dim": 2, "a": square, "b": {**square, "position": [1, 2]}}
        cubes = {"query": "distance", "trace": True, "a": cube, "b": {**cube, "position": [0.5, 0.25, 0.125]}}
        by_axes = query(polygons, cubes)
        flat, deep_cubes, deep, large, separated, alone = query(
            {**polygons, "method": "epa"},
            {**cubes, "method": "epa"},
            {"query": "distance", "trace": True, "a": box, "b": {**box, "position": [0.5, 0.25, 0.125]}},
            {"query": "distance", "trace": True, "a": {"type": "hull", "vertices": ball}, "method": "brute",
             "b": {"type": "point"}},
            {"query": "distance", "trace": True, "a": box, "b": {**box, "position": [3, 3, 3]}},
            {"query": "intersect", "trace": True, "method": "exact", "a": box, "b": {**box, "position": [1, 0, 0]}})
        for answer, search in zip(by_axes, ({"direction"}, set())):
            steps = answer["trace_after"]
            self.assertEqual({step["phase"] for step in answer["trace"]}, search)
            self.assertEqual({step["phase"] for step in steps}, {"axes"})
            self.assertEqual(["stop" in step for step in steps], [False] * (len(steps) - 1) + [True])
            self.assertFalse(any("polytope" in step for step in steps))
            least = max(step["lower"] for step in steps)  # minus the least overlap of all axes
            self.assertTrue(answer["lower"] - 1e-12 <= least <= answer["upper"] + 1e-12, least)
        for answer in flat, deep_cubes, deep:
            steps = answer["trace_after"]
            self.assertEqual({step["phase"] for step in answer["trace"]}, {"gjk"})
            self.assertEqual({step["phase"] for step in steps}, {"epa"})
            self.assertEqual(["stop" in step for step in steps], [False] * (len(steps) - 1) + [True])
            self.assertLessEqual(steps[-1]["lower"], answer["upper"] + 1e-12)
            self.assertGreaterEqual(steps[-1]["upper"], answer["lower"] - 1e-12)
        self.assertEqual({tuple(step["polytope"]) for step in flat["trace_after"]}, {("pairs",)})
        for step in deep_cubes["trace_after"] + deep["trace_after"]:
            edges = {(f[k], f[(k + 1) % 3]) for f in step["polytope"]["faces"] for k in range(3)}
            self.assertEqual(edges, {(q, p) for p, q in edges})
        self.assertEqual([step["phase"] for step in large["trace_after"]][-1], "epa")
        self.assertNotIn("trace_after", separated)
        self.assertEqual((alone["trace"], alone["stop"]), ([], None))
        self.assertEqual(alone["trace_after"][-1]["stop"], "origin not passed")


class Errors(unittest.TestCase):
    def test_each(self):
        rows = records("errors.jsonl")
        answers = query(*[row["line"] for row in rows])
        self.assertEqual(len(answers), len(rows))
        for number, (row, answer) in enumerate(zip(rows, answers), 1):
            with self.subTest(row["why"], line=row["line"][:200]):
                self.assertEqual(list(answer), ["id", "line", "error"], answer)
                self.assertEqual(list(answer["error"]), ["code", "message"])
                self.assertEqual(answer["id"], row.get("id", "q"))
                self.assertEqual(answer["line"], number)
                self.assertEqual(answer["error"]["code"], row["code"], answer)
                for piece in row["message"]:
                    self.assertIn(piece, answer["error"]["message"])
                for piece in row.get("never", []):
                    self.assertNotIn(piece, answer["error"]["message"])
        self.assertEqual({row["code"] for row in rows}, CODES)

    def test_bytes_that_are_not_utf8(self):
        done = run("query", text=b'{"id":"\xff","query":"aabb"}\n{"id":"q","x":"\xc3"}\n')
        self.assertEqual(done.stdout.count(b'"code":"bad_json"'), 2, done.stdout)
        self.assertIn(b'{"id":null,"line":1,', done.stdout)
        self.assertIn(b'{"id":"q","line":2,', done.stdout)

    def test_long_values_are_cut_between_characters(self):
        for word in ("é" * 500, "x" + "é" * 500, "€" * 500, "x€" * 500):
            answer, = query({"id": "q", "query": "intersect", "a": {"type": word}, "b": {"type": word}})
            self.assertEqual(answer["error"]["code"], "unknown_shape")
            self.assertIn(word[:10], answer["error"]["message"])
            self.assertLess(len(answer["error"]["message"]), 250)
