"""`graze simulate`: options, what is counted, what is written. Never times."""
import csv
import io
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from commands import GRAZE, run
from runs import BOX, COLUMNS, SCENES, played, scene, simulate, timeless, told, written


class Options(unittest.TestCase):
    def test_usage(self):
        file = SCENES / "bullets.json"
        for arguments, said in [
                (("--count", "0"), "simulate: --count 0: not a whole number from 1 to 10000"),
                (("--count", "10001"), "simulate: --count 10001: not a whole number from 1 to 10000"),
                (("--count", "-1"), "simulate: --count -1: not a whole number from 1 to 10000"),
                (("--count", "5x"), "simulate: --count 5x: not a whole number from 1 to 10000"),
                (("--steps", "0"), "simulate: --steps 0: not a whole number from 1 to 1000000"),
                (("--seed", "x"), "simulate: --seed x: not a whole number from 0 to 18446744073709551615"),
                (("--seed", "18446744073709551616"),
                 "simulate: --seed 18446744073709551616: not a whole number from 0 to 18446744073709551615"),
                (("--method", "fcdd"), "simulate: --method fcdd: not one of auto, fccd, sweep, lccd, ca and discrete "
                                       '(did you mean "fccd"?)'),
                (("--respond", "jump"), "simulate: --respond jump: not one of none, stop, slide and bounce"),
                (("--sped",), 'simulate: unknown option --sped (did you mean "--seed"?)'),
                (("--jsn", "x"), 'simulate: unknown option --jsn (did you mean "--json"?)'),
                (("--method", "FCCD"), "simulate: --method FCCD: not one of auto, fccd, sweep, lccd, ca and discrete "
                                       '(did you mean "fccd"?)'),
                ((file, file), "simulate: one scene at a time"),
                (("--count", "5", file),
                 "simulate: --count, --seed and --spin are about the cubes; a scene file has its own bodies"),
                (("--json", "-"),
                 "simulate: --json, --html and --svg write into a file; - is none, and the table goes there"),
                (("--json", "x", "--html", "x"), "simulate: two options name the same file"),
                (("--svg", "x"), "simulate: --svg draws what --compare measures; --html shows a run"),
                (("--compare", "--html", "x"), "simulate: --html shows one run; --compare has --svg"),
                (("--compare", "--spin"), "simulate: --compare takes no scene, count, method, response or spin: it runs "
                                          "through counts and methods")]:
            with self.subTest(arguments):
                done = simulate(*arguments)
                self.assertEqual((done.returncode, done.stdout), (2, b""))
                self.assertEqual(done.stderr.decode().splitlines()[0], "graze: " + said)

    def test_2_for_files(self):
        for arguments, said in [(("/nowhere/scene.json",), "cannot read /nowhere/scene.json: No such file or directory"),
                                (("/",), "cannot read /: Is a directory"),
                                (("--json", "/nowhere/x"), "cannot write /nowhere/x: No such file or directory"),
                                (("--html", "/"), "cannot write /: Is a directory"),
                                (("--compare", "--svg", "/nowhere/x"),
                                 "cannot write /nowhere/x: No such file or directory")]:
            done = simulate(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, b""), arguments)
            self.assertEqual(done.stderr.decode(), f"graze: {said}\n")

    def test_what_cannot_be_written_is_told_before_the_run(self):
        """Which would take longer than any command may."""
        done = simulate("--count", "2000", "--steps", "1000000", "--html", "/nowhere/x")
        self.assertEqual(done.returncode, 2)

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
            json.loads(old.read_text(encoding="utf-8"))  # nothing of what was there is left behind it

    def test_no_file_is_used_for_two_things(self):
        """A scene was overwritten that its own run should be written to."""
        with tempfile.TemporaryDirectory() as folder:
            path, link = Path(folder, "s.json"), Path(folder, "link")
            path.write_text(scene({}), encoding="utf-8")
            link.symlink_to(path)
            for file in (path, f"{folder}/./s.json", link):
                done = simulate("--json", file, path)
                self.assertEqual((done.returncode, done.stderr.decode()),
                                 (2, f"graze: simulate: --json {file}: the scene is read from it\n"))
            with open(path, "rb") as text:
                done = subprocess.run([GRAZE, "simulate", "--html", path, "-"], stdin=text, capture_output=True)
            self.assertIn(b"the scene is read from it", done.stderr)
            self.assertEqual(path.read_text(encoding="utf-8"), scene({}))
            done = simulate("--json", "x", "--html", "./x", cwd=folder)
            self.assertEqual((done.returncode, done.stderr),
                             (2, b"graze: simulate: --html ./x: the same file as --json\n"))
            with open(Path(folder, "out"), "wb") as out:
                done = subprocess.run([GRAZE, "simulate", "--json", "out"], stdout=out, stderr=subprocess.PIPE,
                                      cwd=folder)
            self.assertEqual((done.returncode, done.stderr),
                             (2, b"graze: simulate: --json out: standard output goes there\n"))
            self.assertEqual(sorted(os.listdir(folder)), ["link", "out", "s.json"])

    def test_a_pipe_is_not_used_for_two_things(self):
        """JSON and the table went into it one after the other."""
        for option in ("--json", "--html"):
            done = simulate("--steps", "1", option, "/dev/stdout")
            self.assertEqual((done.returncode, done.stdout, done.stderr.decode()),
                             (2, b"", f"graze: simulate: {option} /dev/stdout: standard output goes there\n"))
        self.assertEqual(simulate("--count", "1", "--steps", "1", "--json", "/dev/null").returncode, 0)
        done = simulate("--count", "1", "--steps", "1", "--json", "/dev/stderr")  # another pipe
        self.assertEqual((done.returncode, json.loads(done.stderr)["summary"]["steps"]), (0, 1))

    def test_closed_standard_output(self):
        """It was said twice; and the first file that is opened must not take its place."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "x")
            done = subprocess.run(["sh", "-c", '"$1" simulate --count 5 --steps 5 --json "$2" >&-', "sh", GRAZE, path],
                                  stderr=subprocess.PIPE)
            self.assertEqual((done.returncode, done.stderr), (2, b"graze: cannot write: Bad file descriptor\n"))
            json.loads(path.read_text(encoding="utf-8"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_2_when_output_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([GRAZE, "simulate", "--count", "1", "--steps", "1"], stdout=full,
                                  stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, b"graze: cannot write: No space left on device\n")

    def test_help_fits_a_terminal(self):
        done = simulate("--help")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        for line in done.stdout.decode().splitlines():
            self.assertLessEqual(len(line), 100, line)

    def test_no_bar_where_nobody_sees_it(self):
        with subprocess.Popen([GRAZE, "simulate", "--count", "50", "--steps", "1000000"], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            run_for(process, 1)
            process.send_signal(signal.SIGINT)
            text, errors = process.communicate(timeout=60)
        self.assertIn(b", then interrupted", text)
        self.assertEqual(errors, b"")

    def test_the_method_is_told_as_it_was(self):
        """Bodies that turn are no matter of fccd: they were asked by auto, and the table did not say so."""
        turning, still = {"angular_velocity": [0, 0, 1]}, {}
        path = {"path": [{"t": 0, "position": [0, 0, 0]}, {"t": 1, "position": [0, 0, 0], "rotation": [1, 0, 0, 1]}]}
        for body, method, expected in [(still, "fccd", "fccd"), (turning, "fccd", "fccd (auto where bodies turn)"),
                                       (path, "fccd", "fccd (auto where bodies turn)"), (turning, "auto", "auto"),
                                       (still, "lccd", "lccd"), (turning, "lccd",
                                                                 "lccd (auto for all but boxes that neither turn nor "
                                                                 "respond)")]:
            facts = dict(told("--method", method, "-", text=scene(body, {"type": "static"}))["parameters"])
            self.assertEqual(facts["method"], expected)

    def test_control_characters_do_not_reach_the_terminal(self):
        text = simulate("-", text=scene({}, title="a\x1b[31m\x7f\x85b\u00e9")).stdout.decode()
        self.assertEqual(text.splitlines()[0], "a\\u001b[31m\\u007f\\u0085b\u00e9")
        for wrong in (scene({"\x1b[2J": 1}), scene({}, **{"\x1b": 1}), scene({"shape": {**BOX, "\x07": 1}})):
            self.assertFalse(set(simulate("-", text=wrong).stderr[:-1]) & {*range(32), 127}, wrong)

    def test_the_command_line_goes_before_the_file(self):
        text = scene({}, steps=9, method="ca", respond="stop")
        for arguments, expected in [((), (9, "ca", "stop")), (("--steps", "2"), (2, "ca", "stop")),
                                    (("--method", "fccd", "--respond", "bounce"), (9, "fccd", "bounce"))]:
            facts = dict(told(*arguments, "-", text=text)["parameters"])
            self.assertEqual((int(facts["steps"]), facts["method"], facts["response"]), expected)


def run_for(process, seconds):
    """Until the process has computed for so long; the bar comes after 0.3 s."""
    while process.poll() is None:
        with open(f"/proc/{process.pid}/stat", encoding="utf-8") as file:
            numbers = file.read().rpartition(")")[2].split()
        if (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK") > seconds:
            return
        time.sleep(0.05)


class Cubes(unittest.TestCase):
    def test_the_table_names_every_parameter(self):
        done = simulate("--count", "20", "--steps", "5", "--spin", "--seed", "7")
        text = done.stdout.decode()
        self.assertEqual((done.returncode, done.stderr, text.splitlines()[0]), (0, b"", "20 moving cubes"))
        for name in ("cubes", "seed", "half edges", "speeds", "turning", "room", "time per step", "method", "response",
                     "threads", "ms per step, mean", "ms per step, median", "ms per step, p99", "pairs per step",
                     "contacts begun", "missed against exact"):
            self.assertIn(f"\n  {name:26} ", text)

    def test_rows(self):
        done = simulate("--count", "60", "--steps", "30", "--csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual(list(rows[0]), ["step", "t", "ms"] + COLUMNS)
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, 31)))
        self.assertEqual(float(rows[29]["t"]), 0.5)
        same = told("--count", "60", "--steps", "30")["rows"]
        for name in COLUMNS:
            self.assertEqual([int(row[name]) for row in rows], [row[name] for row in same])

    def test_equal_options_give_equal_numbers(self):
        for more in ((), ("--spin", "--respond", "bounce"), ("--method", "discrete", "--respond", "slide")):
            arguments = ("--count", "80", "--steps", "60", "--seed", "3", *more)
            self.assertEqual(timeless(told(*arguments)), timeless(told(*arguments)))
        one, other = (told("--count", "5", "--steps", "1", "--seed", seed)["bodies"] for seed in ("1", "2"))
        self.assertNotEqual(one, other)

    def test_spin_and_response_change_nothing_else(self):
        plain, spinning, bouncing = (told("--count", "30", "--steps", "1", *more)["bodies"]
                                     for more in ((), ("--spin",), ("--respond", "bounce")))
        self.assertEqual([body["velocity"] for body in plain], [body["velocity"] for body in spinning])
        self.assertEqual(plain, bouncing, "cubes begin apart")

    def test_cubes_stay_in_the_room_at_their_speeds(self):
        for body in told("--count", "40", "--steps", "300")["bodies"]:
            self.assertTrue(all(abs(x) < 4.6417 + 10 / 60 for x in body["position"]), body)
            self.assertTrue(1 <= sum(v * v for v in body["velocity"]) ** 0.5 <= 10)

    def test_methods_find_the_same_and_discrete_misses_some(self):
        every = {method: told("--count", "200", "--steps", "150", "--method", method)["summary"]
                 for method in ("auto", "fccd", "sweep", "lccd", "ca", "discrete")}
        sampled = every.pop("discrete")
        self.assertEqual({(each["contacts"], each["missed"]) for each in every.values()},
                         {(every["auto"]["contacts"], 0)})
        self.assertGreater(sampled["missed"], 0)
        self.assertEqual(sampled["contacts"] + sampled["missed"], every["auto"]["contacts"])

    def test_nothing_is_missed_with_responses_and_spin(self):
        for respond in ("stop", "slide", "bounce"):
            for method in ("auto", "sweep", "ca"):
                summary = told("--count", "100", "--steps", "60", "--spin", "--respond", respond, "--method",
                               method)["summary"]
                self.assertEqual(summary["missed"], 0, (respond, method))
                self.assertGreater(summary["responses"], 0)

    def on_a_terminal(self, *arguments, **environment):
        """The process, and the other end of the terminal that it has for standard error."""
        ours, theirs = pty.openpty()
        process = subprocess.Popen([GRAZE, "simulate", *arguments], stdout=subprocess.PIPE, stderr=theirs,
                                   env={"TERM": "xterm", **environment})
        os.close(theirs)
        return process, ours

    def test_a_bar_on_a_terminal(self):
        process, terminal = self.on_a_terminal("--count", "50", "--steps", "1000000")
        seen = b""
        while seen.count(b"of 1000000 steps") < 2:
            seen += os.read(terminal, 1000)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=60)
        seen += os.read(terminal, 10000)
        os.close(terminal)
        self.assertTrue(seen.startswith(b"\r[") and seen.endswith(b"\r\033[K"), seen)
        self.assertIn(b", then interrupted", text)

    def test_no_bar_where_it_is_not_wanted(self):
        for environment, bar in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
            process, terminal = self.on_a_terminal("--count", "50", "--steps", "1000000", **environment)
            run_for(process, 1)
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
            seen = b""
            try:
                while more := os.read(terminal, 10000):
                    seen += more
            except OSError:  # nothing more was written, and nobody can
                pass
            os.close(terminal)
            self.assertEqual(b"\r[" in seen, bar, (environment, seen))
            self.assertTrue(bar or seen == b"", seen)

    def test_the_bar_goes_on_while_all_pairs_are_tested(self):
        """Of --compare it stood still for half of the time: its steps were told all at once."""
        process, terminal = self.on_a_terminal("--compare", "--steps", "40000")
        seen, found = b"", None
        while not found:
            seen += os.read(terminal, 1000)
            done = [int(part) for part in re.findall(rb"\] (\d+) of", seen)]
            found = [x for x in done if 40000 < x < 80000]  # the first scene is done, then come all its pairs
            self.assertLess(max(done, default=0), 120000, "the bar has passed them by")
        process.send_signal(signal.SIGINT)
        while True:
            try:
                if not os.read(terminal, 10000):
                    break
            except OSError:
                break
        process.communicate(timeout=60)
        os.close(terminal)

    def test_an_interrupt_that_is_ignored_stays_so(self):
        """As for what runs in the background of a script, or by nohup."""
        process = subprocess.Popen([GRAZE, "simulate", "--count", "200", "--steps", "400"], stdout=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        run_for(process, 0.05)
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0)
        self.assertNotIn(b"interrupted", text)

    def test_an_interrupt_tells_what_was_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "file")
            process = subprocess.Popen([GRAZE, "simulate", "--count", "300", "--steps", "1000000", "--json", path],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            run_for(process, 0.5)
            process.send_signal(signal.SIGINT)
            text, errors = process.communicate(timeout=60)
            self.assertEqual((process.returncode, errors), (130, b""))
            self.assertIn(b", then interrupted", text)
            summary = json.loads(path.read_text(encoding="utf-8"))["summary"]
            self.assertTrue(summary["interrupted"])
            self.assertTrue(0 < summary["steps"] < 1000000)


class Pages(unittest.TestCase):
    def check(self, page):
        self.assertEqual(page["kind"], "simulation")
        flat = page["dim"] == 2
        end = page["dt"] * page["steps"]
        for shape in page["shapes"]:
            self.assertEqual(set(shape), {"outlines"} if flat else {"vertices", "faces"})
            if not flat:
                self.assertTrue(all(0 <= i < len(shape["vertices"]) for face in shape["faces"] for i in face))
        for body in page["bodies"]:
            self.assertLess(body["shape"], len(page["shapes"]))
            self.assertIn(body["type"], ("dynamic", "kinematic", "static", "sensor"))
            self.assertTrue(all(len(key) == (8 if flat else 14) for key in body["keys"]))
            times = [key[0] for key in body["keys"]]
            self.assertEqual(times[0], 0)
            self.assertEqual(times, sorted(set(times)))
            red = [t for interval in body["red"] for t in interval]
            self.assertEqual(red, sorted(red))
            self.assertTrue(all(0 <= t <= end * 1.000001 for t in red))
        self.assertTrue(all(len(contact) in (3, 7 if flat else 9) for contact in page["contacts"]))
        self.assertTrue(all(len(miss) == 3 for miss in page["missed"]))

    def test_of_the_examples(self):
        for path in sorted(SCENES.glob("*.json")):
            with self.subTest(path.name):
                page, size = played("--steps", "30", path)
                self.check(page)
                self.assertEqual(len(page["bodies"]), len(json.loads(path.read_text(encoding="utf-8"))["bodies"]))
                self.assertLess(size, 10_000_000)

    def test_of_500_cubes(self):
        for more in ((), ("--spin", "--respond", "bounce")):
            page, size = played(*more)
            self.check(page)
            self.assertLess(size, 10_000_000)
            self.assertTrue(any(body["red"] for body in page["bodies"]))

    def test_keys_tell_the_way(self):
        """Played to the end, a body is where the run left it."""
        arguments = ("--count", "40", "--steps", "200", "--respond", "bounce")
        ends, (page, _) = told(*arguments)["bodies"], played(*arguments)
        for body, end in zip(page["bodies"], ends):
            t, *numbers = body["keys"][-1]
            for i in range(3):
                self.assertAlmostEqual(numbers[i] + (200 / 60 - t) * numbers[7 + i], end["position"][i], 4)

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
        """With seven digits, a cube far from the origin jumped from one place to another, and steps fell together."""
        small = {"velocity": [0.3, 0.1, 0], "shape": {"type": "box", "half_extents": [0.1, 0.1, 0.1],
                                                      "position": [1e6, 1e6, -1e6]}}
        wall = {"type": "static", "shape": {"type": "box", "half_extents": [0.5, 9, 9], "position": [1e6 + 0.7, 1e6, -1e6]}}
        text = scene(small, wall, respond="bounce", steps=50)
        (page, _), found = played("-", text=text), told("-", text=text)
        first, last = page["bodies"][0]["keys"][0], page["bodies"][0]["keys"][-1]
        self.assertEqual(first[1:4], [1e6, 1e6, -1e6])
        for i in range(3):
            self.assertAlmostEqual(last[1 + i] + (50 / 60 - last[0]) * last[8 + i], found["bodies"][0]["position"][i], 6)
        (t, _, _, x, *_), (told_t, _, _, point, _) = page["contacts"][0], found["contacts"][0]
        self.assertAlmostEqual(x, point[0], 6)
        self.assertAlmostEqual(t, told_t, 6)

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
        with tempfile.TemporaryDirectory() as folder:
            paths = {name: Path(folder, name) for name in ("json", "svg")}
            done = simulate("--compare", "--steps", "4", "--json", paths["json"], "--svg", paths["svg"], "--seed",
                            2 ** 64 - 1)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            found = json.loads(paths["json"].read_text(encoding="utf-8"))
            picture = xml.parse(paths["svg"]).getroot()
        self.assertEqual(found["seed"], 2 ** 64 - 1)
        self.assertEqual([(row["count"], row["method"]) for row in found["rows"]],
                         [(count, method) for count in range(50, 501, 50)
                          for method in ("fccd", "lccd", "sweep", "ca", "discrete")])
        for row in found["rows"]:
            if row["method"] != "discrete":
                self.assertEqual(row["missed"], 0)
        lines = done.stdout.decode().splitlines()
        for count in range(50, 501, 50):
            self.assertEqual(sum(line.split()[:1] == [str(count)] for line in lines), 2)
        self.assertLessEqual(max(map(len, lines)), 110)
        texts = {"".join(text.itertext()) for text in picture.iter("{http://www.w3.org/2000/svg}text")}
        self.assertLessEqual({"fccd", "lccd", "sweep", "ca", "discrete", "all pairs", "broad phase", "cubes",
                              "ms per step, median"}, texts)
        self.assertIn("milliseconds per step, median", lines[0])

    def test_rows(self):
        done = simulate("--compare", "--steps", "1", "--csv")
        rows = list(csv.DictReader(io.StringIO(done.stdout.decode())))
        self.assertEqual(len(rows), 50)
        self.assertEqual(list(rows[0]), ["count", "method", "all_pairs_ms", "scene_ms", "contacts", "missed"])


class Entered(unittest.TestCase):
    """Bodies that start in contact, or inside their margins, and respond."""
    WALL = {"type": "static", "shape": {"type": "box", "half_extents": [1, 5], "position": [-1, 0]}}
    BAR = {"respond": "slide", "margin": 0.15, "angular_velocity": 3.141592653589793,
           "shape": {"type": "box", "half_extents": [2, 0.1], "position": [0.2, 0], "rotation": [1, 1]}}

    def run_bar(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "bar.json")
            file.write_text(json.dumps({"dim": 2, "dt": 1, "steps": 1, "bodies": [self.WALL, self.BAR]}))
            return told(file, *arguments)["summary"]

    def test_bar_swings_through_the_wall(self):
        """The method discrete does not see it. An event names the pair, and the bar ends as it began."""
        found = self.run_bar("--method", "discrete")
        self.assertEqual((found["contacts"], found["overlaps"], found["missed"]), (1, 0, 1))

    def test_bar_is_kept_out(self):
        found = self.run_bar()
        self.assertEqual((found["overlaps"], found["missed"]), (0, 0))
        self.assertGreater(found["responses"], 0)


if __name__ == "__main__":
    sys.exit(unittest.main())
