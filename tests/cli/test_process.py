"""`graze` as a process: exit statuses, files and streams, threads, long lines, memory that runs out, help."""
import json
import os
import resource
import subprocess
import tempfile
import unittest
from pathlib import Path

from commands import GRAZE, HERE, ROOT, query, records, run, text_of

POINT = '{"type":"point"}'
GOOD = '{"query":"intersect","a":%s,"b":%s}\n' % (POINT, POINT)
LONGEST = 64 << 20


def sanitized():
    """Sanitizers reserve more address space than a limit would leave."""
    return b"__asan_init" in Path(GRAZE).read_bytes() or b"__tsan_init" in Path(GRAZE).read_bytes()


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
                said = done.stderr.decode().splitlines()
                self.assertEqual((done.returncode, done.stdout, said[0]), (2, b"", "graze: " + row["message"]))
                self.assertEqual(len(said), row.get("lines", len(said)))

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
            self.assertEqual((done.returncode, done.stderr), (2, b"graze: cannot write: No space left on device\n"), arguments)


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

    def test_each_answer_comes_before_the_next_question(self):
        with subprocess.Popen([GRAZE, "query"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            for _ in range(3):
                process.stdin.write(GOOD.encode())
                process.stdin.flush()
                self.assertIn(b'"touching"', process.stdout.readline())
            process.stdin.close()
            self.assertEqual(process.wait(), 0)

    def test_output_does_not_depend_on_the_number_of_threads(self):
        lines = [row["ask"] for row in records("answers.jsonl")] + [row["line"] for row in records("errors.jsonl")]
        lines += [line for name in ("pairs", "compounds", "motion", "toi") for line in records(name + ".jsonl")]
        text = text_of(lines * 30)
        one = run("query", text=text)
        self.assertEqual(one.stdout.count(b"\n"), 30 * len(lines))
        for jobs in ("2", "7", "256"):
            many = run("query", "--jobs", jobs, text=text)
            self.assertEqual((many.stdout, many.returncode), (one.stdout, one.returncode), jobs)


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
