"""The page of `graze explain --html` in a headless Chromium: it opens from the file system without a complaint or a
request, steps from first to last, draws in both views, fits a phone, and shows what was recorded, nothing else.
Needs chromium and chromedriver; without them it is skipped, but in tier ci it fails."""
import json
import re
import unittest
from pathlib import Path

from browser import DRAWN, QUICK, PageCase
from commands import ROOT, records, run

LIMIT = 500_000  # bytes of a page
STORY = re.compile(r'(<script type="application/json" id="story">)(.*?)(</script>)', re.S)
QUERIES = {line["id"]: line for line in records(ROOT / "tests/explain/pages.jsonl")}

# Functions of the page's window. A view is drawn in the frame after a change.
VIEWS = """return ["world", "difference"].map(id => {
  const canvas = document.getElementById(id), { width, height } = canvas;
  const copy = Object.assign(document.createElement("canvas"), { width, height });
  const paper = copy.getContext("2d", { willReadFrequently: true });
  paper.drawImage(canvas, 0, 0);
  let drawn = 0, hash = 2166136261; // FNV-1a, of whole pixels
  for (const pixel of new Uint32Array(paper.getImageData(0, 0, width, height).data.buffer)) {
    drawn += pixel >>> 24 > 0;
    hash = Math.imul(hash ^ pixel, 16777619);
  }
  return { drawn, hash };
})"""
PLACE = """const slider = document.getElementById("slider");
return { at: Number(slider.value), last: Number(slider.max), fragment: location.hash,
  words: document.getElementById("step-words").textContent,
  label: document.getElementById("world").getAttribute("aria-label") }"""
IN_SIGHT = """const box = id => document.querySelector(id).getBoundingClientRect();
const words = document.getElementById("step-words"), place = box("#step-words");
const sides = [...document.querySelectorAll(".view")].map(view => view.getBoundingClientRect());
const bars = [...document.querySelectorAll(".phase")];
return { scrolled: scrollY, top: place.top, bottom: place.bottom, controls: box(".controls").bottom,
  views: Math.max(...sides.map(side => side.bottom)) - Math.min(...sides.map(side => side.top)),
  height: innerHeight - box(".dock").height, more: box("#more").width > 0,
  folded: words.scrollHeight > words.clientHeight + 2,
  cut: bars.filter(bar => bar.scrollWidth > bar.clientWidth + 1).map(bar => bar.innerText) }"""
# Observers made after the page's get a new size after them, before the frame is shown.
WATCH = """new ResizeObserver(entries => {
  window.resized += 1;
  for (const { target } of entries) {
    const wanted = [target.clientWidth, target.clientHeight].map(x => Math.round(x * devicePixelRatio));
    if (target.width !== wanted[0] || target.height !== wanted[1]) window.wrong.push([target.width, ...wanted]);
  }
}).observe(document.getElementById("world"))"""


def make(folder, name, request):
    """The page, and the path of it."""
    path = Path(folder, name.replace(" ", "-") + ".html")
    done = run("explain", "--html", path, json.dumps(request))
    if done.returncode != 0:
        raise AssertionError(f"{name}: {done.stderr}")
    return path


def story_of(path):
    return json.loads(STORY.search(path.read_text(encoding="utf-8"))[2])


def edited(path, change):
    """Another page beside this one, whose story was changed."""
    story = story_of(path)
    change(story)
    inside = json.dumps(story).replace("<", "\\u003c")
    text = STORY.sub(lambda m: m[1] + inside + m[3], path.read_text(encoding="utf-8"))
    other = path.with_suffix(".changed.html")
    other.write_text(text, encoding="utf-8")
    return other


class Page(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.pages = {name: make(cls.folder, name, line) for name, line in QUERIES.items()}

    def open(self, path, step=0, size=(1280, 900), mobile=False, reload=True):
        self.show(path, f"step={step}", size, mobile, reload)

    def press(self, *keys):
        self.browser.press(*keys)
        return self.browser.run(PLACE)

    def views(self):
        return self.browser.run(VIEWS)

    def test_every_page_steps_from_first_to_last(self):
        for name, path in list(self.pages.items())[::3 if QUICK else 1]:
            with self.subTest(name):
                self.forget()
                self.open(path)
                last, seen, labels = self.browser.run(PLACE)["last"], [set(), set()], set()
                story = story_of(path)
                moments = story.get("motion", {}).get("moments", [])
                self.assertEqual(last, 1 + len(story["steps"]) + len(story["axes"]) + len(moments))
                for step in range(last + 1):
                    place = self.browser.run(PLACE)
                    self.assertEqual(place["at"], step)
                    self.assertTrue(place["words"])
                    labels.add(place["label"])
                    for i, view in enumerate(self.views()):
                        self.assertGreater(view["drawn"], 150, (step, i))
                        seen[i].add(view["hash"])
                    self.press("ArrowRight")
                self.assertEqual(self.browser.run(PLACE)["at"], last)
                self.assertEqual(len(labels), last + 1)
                if story["steps"] or moments:
                    self.assertGreater(len(seen[0]), 1)
                    self.assertGreater(len(seen[1]), 1)
                self.assert_no_request(path)

    def test_keys_buttons_and_fragment(self):
        self.open(self.pages["gjk2"])
        last = self.browser.run(PLACE)["last"]
        self.assertEqual(self.press("End")["at"], last)
        self.assertEqual(self.press("ArrowLeft")["fragment"], f"#step={last - 1}")
        self.assertEqual(self.press("Home")["at"], 0)
        for button, there in (("next", 1), ("next", 2), ("previous", 1), ("last", last), ("first", 0)):
            self.browser.click("#" + button)
            self.assertEqual(self.browser.run(PLACE)["at"], there)
        self.browser.run("location.hash = '#step=2'")
        self.browser.run(DRAWN)
        self.assertEqual(self.browser.run(PLACE)["at"], 2)
        self.open(self.pages["gjk2"], 3)
        self.assertEqual(self.browser.run(PLACE)["at"], 3)
        for wrong in (10**9, "x", -1):
            self.open(self.pages["gjk2"], wrong, reload=False)
            self.assertIn(self.browser.run(PLACE)["at"], (0, last))

    def test_space_plays_and_nothing_plays_by_itself(self):
        timers = self.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="""
          const timers = new Map();
          let count = 0;
          window.setTimeout = call => timers.set(++count, call) && count;
          window.clearTimeout = timer => timers.delete(timer);
          window.elapse = () => {
            const calls = [...timers.values()];
            timers.clear();
            for (const call of calls) call();
            return Number(document.getElementById("slider").value);
          };""")
        self.addCleanup(self.browser.devtools, "Page.removeScriptToEvaluateOnNewDocument", **timers)
        self.open(self.pages["gjk2"])
        self.assertEqual(self.browser.run("return elapse()"), 0)
        self.press("Space")
        self.assertEqual(self.browser.run("return elapse()"), 1)
        self.assertEqual(self.browser.run("return elapse()"), 2)
        self.press("Space")
        self.assertEqual(self.browser.run("return elapse()"), 2)

    def test_table_chart_and_axes_lead_to_their_steps(self):
        self.open(self.pages["sat2"])
        steps, axes = (len(story_of(self.pages["sat2"])[key]) for key in ("steps", "axes"))
        self.browser.click("#axis-rows button:nth-child(2)")
        self.assertEqual(self.browser.run(PLACE)["at"], steps + 2)
        self.assertEqual(self.browser.run("return document.querySelectorAll('button.axis').length"), axes)
        self.assertEqual(self.browser.run("return document.querySelectorAll('button.axis.best').length"), 1)
        self.browser.click("#rows tr:nth-child(2) button")
        self.assertEqual(self.browser.run(PLACE)["at"], 2)
        self.open(self.pages["curved"])
        self.browser.click("#chart svg")  # in its middle
        self.assertGreater(self.browser.run(PLACE)["at"], 5)

    def test_the_time_bar_leads_to_its_moments(self):
        self.open(self.pages["bullet"], 1)
        motion = story_of(self.pages["bullet"])["motion"]
        shown = "return [...document.querySelectorAll('#time-bar ' + arguments[0])].length"
        self.assertEqual(self.browser.run(shown, "rect.span"), len(motion["spans"]))
        self.assertEqual(self.browser.run(shown, "circle.sample"), 16)
        self.browser.click("#time-bar svg")  # in its middle
        place = self.browser.run(PLACE)
        self.assertEqual(motion["moments"][place["at"] - 1]["t"], min(
            (m["t"] for m in motion["moments"]), key=lambda t: abs(t - motion["t_end"] / 2)))
        self.open(self.pages["gjk2"], 1)
        self.assertEqual(self.browser.run(shown, "*"), 0)

    def test_phone(self):
        for name, path in list(self.pages.items())[::3 if QUICK else 1]:
            with self.subTest(name):
                self.open(path, 1, (360, 740), mobile=True)
                self.assert_fits((360, 740))
                for view in self.views():
                    self.assertGreater(view["drawn"], 150)

    def test_words_and_controls_are_in_sight_on_phones(self):
        for size in ((390, 844), (360, 740), (844, 390)):
            for name in ("gjk2", "epa3", "sat3", "bullet"):
                with self.subTest((size, name)):
                    self.open(self.pages[name], 2, size, mobile=True)
                    seen = self.browser.run(IN_SIGHT)
                    self.assertEqual(seen["scrolled"], 0)
                    self.assertGreaterEqual(seen["top"], 0)
                    self.assertLessEqual(seen["bottom"], size[1])
                    self.assertGreaterEqual(seen["bottom"] - seen["top"], 40)  # two lines
                    self.assertLessEqual(seen["controls"], size[1])
                    self.assertLessEqual(seen["views"], seen["height"])
                    self.assertEqual(seen["cut"], [])
                    if name == "bullet" and not seen["folded"]:
                        continue
                    self.assertTrue(seen["more"])
                    self.browser.click("#more")
                    self.assertFalse(self.browser.run(IN_SIGHT)["folded"])

    def test_views_have_the_size_of_their_bitmaps_in_the_first_frame(self):
        self.open(self.pages["gjk2"], 1)
        for width, tall in ((390, 844), (1280, 900), (844, 390)):
            self.browser.run("window.wrong = []; window.resized = 0; " + WATCH)
            self.browser.size(width, tall)
            self.browser.run(DRAWN)
            self.assertGreater(self.browser.run("return window.resized"), 0)
            self.assertEqual(self.browser.run("return window.wrong"), [])

    def test_the_band_never_widens(self):
        differ = 0
        for name, path in list(self.pages.items())[::2 if QUICK else 1]:
            with self.subTest(name):
                self.open(path, 3)
                rows = self.browser.run("return band ? band.rows : []")
                steps = [row for row in rows if not row.get("last")]
                for before, after in zip(steps, steps[1:], strict=False):
                    for key, sign in (("lower", 1), ("upper", -1)):
                        if before[key] is not None:
                            self.assertGreaterEqual(sign * after[key], sign * before[key], (after["x"], key))
                story = story_of(path)
                for row, step in zip(steps, story["steps"], strict=True):
                    differ += row["own"]["lower"] != row["lower"]
                    if step["phase"] == "epa" and step["upper"] is not None and step["upper"] >= 0:
                        self.assertIsNone(row["own"]["upper"])
                if rows and rows[-1].get("last"):
                    self.assertEqual([rows[-1][key] for key in ("lower", "upper")],
                                     [story["answer"][key] for key in ("lower", "upper")])
        self.assertGreater(differ, 0)
        self.open(self.pages["coincident"], 3)  # a search that began again
        shown = self.browser.run("return document.getElementById('searches').textContent")
        self.assertIn("Each phase has its own bounds", shown)
        self.assertGreater(self.browser.run("return document.querySelectorAll('#chart .own').length"), 0)

    def test_chart_and_table_show_the_same_bounds_of_a_step(self):
        for name in ("coincident", "curved"):
            for k in range(len(story_of(self.pages[name])["steps"])):
                self.open(self.pages[name], k + 1, reload=False)
                head, cells = self.browser.run(
                    "return [document.querySelector('#chart .head').textContent,"
                    "[...document.querySelectorAll('#rows tr.now td')].slice(-3, -1).map(cell => cell.textContent)]")
                shown = head.removeprefix("signed distance: ").split(" to ")
                self.assertEqual([bound.replace("?", "–") for bound in shown], cells, (name, k + 1))

    def test_the_table_fits(self):
        for name, path in list(self.pages.items())[::2 if QUICK else 1]:
            self.open(path, 1)
            wide, available = self.browser.run("const place = document.querySelector('.scroll');"
                                          "return [place.scrollWidth, place.clientWidth]")
            self.assertLessEqual(wide, available, name)

    def test_words_begin_and_numbers_are_written_alike(self):
        evaluate = self.browser.run
        self.open(self.pages["gjk2"])
        self.assertEqual(evaluate("return sentence('w is in the simplex')"), "w is in the simplex.")
        self.assertEqual(evaluate("return sentence('d·w = 1.')"), "d·w = 1.")
        self.assertEqual(evaluate("return sentence('the place is (1, 2)')"), "The place is (1, 2).")
        self.assertEqual(evaluate("return powers('the gap 9.99867e−13 is > 0, 1e40 too')"),
                         "the gap 9.99867·10⁻¹³ is > 0, 1·10⁴⁰ too")
        self.open(self.pages["huge"], 1)
        self.assertNotRegex(evaluate("return document.querySelector('main').innerText.split('The query')[0]"),
                            r"\de[-−]?\d")

    def test_turning_zooming_and_pointing(self):
        self.open(self.pages["gjk3"], 2)
        before = [view["hash"] for view in self.views()]
        x, y = self.browser.run("const box = document.getElementById('difference').getBoundingClientRect();"
                                "return [box.left + 60, box.top + 60]")
        self.browser.drag(x, y, 40, 25)
        turned = [view["hash"] for view in self.views()]
        self.assertNotIn(turned[0], before)  # both turn
        self.assertNotIn(turned[1], before)
        self.browser.click("#world + .zoom button:nth-child(2)")
        zoomed = [view["hash"] for view in self.views()]
        self.assertNotEqual(zoomed[0], turned[0])
        self.assertEqual(zoomed[1], turned[1])
        self.browser.click("#world + .zoom button:last-child")
        self.assertEqual(self.views()[0]["hash"], before[0])
        for name in ("gjk2", "minkowski"):  # a point of the difference shows its parents in the world
            self.open(self.pages[name], 1)
            plain = self.views()[0]["hash"]
            x, y = self.browser.run("const box = difference.canvas.getBoundingClientRect();"
                                    "const [u, v] = difference.spots[0];"
                                    "return [box.left + u, box.top + v]")
            self.browser.point(x, y)
            self.assertNotEqual(self.views()[0]["hash"], plain, name)
            self.browser.point(2, 2)
            self.assertEqual(self.views()[0]["hash"], plain, name)

    def test_deep_zoom(self):
        """The gap of 2^-30 between two boxes can be brought into sight, in both views."""
        self.open(self.pages["near"])
        last = self.press("End")["at"]
        for name in ("world", "difference"):
            before = self.views()
            self.browser.click(f"#{name} + .zoom button")
            self.assertGreater(self.browser.run(f"return {name}.zoom"), 1e6)
            self.assertGreater(sum(old["hash"] != new["hash"] for old, new in zip(before, self.views(), strict=True)), 0)
        gap = self.browser.run("const at = p => world.at(p)[0]; return at(tale.b) - at(tale.a)")
        self.assertTrue(50 < gap < 500, gap)
        self.assertEqual(self.browser.run(PLACE)["at"], last)

    def test_dark_and_reduced_motion(self):
        self.browser.prefer(prefers_color_scheme="light")
        self.open(self.pages["gjk2"], 2)
        light = [view["hash"] for view in self.views()]
        try:
            self.browser.prefer(prefers_color_scheme="dark", prefers_reduced_motion="reduce")
            self.browser.run(DRAWN)
            self.assertTrue(all(new["hash"] != old for new, old in zip(self.views(), light, strict=True)))
            self.assertEqual(self.press("ArrowRight")["at"], 3)
        finally:
            self.browser.prefer(prefers_color_scheme="light")

    def picture(self, path, step):
        self.open(path, step)
        chart = self.browser.run("return document.getElementById('chart').innerHTML")
        return [view["hash"] for view in self.views()] + [chart, self.browser.run(
            "return document.getElementById('certificate').textContent")]

    def test_one_recorded_number_changes_what_is_shown(self):
        world, difference, chart, proof = range(4)
        story = story_of(self.pages["gjk2"])
        last, k = len(story["steps"]) + 1, story["steps"][0]["point"]
        pictures = {step: self.picture(self.pages["gjk2"], step) for step in (1, 2, last)}
        for path, by, step, parts in (
                (("steps", 0, "direction", 1), 0.25, 1, {world, difference}), (("points", k, "at", 0), 0.5, 1, {difference}),
                (("points", k, "a", 0), 0.5, 1, {world}), (("steps", 1, "lower"), -0.25, 2, {chart}),
                (("bodies", 0, "mesh", "points", 0, 0), -0.25, 1, {world}),
                (("evidence", "max_a"), -0.25, last, {world, difference, proof}),
                (("answer", "point_a", 0), -0.25, last, {world, difference})):
            def change(story, path=path, by=by):
                for key in path[:-1]:
                    story = story[key]
                story[path[-1]] += by
            with self.subTest(path):
                before = pictures[step]
                after = self.picture(edited(self.pages["gjk2"], change), step)
                self.assertEqual({i for i in range(4) if before[i] != after[i]}, parts)

    def test_numbers_that_are_missing_are_borne(self):
        def nothing(story):
            for step in story["steps"]:
                step.update(lower=None, upper=None, direction=None, point=None, simplex=[])
            story["evidence"] = {"verdict": "unproven"}
            story["answer"] = {"relation": "undecided"}

        def crossed(story):
            for step in story["steps"]:
                step.update(lower=1, upper=1 - 2**-50)

        def flat(story):
            for body in story["bodies"]:
                body["mesh"] = None
            story["core"] = story["cso"] = None

        for name in ("gjk2", "gjk3", "epa3", "sat3"):
            for change in (nothing, crossed, flat):
                with self.subTest((name, change.__name__)):
                    path = edited(self.pages[name], change)
                    self.forget()
                    self.open(path)
                    for step in (1, 2, 10**6):
                        self.open(path, step, reload=False)
                    self.assert_quiet()

    def test_markup_in_a_query_is_only_text(self):
        request = {**QUERIES["gjk2"], "id": "</script><script>window.broken = true</script><!--"}
        self.open(make(self.folder, "markup", request))
        self.assertIsNone(self.browser.run("return window.broken"))
        self.assertIn("</script>", self.browser.run("return document.getElementById('query-text').textContent"))

    def test_thousands_of_steps(self):
        def repeat(story):
            story["steps"] *= 2500

        path = edited(self.pages["gjk2"], repeat)
        self.open(path, 5000)
        self.assertEqual(self.browser.run(PLACE)["at"], 5000)
        self.assertEqual(self.press("ArrowRight")["at"], 5001)

    def test_size(self):
        steps = len(story_of(self.pages["curved"])["steps"])
        self.assertGreaterEqual(steps, 30)
        for name, path in self.pages.items():
            self.assertLess(path.stat().st_size, LIMIT, name)
