"""The page of `graze simulate --html` in a headless Chromium: it plays a recording from the file system without a
complaint or a request, every body is where the recording has it, and it fits a phone. The page is put together here from
its files, with recordings made here; and those that the command under test, $GRAZE, writes itself show what its --json
prints. Needs chromium and chromedriver; without them it is skipped, but in tier ci it fails."""
import json
import math
import unittest
from pathlib import Path

from browser import DRAWN, QUICK, PageCase
from commands import ROOT
from runs import SCENES, simulate

PAGE = ROOT / "cli/simulate/page"
LIMIT = 92 * 1024  # bytes of a page without its recording, shared scripts included
STEP = 1 / 60

BOX = [[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
FACES = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]


def box(x, y, z):
    return {"vertices": [[a * x, b * y, c * z] for a, b, c in BOX], "faces": FACES}


def ring(count, radius):
    return [[radius * math.cos(2 * math.pi * k / count), radius * math.sin(2 * math.pi * k / count)]
            for k in range(count)]


def body(shape, kind, *keys, red=(), **more):
    return {"shape": shape, "type": kind, "keys": list(keys), "red": list(red), **more}


def recording(dim, shapes, bodies, view, steps=120, **more):
    return {"kind": "simulation", "title": "a run", "dim": dim, "dt": STEP, "steps": steps,
            "parameters": [["seed", "1"]], "table": [["ms per step", "0.21"]], "view": {"min": view[0], "max": view[1]},
            "shapes": shapes, "bodies": bodies, "contacts": [], "missed": [], **more}


CHAMBER = recording(3, [box(0.4, 0.4, 0.4), box(0.2, 0.3, 0.9), box(3, 3, 0.1)], [
    body(0, "dynamic", [0, -2, 0, 0, 1, 0, 0, 0, 1, 0.25, 0, 0, 0, 2],
         [1.25, -0.5, 0, 0, 3, 0, 0, 4, -1, 0, 0.5, 0, 0, 0],
         red=[[0.5, 0.75], [1.25, 1.5]], name="cube"),
    body(1, "dynamic", [0, 2, 0, 0, 1e-200, 2e-200, 0, -1e-200, -0.75, 0, 0.25, 3, -1, 2],
         red=[[1, 1.5]]),
    body(2, "static", [0, 0, 0, -2.2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], name="</script><b>floor</b>"),
    body(0, "kinematic", [0, 0, 2, 0, 1, 0, 0, 0, 0, -1, 0, 0, 0, 1]),
    body(0, "sensor", [0, 0, -2, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]),
], [[-3, -3, -2], [3, 3, 2]], missed=[[1.75, 1, 3]], note="A note.", contacts=[
    [0.5, 0, 1, 0, 0, 0, 1, 0, 0], [1.25, 0, 3, 0.5, 0, 0, 0, 0, 2]])
YARD = recording(2, [{"outlines": [ring(24, 0.5)]},
                     {"outlines": [[[-4, -1], [4, -1], [4, 0], [-4, 0]], [[-4, 0], [-1, 0], [-4, 2]]]}], [
    body(0, "dynamic", [0, 0, 3, 1, 0, 0.5, -2, 1.5], [1, 0.5, 1, 2, 1, -0.5, 0.25, -3], red=[[0.9, 1.1]]),
    body(1, "static", [0, 0, 0, 1, 0, 0, 0, 0]),
], [[-4, -1], [4, 4]], contacts=[[1, 0, 1, 0.5, 0, 0, 1]])
CROWD = recording(3, [box(0.1 + k / 900, 0.1, 0.2) for k in range(300)], [
    body(k, "dynamic", *[[j / 10, k % 10 - 5, k // 10 % 10 - 5, k // 100 * 3 - 4, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0]
                         for j in range(20)], red=[[k / 200, k / 200 + 0.3]]) for k in range(300)],
    [[-6, -6, -5], [6, 6, 5]])
RECORDINGS = {"room": CHAMBER, "yard": YARD, "crowd": CROWD,
              "nothing": recording(3, [], [], [[-1, -1, -1], [1, 1, 1]]),
              "tiny": recording(2, [{"outlines": [ring(5, 1e-9)]}], [body(0, "dynamic", [0, 0, 0, 1, 0, 1e-9, 0, 1])],
                                [[-1e-8, -1e-8], [1e-8, 1e-8]], steps=3, dt=1e-9)}

STATE = """return { t, playing, chosen: scene.chosen, follows: eye.follows, view: eye.words, hash: location.hash,
  ...Object.fromEntries(["now", "step", "reds", "contacts"].map(id => [id, find(id).textContent])) }"""
POSES = """return arguments[0].map(t => {
  scene.at(t);
  return Array.from({ length: tape.count }, (_, i) => [...tape.outer(scene.place(i)),
    ...[[1, 0, 0], [0, 1, 0]].flatMap(v => turned(scene.poses, i * POSE + 3, v)), tape.red(i, t)]);
})"""
# How many pixels of the picture are of clear red, green and violet.
PIXELS = """draw();
const { width, height } = world, copy = Object.assign(document.createElement("canvas"), { width, height });
const paper = copy.getContext("2d", { willReadFrequently: true });
paper.drawImage(world, 0, 0);
const list = paper.getImageData(0, 0, width, height).data, found = { red: 0, green: 0, violet: 0 };
for (let i = 0; i < list.length; i += 4) {
  const [r, g, b] = list.subarray(i, i + 3);
  found.red += r > g + 60 && r > b + 60;
  found.green += g > r + 25 && g > b + 25;
  found.violet += b > g + 50 && r > g + 20;
}
return found"""

def page(story):
    text = (PAGE / "page.html").read_text(encoding="utf-8")
    scripts = [(PAGE / name).read_text(encoding="utf-8") for name in (PAGE / "scripts.txt").read_text().split()]
    style = (PAGE / "page.css").read_text(encoding="utf-8")
    text = text.replace("@page.css@", style).replace("@page.js@", "".join(scripts))
    return text.replace("@story@", json.dumps(story).replace("<", "\\u003c") if story else "")


def turn(axis, angle, v):
    """Rodrigues' formula."""
    n = [x / math.hypot(*axis) for x in axis] if any(axis) else [0, 0, 1]
    cross = [n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2], n[0] * v[1] - n[1] * v[0]]
    component = sum(a * b for a, b in zip(n, v, strict=True)) * (1 - math.cos(angle))
    return [math.cos(angle) * x + math.sin(angle) * c + component * a for x, c, a in zip(v, cross, n, strict=True)]


def pose(dim, keys, t):
    """Place of a body and two of its axes, by another way than the page's."""
    key = [key for key in keys if key[0] <= t][-1]
    if dim == 2:
        _, x, y, w, z, u, v, spin = key
        key = [key[0], x, y, 0, w, 0, 0, z, u, v, 0, 0, 0, spin]
    dt, p, (w, *axis), v, spin = t - key[0], key[1:4], key[4:8], key[8:11], key[11:14]
    place = [a + dt * b for a, b in zip(p, v, strict=True)]
    angle = 2 * math.atan2(math.hypot(*axis), w)
    return place + [x for e in ([1, 0, 0], [0, 1, 0]) for x in turn(spin, math.hypot(*spin) * dt, turn(axis, angle, e))]


class Player(PageCase):
    arguments = ("--enable-unsafe-swiftshader",)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, story in RECORDINGS.items():
            cls.write(cls, name, page(story))

    def open(self, name, fragment="t=0", size=(1280, 900), mobile=False, motion="no-preference", reload=True):
        self.browser.prefer(prefers_color_scheme="light", prefers_reduced_motion=motion)
        self.show(self.pages[name], fragment, size, mobile, reload)
        return self.browser.run(STATE)

    def state(self):
        self.browser.run(DRAWN)
        return self.browser.run(STATE)

    def press(self, *keys):
        self.browser.press(*keys)
        return self.browser.run(STATE)

    def test_opens_without_a_complaint_or_a_request(self):
        for name, path in self.pages.items():
            with self.subTest(name):
                self.forget()
                self.open(name)
                self.press("ArrowRight", "End", "ArrowLeft")
                self.assert_no_request(path)

    def test_bodies_are_where_the_recording_has_them(self):
        for name in ("room", "yard"):
            story = RECORDINGS[name]
            self.open(name)
            times = [0, 0.3, 1, 1.2499, 1.25, 1.9, 0.7, 2]  # backwards, too
            for t, found in zip(times, self.browser.run(POSES, times), strict=True):
                for wanted, (*numbers, red) in zip(story["bodies"], found, strict=True):
                    for x, y in zip(numbers, pose(story["dim"], wanted["keys"], t), strict=True):
                        self.assertAlmostEqual(x, y, 12)
                    self.assertEqual(red, any(a <= t <= b for a, b in wanted["red"]))

    def test_a_page_shows_what_json_prints(self):
        """The positions of bodies at the end, and how many contacts began, at the time of each."""
        runs = {"cubes": ("--count", "60", "--steps", "120", "--spin", "--respond", "bounce"),
                "bounces": ("--steps", "90", SCENES / "polygons.json"), "turns": ("--steps", "15", SCENES / "rods.json"),
                "paths": (SCENES / "car-park.json",)}
        for name, arguments in runs.items():
            made, summary = (Path(self.folder, f"{name}.{kind}") for kind in ("html", "json"))
            self.assertEqual(simulate("--html", made, "--json", summary, *arguments).returncode, 0)
            self.pages[name], printed = made, json.loads(summary.read_text(encoding="utf-8"))
            self.assertGreater(len(printed["contacts"]), 3)
            self.forget()
            self.open(name)
            places = self.browser.run(POSES, [printed["rows"][-1]["t"]])[0]
            for (*found, _), last in zip(places, printed["bodies"], strict=True):
                w, *axis = last["rotation"] if len(last["position"]) == 3 else [last["rotation"][0], 0, 0, last["rotation"][1]]
                angle = 2 * math.atan2(math.hypot(*axis), w)
                wanted = [*last["position"], 0][:3] + turn(axis, angle, [1, 0, 0]) + turn(axis, angle, [0, 1, 0])
                for x, y in zip(found, wanted, strict=True):
                    self.assertAlmostEqual(x, y, 5)
            times = [t for t, *_ in printed["contacts"]]
            words = self.browser.run("return arguments[0].map(t => (visit(t), draw(), find('contacts').textContent))", times)
            for k, (t, word) in enumerate(zip(times, words, strict=True)):
                begun = sum(other <= t + STEP * 1e-3 for other in times)
                self.assertGreater(begun, k)
                self.assertEqual(word, str(begun))
            self.assert_quiet()

    def test_contacts_that_bodies_hide_are_pale(self):
        """They were drawn over everything."""
        story = recording(3, [box(0.3, 0.3, 0.3), box(0.1, 1, 1)], [
            body(0, "dynamic", [0, -1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
            body(1, "static", [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])], [[-3, -3, -3], [3, 3, 3]],
            contacts=[[0, 0, 1, -0.5, 0, 0, 1, 0, 0], [0, 0, 1, 0.5, 0, 0, 1, 0, 0], [0, 0, 1]])
        self.write("wall", page(story))
        hidden = """const found = [], all = scene.hide;
          scene.hide = (eye, list) => { all.call(scene, eye, list); found.push(list.map(contact => contact.hidden)); };
          draw();
          return found[0]"""
        for yaw, expected in ((0, [True, False]), (math.pi, [False, True])):
            self.assertEqual(self.open("wall", f"t=0&view={yaw},0.1,1,0,0,0", reload=False)["contacts"], "3")
            self.assertEqual(self.browser.run(hidden), expected)
        self.assert_quiet()

    def test_numbers_are_not_broken(self):
        printed = [["a name of a value that is long", "0.123456789"], ["dimensions", "3"], ["pairs", "1 2 3 4 5 6 7 8 9 10 11 12"]]
        self.write("numbers", page({**CHAMBER, "parameters": printed}))
        self.open("numbers", size=(1400, 900))
        broken = self.browser.run("""document.querySelectorAll("details").forEach(details => (details.open = true));
          return [...document.querySelectorAll("aside dt, aside dd")].filter(element => {
            const node = element.firstChild, words = [...node.data.matchAll(/[^ ]+/g)], range = document.createRange();
            return words.some(word => {
              range.setStart(node, word.index);
              range.setEnd(node, word.index + word[0].length);
              return range.getClientRects().length > 1;
            });
          }).map(element => element.textContent)""")
        self.assertEqual(broken, [])

    def test_the_readout_is_one_line(self):
        """With contacts of three digits it took two on a phone."""
        bodies = [body(0, "dynamic", [0, k % 10, k // 10, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], red=[[0, 2]])
                  for k in range(200)]
        story = recording(3, [box(0.4, 0.4, 0.4)], bodies, [[0, 0, -1], [10, 20, 1]], steps=20000,
                          contacts=[[0.001 * k, 0, 1] for k in range(1234)])
        self.write("many", page(story))
        for width in (390, 360, 320):
            for t in (0, 2, 300):
                self.open("many", f"t={t}", (width, 844), mobile=True, reload=False)
                tops, right = self.browser.run("""const parts = [...document.querySelectorAll(".readout > *")]
                    .map(part => part.getBoundingClientRect()).filter(box => box.width);
                  return [parts.map(box => box.bottom), Math.max(...parts.map(box => box.right))]""")
                self.assertLess(max(tops) - min(tops), 12, (width, t))
                self.assertLessEqual(right, width - 14)
        self.assertEqual(self.open("many", "t=300")["step"], "18,000")
        self.assertEqual(self.browser.run("return find('steps').textContent"), "20,000")

    def test_tools_hide_no_numbers(self):
        for size in ((1280, 900), (390, 844)):
            self.open("yard", size=size)
            gap = self.browser.run("""const [view, tools] = [world, find("world-tools")].map(x => x.getBoundingClientRect());
              return view.bottom - tools.bottom""")
            self.assertGreater(gap, 20)

    def test_numbers_of_the_grid_do_not_overlap(self):
        """In the lower left corner they stood on each other, and the border cut the last one."""
        for size in ((1400, 900), (1000, 700), (390, 844)):
            for view in ("0.6,0.32,1,0,0,0", "0.6,0.32,1.3,0.11,0.07,0", "0.6,0.32,0.8,-0.3,0.2,0"):
                self.open("yard", "t=0&view=" + view, size, reload=False)
                boxes, width, height = self.browser.run("""const found = [], own = marks.words;
                  marks.words = (text, x, y, name, style = {}) => {
                    marks.paper.font = "12" + FONT;
                    const wide = marks.paper.measureText(text).width, left = style.align === "left" ? x : x - wide / 2;
                    found.push([left, y - 10, left + wide, y]);
                  };
                  marks.numbers();
                  marks.words = own;
                  return [found, eye.width, eye.height]""")
                self.assertGreater(len(boxes), 5)
                for i, (left, top, right, bottom) in enumerate(boxes):
                    self.assertTrue(left >= 0 and top >= 0 and right <= width and bottom <= height, boxes[i])
                    for u, v, w, z in boxes[:i]:
                        self.assertFalse(left < w and u < right and top < z and v < bottom, (size, view))

    def test_the_card_hides_nothing_on_a_phone(self):
        """It covered the upper part of the picture, the name of the body that was followed with it."""
        for size in ((390, 844), (360, 740)):
            for name in ("room", "yard"):
                self.open(name, "t=0.5&body=0+", size, mobile=True)
                foot, top, bottom, dock = self.browser.run("""const box = name => document.querySelector(name)
                    .getBoundingClientRect(), card = box("#chosen");
                  return [box("#world").bottom, card.top, card.bottom, box(".dock").top]""")
                self.assertLessEqual(foot, top)
                self.assertLessEqual(bottom, dock)
                hint = self.browser.run("return document.querySelector('.hint:not(#caption)').innerText")
                self.assertIn("A finger turns" if name == "room" else "A finger moves", hint)
                self.assertNotIn("Space", hint)

    def test_keys_buttons_and_fragment(self):
        self.open("room", "t=0.5")
        self.assertEqual(self.state()["reds"], "1")
        self.assertEqual(self.state()["contacts"], "1")
        self.assertAlmostEqual(self.press("ArrowRight")["t"], 31 * STEP)
        self.assertAlmostEqual(self.press("ArrowLeft", "ArrowLeft")["t"], 29 * STEP)
        self.assertEqual(self.press("End")["step"], "120")
        self.assertEqual(self.press("ArrowRight")["step"], "120")
        self.assertEqual(self.press("Home")["t"], 0)
        for button, there in (("next", "1"), ("next", "2"), ("previous", "1"), ("last", "120"), ("first", "0")):
            self.browser.click("#" + button)
            self.assertEqual(self.state()["step"], there)
        self.browser.run("location.hash = '#t=1.25&view=1,0.5,2,0.25,0,0&body=1'")
        state = self.state()
        self.assertEqual([state[key] for key in ("t", "view", "chosen", "reds")], [1.25, "1,0.5,2,0.25,0,0", 1, "2"])
        for wrong in ("t=1e9", "t=x", "t=-1", "view=1,2,x", "body=99", "body=x"):
            self.open("room", wrong, reload=False)
            self.assert_quiet()

    def test_plays_unless_reduced_motion_is_preferred(self):
        wait = "return new Promise(done => setTimeout(done, 200))"
        self.open("yard", "")
        self.browser.run(wait)
        self.assertGreater(self.state()["t"], 0)
        self.open("yard", "", motion="reduce")
        self.browser.run(wait)
        self.assertEqual(self.state()["t"], 0)
        self.press("Space")
        self.browser.run(wait)
        state = self.press("Space")
        self.assertGreater(state["t"], 0)
        self.browser.run(wait)
        self.assertEqual(self.state()["t"], state["t"])
        self.browser.run("return new Promise(done => setTimeout(done, 400))")  # until the page writes the fragment
        shown = float(self.state()["hash"].split("t=")[1].split("&")[0])
        self.assertAlmostEqual(shown, state["t"], delta=0.01)

    def test_bodies_are_red_while_in_collision(self):
        self.open("room", "t=0.25")
        separated = self.browser.run(PIXELS)
        self.assertEqual(separated["red"], 0)
        self.assertGreater(separated["green"], 500)
        self.open("room", "t=0.6")
        self.assertGreater(self.browser.run(PIXELS)["red"], 300)
        self.open("room", "t=1.8")
        self.assertGreater(self.browser.run(PIXELS)["violet"], 30)  # the contact that was missed
        self.assertEqual(self.browser.run("return tape.crowd(8)"), [0, 0, 1, 1, 1, 2, 2, 0])

    def test_a_click_chooses_and_the_eye_follows(self):
        for name in ("room", "yard"):
            self.open(name, "t=0.5")
            x, y = self.browser.run("const [u, v] = eye.at(scene.middle(0)), box = world.getBoundingClientRect();"
                                    "return [box.left + 1 + u, box.top + 1 + v]")
            self.browser.drag(x, y, 0, 0)
            self.assertEqual(self.state()["chosen"], 0)
            self.browser.click("#follow")
            self.assertTrue(self.press("ArrowRight")["follows"])
            u, v = self.browser.run("return minus(eye.target, scene.middle(0)).slice(0, 2)")
            self.assertAlmostEqual(abs(u) + abs(v), 0)
            self.assertIn("in collision" if name == "room" else "free", self.browser.run("return chosen.innerText"))
            self.browser.click("#close")
            self.assertEqual(self.state()["chosen"], -1)
            self.browser.run("choose(1)")
            self.browser.drag(x, y + 60, 70, 30)  # a drag chooses nothing
            self.assertEqual(self.state()["chosen"], 1)

    def test_what_is_drawn_is_what_is_pointed_at(self):
        """The matrix of the picture and the places of the marks agree."""
        for name in ("room", "yard"):
            self.open(name, "t=0.5&view=0.9,0.4,1.7,0.1,0.2,0")
            error = self.browser.run("""const m = eye.matrix();
              return Math.max(...[[0, 0, 0], [0.4, -0.3, tape.dim === 3 ? 0.2 : 0]].map(p => {
                const [x, y, , w] = [0, 1, 2, 3].map(i => m[i] * p[0] + m[4 + i] * p[1] + m[8 + i] * p[2] + m[12 + i]);
                const [u, v] = eye.at(p), [o, d] = eye.ray(u, v), q = add(o, d, dot(minus(p, o), d));
                return Math.hypot((x / w + 1) * eye.width / 2 - u, (1 - y / w) * eye.height / 2 - v) +
                  Math.hypot(...minus(p, q).slice(0, tape.dim));
              }))""")
            self.assertLess(error, 0.01)

    def test_shapes_that_differ_in_their_extents_are_drawn_at_once(self):
        self.open("crowd")
        self.assertEqual(self.browser.run("return painter.groups.length"), 1)
        self.open("yard")  # the wedge and the ground share a part of an edge: it is inside
        inside = self.browser.run("""const { corners } = scene.shapes.meshes[1], found = [];
          for (let k = 0; k < corners.length; k += 3 * CORNER) {
            if (corners[k + 7] > 0 && corners[k + CORNER + 7] > 0) found.push(corners[k + 1], corners[k + CORNER + 1]);
          }
          return found.map(y => Math.round(y * 1e6) / 1e6)""")
        self.assertEqual(len(inside), 4)
        self.assertEqual(len(set(inside)), 1)

    def test_phone(self):
        for name in self.pages:
            for size in ((360, 740),) if QUICK else ((390, 844), (360, 740), (844, 390)):
                with self.subTest((name, size)):
                    self.open(name, "t=0.5&body=0", size, mobile=True)
                    self.assert_fits(size)

    def test_without_webgl(self):
        hidden = self.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="""
          const own = HTMLCanvasElement.prototype.getContext;
          HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
            return kind === "webgl2" ? null : own.call(this, kind, ...rest);
          }""")
        try:
            self.forget()
            self.assertEqual(self.open("room", "t=0.5&body=0")["reds"], "1")
            self.assertIn("WebGL2", self.browser.run("return document.querySelector('.view').innerText"))
            self.assertEqual(self.press("End")["step"], "120")
            self.assert_quiet()
        finally:
            self.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", identifier=hidden["identifier"])

    def test_markup_in_names_is_only_text(self):
        self.open("room", "body=2")
        self.assertEqual(self.browser.run("return find('chosen-name').textContent"), "</script><b>floor</b>")

    def test_size(self):
        self.assertLess(len(page(None).encode()), LIMIT)
