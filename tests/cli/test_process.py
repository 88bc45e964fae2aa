"""`graze` as a process: exit statuses, files and streams, threads, first use, long lines, lack of memory, help."""
import json
import os
import pty
import re
import resource
import struct
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, HERE, ROOT, query, records, run, sanitized, text_of

POINT = '{"type":"point"}'
GOOD = '{"query":"intersect","a":%s,"b":%s}\n' % (POINT, POINT)
LONGEST = 64 << 20


class Status(unittest.TestCase):
    def test_0_when_all_is_answered(self):
        self.assertEqual(run("query", text=GOOD).returncode, 0)

    def test_1_when_some_lines_are_errors(self):
        done = run("query", text=GOOD + "x\n" + GOOD)
        self.assertEqual((done.returncode, done.stdout.count(b"\n"), done.stderr), (1, 3, b""))

    def test_2_for_usage(self):
        for row in records("usage_errors.jsonl"):
            with self.subTest(row):
                done = run(*row["arguments"], cwd=ROOT)
                lines = done.stderr.decode().splitlines()
                self.assertEqual((done.returncode, done.stdout, lines[0]), (2, b"", "graze: " + row["message"]))
                self.assertEqual(len(lines), row.get("lines", len(lines)))

    def test_2_for_a_file_that_cannot_be_read_and_the_others_are_answered(self):
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(GOOD)
            file.flush()
            for bad in ("/nowhere/at-all.jsonl", "/"):
                done = run("query", bad, file.name)
                self.assertEqual((done.returncode, done.stdout.count(b"\n")), (2, 1))
                self.assertIn(bad.encode(), done.stderr)

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_2_when_output_cannot_be_written(self):
        for arguments in (("query",), ("--help",), ("query", "--help"), ("--version",),
                          ("simulate", "--count", "1", "--steps", "1")):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([GRAZE, *arguments], input=GOOD.encode(), stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (2, b"graze: standard output: cannot write (No space left on device)\n"), arguments)


class Streams(unittest.TestCase):
    def test_empty(self):
        done = run("query")
        self.assertEqual((done.returncode, done.stdout), (0, b""))

    def test_files_in_order_and_lines_counted_in_each(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "ab":
                Path(folder, name).write_text('{"id":"%s1"}\n\n{"id":"%s3"}' % (name, name), encoding="utf-8")
            done = run("query", Path(folder, "a"), "-", "--", Path(folder, "b"), text='\n{"id":"s2"}\n')
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([(x["id"], x["line"]) for x in lines],
                         [("a1", 1), ("a3", 3), ("s2", 2), ("b1", 1), ("b3", 3)])

    def test_line_ends(self):
        plain = run("query", text=GOOD * 3).stdout
        for text in (GOOD.replace("\n", "\r\n") * 3, "\n \n\t\r\n" + GOOD * 3 + "\n\n", (GOOD * 3).rstrip("\n"),
                     "\ufeff" + GOOD * 3):
            done = run("query", text=text)
            self.assertEqual((done.stdout, done.returncode), (plain, 0))

    def test_each_answer_comes_before_the_next_query(self):
        with subprocess.Popen([GRAZE, "query"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for _ in range(3):
                process.stdin.write(GOOD.encode())
                process.stdin.flush()
                self.assertIn(b'"touching"', process.stdout.readline())
            process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def test_output_does_not_depend_on_the_number_of_threads(self):
        lines = [row["line"] for row in records("answers.jsonl")] + [row["line"] for row in records("errors.jsonl")]
        lines += [line for name in ("pairs", "compounds", "motion", "toi") for line in records(name + ".jsonl")]
        text = text_of(lines * 30)
        one = run("query", text=text)
        self.assertEqual(one.stdout.count(b"\n"), 30 * len(lines))
        for jobs in ("2", "7", "256"):
            parallel = run("query", "--jobs", jobs, text=text)
            self.assertEqual((parallel.stdout, parallel.returncode), (one.stdout, one.returncode), jobs)


class FirstUse(unittest.TestCase):
    """First use: a terminal, model files, help (issue: the command gave no hint)."""

    def test_a_terminal_gets_a_hint_before_the_first_line(self):
        main, side = pty.openpty()
        with subprocess.Popen([GRAZE, "query"], stdin=side, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            hint = process.stderr.readline() + process.stderr.readline()  # before anything is typed
            for word in (b"terminal", b"JSON Lines", b"Ctrl-D"):
                self.assertIn(word, hint)
            example = hint.splitlines()[1]
            os.write(main, example + b"\n\x04")
            out, rest = process.communicate(timeout=60)
        self.assertEqual((json.loads(out)["distance"], rest, process.returncode), (2, b"", 0))
        os.close(main)
        os.close(side)

    def test_no_hint_for_a_pipe_or_a_file(self):
        self.assertEqual(run("query", text=GOOD).stderr, b"")
        self.assertEqual(run("query", HERE / "pairs.jsonl").stderr, b"")

    def test_a_model_file_is_rejected_with_the_conversion(self):
        triangle = struct.pack("<12fH", *([0.0] * 12), 0)
        models = (("bunny.obj", b"# a comment\n\nv 0 0 0\nv 1 0 0\nf 1 2 1\n", "OBJ"), ("bunny.OBJ", b"# only a comment\n", "OBJ"),
                  ("model", b"mtllib x.mtl\nv 0 0 0\n", "OBJ"), ("part.stl", b"solid part\nendsolid part\n", "STL"),
                  ("part", b"solid\tpart\n".replace(b"\t", b" "), "STL"), ("cube.stl", b"", None),
                  ("cube", b"\0" * 80 + struct.pack("<I", 2) + triangle * 2, "STL"),
                  ("queries.obj", GOOD.encode(), None), ("queries", b"hello\n", None))
        with tempfile.TemporaryDirectory() as folder:
            for name, content, kind in models:
                path = Path(folder, name)
                path.write_bytes(content)
                for done in (run("query", path), run("query", text=content) if "." not in name else None):
                    if done is None:
                        continue
                    if kind is None:
                        self.assertEqual(done.stderr, b"", name)
                        continue
                    self.assertEqual((done.returncode, done.stdout), (2, b""), name)
                    for word in (f"an {kind} model", "JSON Lines", '{"type":"mesh","file":"FILE"}'):
                        self.assertIn(word, done.stderr.decode(), name)

    def test_every_command_rejects_a_model_file(self):
        with tempfile.TemporaryDirectory() as folder:
            model, lines = Path(folder, "x.obj"), Path(folder, "x.jsonl")
            model.write_text("v 0 0 0\n", encoding="utf-8")
            lines.write_text(GOOD, encoding="utf-8")
            for arguments in (("explain", model), ("simulate", model), ("verify", model, lines), ("verify", lines, model)):
                done = run(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
                self.assertIn(b"x.obj: an OBJ model", done.stderr, arguments)

    def test_the_files_beside_a_model_are_answered(self):
        with tempfile.TemporaryDirectory() as folder:
            model, lines = Path(folder, "x.obj"), Path(folder, "x.jsonl")
            model.write_text("v 0 0 0\n", encoding="utf-8")
            lines.write_text(GOOD, encoding="utf-8")
            done = run("query", model, lines)
        self.assertEqual((done.returncode, done.stdout.count(b"\n")), (2, 1))

    def test_help_lists_what_the_parser_accepts(self):
        text = run("query", "--help").stdout.decode()
        shapes = run("help", "shapes").stdout.decode()
        self.assertIn(shapes, text)
        accepted = query({"query": "aabb", "a": {"type": ""}})[0]["error"]["message"].split("must be ")[1]
        types = accepted.replace(" or ", ", ").split(", ")
        types_part = shapes.split("keys of shapes:")[0].splitlines()[1:]
        self.assertEqual([line.split()[0] for line in types_part], types)
        for kind in types:
            dim = 2 if kind in ("polygon", "circle", "ellipse") else 3
            message = query({"query": "aabb", "dim": dim, "a": {"type": kind, "?": 1}})[0]["error"]["message"]
            row, = (line for line in types_part if line.split()[0] == kind)
            keys = re.sub("(2D|3D| )+", " ", row[13:]).replace(" ", "").split(",")
            listed = message.split(" has ")[1].split(", ")
            self.assertEqual(listed, ["type", *filter(None, keys), "position", "rotation", "margin"], kind)
        queries = query({"query": ""})[0]["error"]["message"].split("must be ")[1].replace(" or ", ", ").split(", ")
        for name in queries:
            self.assertRegex(text, f"(?m)^   {name} ")
        guide = (ROOT / "docs/guide/command-line.md").read_text(encoding="utf-8").split("| key | meaning |")[1].split("\n\n")[0]
        for key in re.findall(r"`(\w+)`", "".join(re.findall(r"(?m)^\|([^|]*)\|", guide))):
            self.assertRegex(text.split("keys of a query:")[1].split("queries about")[0], rf"\b{key}\b")

    def test_an_object_over_several_lines_is_rejected_with_a_hint(self):
        for verb in ("query", "explain"):
            done = run(verb, "-", text=json.dumps(json.loads(GOOD), indent=2))
            self.assertIn(b"write one query per line", (done.stdout + done.stderr).splitlines()[0], verb)


class Long(unittest.TestCase):
    def test_a_long_line_is_answered(self):
        hull = '{"type":"hull","vertices":[%s]}' % ",".join("[%d,%d,%d]" % (i, i * i % 1009, i * i % 997)
                                                            for i in range(100000))
        answer, = query('{"id":1,"query":"aabb","a":%s}' % hull)
        self.assertEqual((answer["min"], answer["max"]), ([0, 0, 0], [99999, 1008, 996]))

    def test_at_the_limit_and_beyond(self):
        head = '{"id":"long","query":"intersect","a":%s,"b":%s,"why":"' % (POINT, POINT)
        fitting = head + "x" * (LONGEST - len(head) - 2) + '"}'
        self.assertEqual(len(fitting), LONGEST)
        for end in ("\n", "\r\n"):
            done = run("query", text=fitting + end + fitting.replace("x", "xx", 1) + end + "\n" + GOOD)
            first, second, third = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual(first["relation"], "touching")
            self.assertEqual((second["id"], second["line"], second["error"]["code"]), ("long", 2, "bad_json"))
            self.assertIn("64 MiB", second["error"]["message"])
            self.assertEqual(third["relation"], "touching")
            self.assertEqual(done.returncode, 1)

    def test_the_rest_of_a_very_long_line_is_skipped(self):
        for end in ("\n", ""):
            done = run("query", text='{"id":5,"x":"' + "x\\n" * (LONGEST // 2) + end + GOOD * (end != ""))
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual((lines[0]["id"], lines[0]["line"], lines[0]["error"]["code"]), (5, 1, "bad_json"))
            self.assertEqual([line["relation"] for line in lines[1:]], ["touching"] * (end != ""))

    @unittest.skipIf(sanitized(), "a sanitized program needs its address space")
    def test_memory_that_runs_out(self):
        numbers = '{"id":"m","query":"aabb","a":{"type":"hull","vertices":[%s]}}\n' % ",".join(["[0,0,0]"] * 4000000)
        size = 256 << 20
        done = run("query", text=numbers + GOOD,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)))
        first, second = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((first["id"], first["line"], first["error"]["code"]), ("m", 1, "out_of_memory"))
        self.assertEqual(second["relation"], "touching")
        self.assertEqual(done.returncode, 1)


class Help(unittest.TestCase):
    def test_help(self):
        overview = run("--help")
        self.assertEqual(overview.returncode, 0)
        self.assertEqual(run("-h").stdout, overview.stdout)
        self.assertEqual(run("help").stdout, overview.stdout)
        for verb, option in (("query", b"--jobs N"), ("verify", b"--json")):
            self.assertIn(verb.encode(), overview.stdout)
            text = run(verb, "--help")
            self.assertEqual((text.returncode, text.stderr), (0, b""))
            self.assertIn(option, text.stdout)
            self.assertEqual(run("help", verb).stdout, text.stdout)
            self.assertEqual(run(verb, "-h").stdout, text.stdout)

    def test_help_fits_a_terminal(self):
        for arguments in (("--help",), *((verb, "--help") for verb in ("query", "verify", "simulate", "explain"))):
            for line in run(*arguments).stdout.decode().splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_version_is_that_of_the_header(self):
        header = (ROOT / "include/graze/graze.h").read_text(encoding="utf-8")
        version = header.split('#define GRAZE_VERSION "')[1].split('"')[0]
        self.assertEqual(run("--version").stdout.decode(), "graze %s\n" % version)

    def test_data_files_are_json(self):
        self.assertTrue(all(records(path.name) for path in HERE.glob("*.jsonl")))
