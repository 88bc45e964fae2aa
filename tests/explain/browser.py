"""A headless browser by the W3C WebDriver protocol, with the standard library only. What the tests need, no more."""
import base64
import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request

CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"ArrowLeft": "\ue012", "ArrowRight": "\ue014", "Home": "\ue011", "End": "\ue010", "Space": " "}


class Browser:
    """Use it in a `with` statement. More arguments for Chromium may be given."""

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
            raise RuntimeError("chromedriver does not say its port")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
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
        except urllib.error.HTTPError as refused:
            raise RuntimeError(refused.read().decode()) from refused

    def command(self, name, body=None):
        """A command of the session, with POST; without a body, GET."""
        return self.send("GET" if body is None else "POST", f"/session/{self.session}/{name}", body)

    def open(self, url):
        self.command("url", {"url": url})

    def run(self, script, *arguments):
        """What the script, a function body, returns; of a promise, what it comes to."""
        return self.command("execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *names):
        keys = [{"type": kind, "value": KEYS[name]} for name in names for kind in ("keyDown", "keyUp")]
        self.command("actions", {"actions": [{"type": "key", "id": "keys", "actions": keys}]})

    def click(self, selector):
        found = self.command("element", {"using": "css selector", "value": selector})
        self.command(f"element/{found[ELEMENT]}/click", {})

    def point(self, x, y):
        """The mouse to a place of the window."""
        move = {"type": "pointerMove", "duration": 0, "x": round(x), "y": round(y)}
        self.command("actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move]}]})

    def drag(self, x, y, dx, dy):
        moves = [{"type": "pointerMove", "duration": 0, "x": round(u), "y": round(v)} for u, v in ((x, y), (x + dx, y + dy))]
        actions = [moves[0], {"type": "pointerDown", "button": 0}, moves[1], {"type": "pointerUp", "button": 0}]
        self.command("actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": actions}]})

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
        """What was logged since the last call: `browser` (the console) or `performance` (network events)."""
        return self.command("se/log", {"type": kind})

    def picture(self):
        """A PNG of the window."""
        return base64.b64decode(self.command("screenshot"))
