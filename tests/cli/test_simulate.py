"""`graze simulate`: options, counts and output files. No test depends on measured times."""
import csv
import io
import itertools
import json
import os
import pty
import re
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from commands import GRAZE
from runs import BOX, COLUMNS, SCENES, played, scene, simulate, summary_of, timeless


class Options(unittest.TestCase):
    def test_a_failed_run_leaves_files_as_they_were(self):
        fast = scene({"velocity": [1e40, 0, 0]}, dt=1e40)
        with tempfile.TemporaryDirectory() as folder:
            old, new = Path(folder, "old"), Path(folder, "new")
            old.write_text("kept", encoding="utf-8")
            self.assertEqual(simulate("--json", old, "--html", new, "-", text=fast).returncode, 1)
            self.assertEqual((old.read_text(encoding="utf-8"), new.exists()), ("kept", False))
            self.assertEqual(simulate("--json", old, "--html", "/nowhere/x").returncode, 2)
            self.assertEqual(old.read_text(encoding="utf-8"), "kept")
            old.write_text("x" * 100_000, encoding="utf-8")
            self.assertEqual(simulate("--json", old, "-", text=scene({})).returncode, 0)
            json.loads(old.read_text(encoding="utf-8"))  # nothing of the old content remains

    def test_no_file_is_used_for_two_things(self):
        """Issue: a run overwrote the scene that it had read."""
        with tempfile.TemporaryDirectory() as folder:
            path, link, out = (Path(folder, name) for name in ("s.json", "link", "out"))
            path.write_text(scene({}), encoding="utf-8")
            link.symlink_to(path)
            with open(path, "rb") as text, open(out, "wb") as to:
                for arguments, options, message in [
                        *((("--json", file, path), {}, f"option --json: the same file as the input ({file}), must be another file")
                          for file in (path, f"{folder}/./s.json", link)),
                        (("--html", path, "-"), {"stdin": text}, f"option --html: the same file as the input ({path}), must be another file"),
                        (("--json", "x", "--html", "./x"), {}, "option --html: the same file as --json (./x), must be another file"),
                        (("--json", "out"), {"stdout": to}, "option --json: the same file as standard output (out), must be another file")]:
                    options = {"stdout": subprocess.PIPE, **options}
                    done = subprocess.run([GRAZE, "simulate", *arguments], stderr=subprocess.PIPE, cwd=folder, **options)
                    self.assertEqual((done.returncode, done.stderr.decode()), (2, f"graze: simulate: {message}\n"))
            self.assertEqual(path.read_text(encoding="utf-8"), scene({}))
            self.assertEqual(sorted(os.listdir(folder)), ["link", "out", "s.json"])

    def test_standard_error_may_be_a_file(self):
        self.assertEqual(simulate("--count", "1", "--steps", "1", "--json", "/dev/null").returncode, 0)
        done = simulate("--count", "1", "--steps", "1", "--json", "/dev/stderr")
        self.assertEqual((done.returncode, json.loads(done.stderr)["summary"]["steps"]), (0, 1))

    def test_closed_standard_output(self):
        """Issue: the error was reported twice. The first opened file must not get the descriptor of standard output."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x")
            done = subprocess.run(["sh", "-c", '"$1" simulate --count 5 --steps 5 --json "$2" >&-', "sh", GRAZE, path],
                                  stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (2, b"graze: standard output: cannot write (Bad file descriptor)\n"))
            json.loads(path.read_text(encoding="utf-8"))

    def test_control_characters_are_not_printed(self):
        text = simulate("-", text=scene({}, title="a\x1b[31m\x7f\x85b\u00e9")).stdout.decode()
        self.assertEqual(text.splitlines()[0], "a\\u001b[31m\\u007f\\u0085b\u00e9")
        for wrong in (scene({"\x1b[2J": 1}), scene({}, **{"\x1b": 1}), scene({"shape": {**BOX, "\x07": 1}})):
            self.assertFalse(set(simulate("-", text=wrong).stderr[:-1]) & {*range(32), 127}, wrong)


class Running(unittest.TestCase):
    """A long run: its bar on a terminal, and interrupts."""

    def start(self, *arguments, terminal=None, **options):
        """Starts a process. `terminal`: the environment of a process with a terminal on standard error; also returns the
        other end of the terminal."""
        ours, theirs = pty.openpty() if terminal is not None else (None, subprocess.PIPE)
        if terminal is not None:
            options["env"] = {"TERM": "xterm", **terminal}
        process = subprocess.Popen([GRAZE, "simulate", *map(str, arguments)], stdout=subprocess.PIPE, stderr=theirs, **options)
        if ours is not None:
            os.close(theirs)
            self.addCleanup(os.close, ours)
        return process, ours

    def wait(self, process, seconds):
        """Sleeps until the process has used this CPU time; the bar is shown after 0.3 s."""
        while process.poll() is None:
            with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
                numbers = file.read().rpartition(")")[2].split()
            if (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK") > seconds:
                return
            time.sleep(0.02)

    def interrupt(self, process):
        process.send_signal(signal.SIGINT)
        return process.communicate(timeout=120)

    def rest(self, terminal):
        """The remaining output, after the process has ended."""
        seen = b""
        try:
            while more := os.read(terminal, 10000):
                seen += more
        except OSError:  # the other end is closed
            pass
        return seen

    def test_a_bar_on_a_terminal(self):
        process, terminal = self.start("--count", "50", "--steps", "1000000", terminal={})
        seen = b""
        while seen.count(b"of 1000000 steps") < 2:
            seen += os.read(terminal, 1000)
        text, _ = self.interrupt(process)
        seen += self.rest(terminal)
        self.assertTrue(seen.startswith(b"\r[") and seen.endswith(b"\r\033[K"), seen)
        self.assertIn(b", then interrupted", text)

    def test_no_bar_elsewhere(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}, None):
            process, terminal = self.start("--count", "50", "--steps", "1000000", terminal=environment)
            self.wait(process, 0.5)
            text, errors = self.interrupt(process)
            self.assertIn(b", then interrupted", text)
            self.assertEqual(errors if terminal is None else self.rest(terminal), b"", environment)

    def test_the_bar_advances_while_all_pairs_are_tested(self):
        """Issue: the bar of --compare stood still for half of the time."""
        process, terminal = self.start("--compare", "--steps", "10000", terminal={})
        seen, found = b"", None
        while not found:
            seen += os.read(terminal, 1000)
            done = [int(part) for part in re.findall(rb"\] (\d+) of", seen)]
            found = [x for x in done if 10000 < x < 20000]  # all pairs of the first scene
            self.assertLess(max(done, default=0), 30000, "the bar has passed them by")
        process.send_signal(signal.SIGINT)
        self.rest(terminal)
        process.communicate(timeout=60)

    def test_an_ignored_interrupt_stays_ignored(self):
        """As in the background of a script, or by nohup."""
        process, _ = self.start("--count", "200", "--steps", "100",
                                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        self.wait(process, 0.05)
        text, _ = self.interrupt(process)
        self.assertEqual(process.returncode, 0)
        self.assertNotIn(b"interrupted", text)

    def test_an_interrupted_run_writes_its_results(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "file")
            process, _ = self.start("--count", "300", "--steps", "1000000", "--json", path)
            self.wait(process, 0.2)
            text, errors = self.interrupt(process)
            self.assertEqual((process.returncode, errors), (130, b""))
            self.assertIn(b", then interrupted", text)
            summary = json.loads(path.read_text(encoding="utf-8"))["summary"]
        self.assertTrue(summary["interrupted"] and 0 < summary["steps"] < 1000000)


class Cubes(unittest.TestCase):
    def test_the_table_names_every_parameter(self):
        done = simulate("--count", "20", "--steps", "5", "--spin", "--seed", "7")
        text = done.stdout.decode()
        self.assertEqual((done.returncode, done.stderr, text.splitlines()[0]), (0, b"", "20 moving cubes"))
        for name in ("cubes", "seed", "half edges", "speeds", "rotation", "arena", "time per step", "method", "response",
                     "threads", "ms per step, mean", "ms per step, median", "ms per step, p99", "pairs per step",
                     "contacts begun", "missed against exact"):
            self.assertIn(f"\n  {name:26} ", text)

    def test_rows(self):
        done = simulate("--count", "60", "--steps", "30", "--csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual(list(rows[0]), ["step", "t", "ms"] + COLUMNS)
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, 31)))
        self.assertEqual(float(rows[29]["t"]), 0.5)
        same = summary_of("--count", "60", "--steps", "30")["rows"]
        for name in COLUMNS:
            self.assertEqual([int(row[name]) for row in rows], [row[name] for row in same])

    def test_equal_options_give_equal_numbers(self):
        for more in ((), ("--spin", "--respond", "bounce"), ("--method", "discrete", "--respond", "slide")):
            arguments = ("--count", "80", "--steps", "30", "--seed", "3", *more)
            self.assertEqual(timeless(summary_of(*arguments)), timeless(summary_of(*arguments)))

    def test_seed_spin_and_response_change_nothing_else(self):
        plain, spinning, bouncing, other = (summary_of("--count", "30", "--steps", "1", *more)["bodies"]
                                            for more in ((), ("--spin",), ("--respond", "bounce"), ("--seed", "2")))
        self.assertEqual([body["velocity"] for body in plain], [body["velocity"] for body in spinning])
        self.assertEqual(plain, bouncing, "cubes begin apart")
        self.assertNotEqual(plain, other)

    def test_cubes_stay_in_the_arena_at_their_speeds(self):
        for body in summary_of("--count", "40", "--steps", "300")["bodies"]:
            self.assertTrue(all(abs(x) < 4.6417 + 10 / 60 for x in body["position"]), body)
            self.assertTrue(1 <= sum(v * v for v in body["velocity"]) ** 0.5 <= 10)

    def test_methods_find_the_same_and_discrete_misses_some(self):
        sampled, *every = (summary_of("--count", "200", "--steps", "150", "--method", method)["summary"]
                           for method in ("discrete", "auto", "fccd", "sweep", "lccd", "ca"))
        self.assertEqual({(each["contacts"], each["missed"]) for each in every}, {(every[0]["contacts"], 0)})
        self.assertGreater(sampled["missed"], 0)
        self.assertEqual(sampled["contacts"] + sampled["missed"], every[0]["contacts"])

    def test_meshes_in_place_of_cubes(self):
        counts = {}
        for more in ((), ("--spin",), ("--respond", "bounce"), ("--method", "discrete")):
            found = summary_of("--meshes", "--count", "150", "--steps", "60", *more)
            counts[more] = found["summary"]["missed"]
            self.assertGreater(found["summary"]["contacts"], 10)
        self.assertGreater(counts.pop(("--method", "discrete")), 0)
        self.assertEqual(set(counts.values()), {0}, counts)

    def test_nothing_is_missed_with_responses_and_spin(self):
        for respond, method in itertools.product(("stop", "slide", "bounce"), ("auto", "sweep", "ca")):
            found = summary_of("--count", "100", "--steps", "60", "--spin", "--respond", respond, "--method", method)
            self.assertEqual(found["summary"]["missed"], 0, (respond, method))
            self.assertGreater(found["summary"]["responses"], 0)


class Pages(unittest.TestCase):
    def check(self, page, size):
        self.assertEqual(page["kind"], "simulation")
        self.assertLess(size, 10_000_000)
        flat, end = page["dim"] == 2, page["dt"] * page["steps"]
        for shape in page["shapes"]:
            self.assertEqual(set(shape), {"outlines"} if flat else {"vertices", "faces"})
            self.assertTrue(all(0 <= i < len(shape["vertices"]) for face in shape.get("faces", []) for i in face))
        for body in page["bodies"]:
            self.assertLess(body["shape"], len(page["shapes"]))
            self.assertIn(body["type"], ("dynamic", "kinematic", "static", "sensor"))
            self.assertTrue(all(len(key) == (8 if flat else 14) for key in body["keys"]))
            times, red = [key[0] for key in body["keys"]], [t for interval in body["red"] for t in interval]
            self.assertEqual((times[0], times, red), (0, sorted(set(times)), sorted(red)))
            self.assertTrue(all(0 <= t <= end * 1.000001 for t in red))
        self.assertTrue(all(len(contact) in (3, 7 if flat else 9) for contact in page["contacts"]))
        self.assertTrue(all(len(miss) == 3 for miss in page["missed"]))

    def test_of_the_examples(self):
        for path in sorted(SCENES.glob("*.json")):
            with self.subTest(path.name):
                page, size = played("--steps", "30", path)
                self.check(page, size)
                self.assertEqual(len(page["bodies"]), len(json.loads(path.read_text(encoding="utf-8"))["bodies"]))

    def test_of_500_cubes(self):
        for more in ((), ("--spin", "--respond", "bounce")):
            page, size = played(*more)
            self.check(page, size)
            self.assertTrue(any(body["red"] for body in page["bodies"]))

    def assert_end(self, body, end, time, digits):
        """Played to the end, a body is where the run left it."""
        t, *numbers = body["keys"][-1]
        for i in range(3):
            self.assertAlmostEqual(numbers[i] + (time - t) * numbers[7 + i], end["position"][i], digits)

    def test_keyframes_describe_the_motion(self):
        arguments = ("--count", "40", "--steps", "200", "--respond", "bounce")
        ends, (page, _) = summary_of(*arguments)["bodies"], played(*arguments)
        for body, end in zip(page["bodies"], ends, strict=True):
            self.assert_end(body, end, 200 / 60, 4)

    def test_a_bounce_turns_where_it_happens(self):
        wall = {"type": "static", "shape": {**BOX, "position": [4, 0, 0]}}
        page, _ = played("-", text=scene({"velocity": [192, 0, 0]}, wall, respond="bounce", dt=0.015625, steps=2))
        keys = [key[:4] + key[8:9] for key in page["bodies"][0]["keys"]]
        self.assertEqual(len(keys), 2, "the beginning and the contact")
        self.assertAlmostEqual(keys[1][4], -192, 1)
        self.assertAlmostEqual(keys[1][0], 2 / 192, 6)
        self.assertAlmostEqual(keys[1][1], 2, 4)
        self.assertEqual(page["bodies"][0]["red"], [[keys[1][0], 0.015625]])
        (t, a, b, x, *_rest), = page["contacts"]
        self.assertEqual((a, b, x), (0, 1, 3))

    def test_digits_are_those_that_bodies_and_steps_need(self):
        """Issue: with seven digits, a cube far from the origin jumped between positions, and times of steps were equal."""
        small = {"velocity": [0.3, 0.1, 0], "shape": {"type": "box", "half_extents": [0.1, 0.1, 0.1],
                                                      "position": [1e6, 1e6, -1e6]}}
        wall = {"type": "static", "shape": {"type": "box", "half_extents": [0.5, 9, 9], "position": [1e6 + 0.7, 1e6, -1e6]}}
        text = scene(small, wall, respond="bounce", steps=50)
        (page, _), found = played("-", text=text), summary_of("-", text=text)
        self.assertEqual(page["bodies"][0]["keys"][0][1:4], [1e6, 1e6, -1e6])
        self.assert_end(page["bodies"][0], found["bodies"][0], 50 / 60, 6)
        (t, _, _, x, *_), (reported_t, _, _, point, _) = page["contacts"][0], found["contacts"][0]
        self.assertAlmostEqual(x, point[0], 6)
        self.assertAlmostEqual(t, reported_t, 6)

    def test_steps_of_a_long_run_have_times_of_their_own(self):
        grain = {"type": "box", "half_extents": [0.1, 0.1, 0.1]}
        page, _ = played("-", text=scene(
            {"shape": grain}, {"type": "kinematic", "velocity": [7.001, 0, 0],
                               "shape": {**grain, "position": [-7000.2, 0, 0]}}, dt=0.001, steps=1_000_000))
        (t, *_), = page["contacts"]
        self.assertAlmostEqual(t, 7000 / 7.001, 7)

    def test_names_are_safe_in_a_page(self):
        page, _ = played("-", text=scene({"name": "</script><b>"}))
        self.assertEqual(page["bodies"][0]["name"], "</script><b>")


class Compare(unittest.TestCase):
    def test_compare(self):
        methods = ["fccd", "lccd", "sweep", "ca", "discrete"]
        with tempfile.TemporaryDirectory() as folder:
            json_file, svg = (Path(folder, name) for name in ("json", "svg"))
            done = simulate("--compare", "--steps", "4", "--json", json_file, "--svg", svg, "--seed", 2 ** 64 - 1)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            found = json.loads(json_file.read_text(encoding="utf-8"))
            picture = xml.parse(svg).getroot()
        self.assertEqual(found["seed"], 2 ** 64 - 1)
        self.assertEqual([(row["count"], row["method"]) for row in found["rows"]],
                         list(itertools.product(range(50, 501, 50), methods)))
        self.assertEqual({row["missed"] for row in found["rows"] if row["method"] != "discrete"}, {0})
        lines = done.stdout.decode().splitlines()
        for count in range(50, 501, 50):
            self.assertEqual(sum(line.split()[:1] == [str(count)] for line in lines), 2)
        self.assertLessEqual(max(map(len, lines)), 110)
        texts = {"".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({*methods, "all pairs", "broad phase", "cubes", "ms per step, median"}, texts)
        self.assertIn("milliseconds per step, median", lines[0])

    def test_rows(self):
        done = simulate("--compare", "--steps", "1", "--csv")
        names, *rows = csv.reader(io.StringIO(done.stdout.decode()))
        self.assertEqual((names, len(rows)), (["count", "method", "all_pairs_ms", "scene_ms", "contacts", "missed"], 50))
