"""Every error code, with lines that earn it (errors.jsonl): code, id, line number, and what the message names."""
import sys
import unittest

from commands import ask, records, run

CODES = {"bad_json", "unknown_query", "unknown_shape", "unknown_key", "missing", "bad_number", "bad_shape",
         "not_convex", "not_simple", "dim_mismatch", "unsupported"}  # out_of_memory: test_process.py


class Errors(unittest.TestCase):
    def test_each(self):
        rows = records("errors.jsonl")
        answers = ask(*[row["line"] for row in rows])
        self.assertEqual(len(answers), len(rows))
        for number, (row, answer) in enumerate(zip(rows, answers), 1):
            with self.subTest(row["why"], line=row["line"][:200]):
                self.assertEqual(list(answer), ["id", "line", "error"], answer)
                self.assertEqual(list(answer["error"]), ["code", "message"])
                self.assertEqual(answer["id"], row.get("id", "q"))
                self.assertEqual(answer["line"], number)
                self.assertEqual(answer["error"]["code"], row["code"], answer)
                for piece in row["says"]:
                    self.assertIn(piece, answer["error"]["message"])
                for piece in row.get("never", []):
                    self.assertNotIn(piece, answer["error"]["message"])
        self.assertEqual({row["code"] for row in rows}, CODES)

    def test_exact_line(self):
        done = run("query", text='\n{"query":"aabb","id":7,"a":{"type":"sphere","radius":-1}}\n')
        self.assertEqual(done.stdout, b'{"id":7,"line":2,"error":{"code":"bad_shape",'
                                      b'"message":"a.radius = -1: negative"}}\n')
        self.assertEqual(done.returncode, 1)

    def test_bytes_that_are_not_utf8(self):
        done = run("query", text=b'{"id":"\xff","query":"aabb"}\n{"id":"q","x":"\xc3"}\n')
        self.assertEqual(done.stdout.count(b'"code":"bad_json"'), 2, done.stdout)
        self.assertIn(b'{"id":null,"line":1,', done.stdout)
        self.assertIn(b'{"id":"q","line":2,', done.stdout)

    def test_long_values_are_cut_between_characters(self):
        for word in ("é" * 500, "x" + "é" * 500, "€" * 500, "x€" * 500):
            answer, = ask({"id": "q", "query": "intersect", "a": {"type": word}, "b": {"type": word}})
            self.assertEqual(answer["error"]["code"], "unknown_shape")
            self.assertIn(word[:10], answer["error"]["message"])
            self.assertLess(len(answer["error"]["message"]), 200)


if __name__ == "__main__":
    sys.exit(unittest.main())
