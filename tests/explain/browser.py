"""A headless browser by the W3C WebDriver protocol, with the standard library only, and what the tests of pages share."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import urllib.error
import urllib.request
from pathlib import Path

CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010", "Space": " "}


class Browser:
    """Use it in a `with` statement. More arguments for Chromium may be given. Actions of keys and mouse are drawn when the
    call returns."""

    def __init__(self, *more):
        self.more = more
        self.profile = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True)
        self.session = None

    def __enter__(self):
        try:
            self.begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def begin(self):
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.root = f"http://127.0.0.1:{found[1]}"
                break
        else:
            raise RuntimeError("chromedriver does not print its port")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--disable-frame-rate-limit", "--disable-gpu-vsync",
                     "--window-size=1280,900", f"--user-data-dir={self.profile.name}", *self.more]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"binary": CHROMIUM, "args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}
        made = self.send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = made["sessionId"]

    def __exit__(self, *_):
        try:
            if self.session:
                self.send("DELETE", f"/session/{self.session}")
        finally:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process.stdout.close()
            self.profile.cleanup()

    def send(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.root + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # it is on this machine
        try:
            with opener.open(request, timeout=60) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as rejected:
            raise RuntimeError(rejected.read().decode()) from rejected

    def command(self, name, body=None):
        """A command of the session, with POST; without a body, GET."""
        return self.send("GET" if body is None else "POST", f"/session/{self.session}/{name}", body)

    def open(self, url):
        self.command("url", {"url": url})

    def run(self, script, *arguments):
        """Runs a script, the body of a function. Returns its result; of a promise, the value with which it is fulfilled."""
        return self.command("execute/sync", {"script": script, "args": list(arguments)})

    def act(self, kind, name, actions):
        self.command("actions", {"actions": [{"type": kind, "id": name, "actions": actions}]})
        self.run(DRAWN)

    def press(self, *names):
        keys = [{"type": kind, "value": KEYS[name]} for name in names for kind in ("keyDown", "keyUp")]
        self.act("key", "keys", keys)

    def click(self, selector):
        found = self.command("element", {"using": "css selector", "value": selector})
        self.command(f"element/{found[ELEMENT]}/click", {})
        self.run(DRAWN)

    def point(self, x, y):
        """The mouse to a place of the window."""
        self.act("pointer", "mouse", [{"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}])

    def drag(self, x, y, dx, dy):
        start, end = ({"type": "pointerMove", "duration": 0, "x": round(u), "y": round(v)} for u, v in ((x, y), (x + dx, y + dy)))
        self.act("pointer", "mouse", [start, {"type": "pointerDown", "button": 0}, end, {"type": "pointerUp", "button": 0}])

    def devtools(self, name, **parameters):
        return self.command("goog/cdp/execute", {"cmd": name, "params": parameters})

    def size(self, width, height, mobile=False, ratio=1):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio,
                      mobile=mobile)

    def prefer(self, **features):
        """prefer(prefers_color_scheme="dark")"""
        self.devtools("Emulation.setEmulatedMedia", features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def log(self, kind):
        """The entries that were logged since the last call: `browser` (the console) or `performance` (network events)."""
        return self.command("se/log", {"type": kind})


DRAWN = "return new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
SMALL = """return [...document.querySelectorAll("button, summary, input, select")].filter(element => {
  const box = element.getBoundingClientRect();
  return box.width && (box.width < 44 || box.height < 44);
}).map(element => element.outerHTML.slice(0, 80))"""
NOISE = "GL Driver Message"  # of a graphics card made of software, when its picture is read
QUICK = os.environ.get("GRAZE_TIER") not in ("ci", "soak")


@unittest.skipUnless((CHROMIUM and DRIVER) or not QUICK, "needs chromium and chromedriver")
class PageCase(unittest.TestCase):
    """Pages by name, in self.pages, opened from the file system."""
    arguments = ()  # more for Chromium
    loaded, last = 0, None  # the number of loaded pages; the one that is shown

    @classmethod
    def setUpClass(cls):
        if not (CHROMIUM and DRIVER):
            raise AssertionError("tier ci needs chromium and chromedriver")
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.browser = cls.enterClassContext(Browser(*cls.arguments))
        cls.pages = {}

    def show(self, path, fragment, size=(1280, 900), mobile=False, reload=True):
        """Without `reload`, in tier `test` a page that is shown in this size only gets the fragment."""
        if self.last == (path, size, mobile) and QUICK and not reload:
            self.browser.run(f"location.hash = arguments[0]; {DRAWN}", "#" + fragment)
            return
        self.last = path, size, mobile
        PageCase.loaded += 1  # with another query, the browser loads the page again
        self.browser.size(*size, mobile, 0.5 if QUICK else 1)  # software draws a quarter of the pixels
        self.browser.open(f"{path.as_uri()}?{self.loaded}#{fragment}")
        self.browser.run(DRAWN)

    def forget(self):
        """Drops what was logged until now."""
        self.browser.log("browser")
        self.browser.log("performance")

    def assert_quiet(self):
        self.assertEqual([entry for entry in self.browser.log("browser") if NOISE not in entry["message"]], [])

    def assert_no_request(self, path):
        """Nothing on the console, no request but for the page."""
        self.assert_quiet()
        events = [json.loads(entry["message"])["message"] for entry in self.browser.log("performance")]
        urls = {event["params"]["request"]["url"].split("?")[0] for event in events
                if event["method"] == "Network.requestWillBeSent"}
        self.assertLessEqual(urls, {path.as_uri()})
        self.assertEqual(self.browser.run("return performance.getEntriesByType('resource').map(e => e.name)"), [])

    def assert_fits(self, size):
        """On a phone."""
        self.assertLessEqual(self.browser.run("return document.documentElement.scrollWidth"), size[0])
        self.assertEqual(self.browser.run(SMALL), [])
        bottom = self.browser.run("return document.querySelector('.controls').getBoundingClientRect().bottom")
        self.assertLessEqual(bottom, size[1])

    def write(self, name, text):
        self.pages[name] = Path(self.folder, name + ".html")
        self.pages[name].write_text(text, encoding="utf-8")
