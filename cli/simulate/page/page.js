// The page: what time it is, the controls, and the picture.

const story = JSON.parse(find("story").textContent);
const tape = new Tape(story), scene = new Scene(tape, prepareShapes(story.shapes, tape.dim, tape.size));
const world = find("world"), calm = matchMedia("(prefers-reduced-motion: reduce)");
let t = 0, playing = false, speed = 1, loop = false, before = 0, queued = false, written = -1e9, remembered = 0;
let fine = 1, pace = 16; // while playing: how sharp the picture is, and the milliseconds from frame to frame

// ---- The picture
const eye = new Eye(world, tape, { changed: moved, pick: (x, y, limit) => scene.pick(eye, x, y, limit / 4),
  over: found => world.classList.toggle("picking", found >= 0) });
const marks = new Marks(find("marks"), tape, scene, eye), strip = new Strip(find("strip"), tape);
const panel = new Panel(tape, scene, (time, body) => {
  if (body !== undefined) choose(body);
  visit(time);
});
let painter = null, colours = null;

// The colours of the style, as words and as numbers from 0 to 1.
function readColours() {
  const style = getComputedStyle(document.documentElement), parts = {};
  colours = { words: {} };
  for (const name of COLOURS) {
    const words = style.getPropertyValue("--" + name).trim();
    colours.words[name] = words;
    parts[name] = [1, 3, 5].map(i => parseInt(words.slice(i, i + 2), 16) / 255);
  }
  Object.assign(colours, parts);
}

// Without WebGL2 everything but the picture works.
function beginPainter() {
  const gl = world.getContext("webgl2", { alpha: false, antialias: true });
  painter = gl ? new Painter(gl, tape, scene.shapes) : null;
  find("none").hidden = Boolean(gl);
  find("world-tools").hidden = !gl;
}

function draw() {
  const { clientWidth: width, clientHeight: height } = world, ratio = Math.min(2, window.devicePixelRatio || 1);
  const sharp = playing ? ratio * fine : ratio;
  if (!colours) readColours();
  const colour = name => colours.words[name];
  scene.at(t);
  if (painter && width && height) {
    const size = [width, height].map(x => Math.max(1, Math.round(x * sharp)));
    if (world.width !== size[0] || world.height !== size[1]) [world.width, world.height] = size;
    eye.fit(width, height);
    if (eye.follows && scene.chosen >= 0 && scene.there[scene.chosen]) eye.target = scene.middle(scene.chosen);
    eye.updateAxes();
    scene.cell = tape.dim === 3 ? round(tape.size / 4) : round(64 / eye.scale * tape.size);
    scene.hideWalls(eye);
    painter.draw(scene, eye, colours, sharp);
    marks.draw(colour, ratio, matchMedia("print").matches ? world : null);
  }
  strip.draw(t, colour);
  announce();
}

// The text of this time; in words for a reader of the screen only while nothing moves.
function announce() {
  const step = Math.min(tape.steps, Math.floor(t / tape.dt + 1e-6)).toLocaleString("en");
  const contacts = tape.reached(tape.contactTimes, t);
  write("now", tape.timeText(t));
  write("step", step);
  write("reds", String(scene.reds));
  write("contacts", contacts.toLocaleString("en"));
  write("contact-word", contacts === 1 ? "contact" : "contacts");
  find("reds").parentElement.classList.toggle("met", scene.reds > 0);
  find("slider").value = t / tape.dt;
  if (playing && performance.now() - written < 100) return;
  written = performance.now();
  panel.draw();
  if (playing) return;
  const words = `${tape.timeText(t)} seconds, step ${step} of ${find("steps").textContent}, ${scene.reds} in collision`;
  find("slider").setAttribute("aria-valuetext", words);
  world.setAttribute("aria-label", `The bodies at ${words}. ${several(contacts, "contact")} so far.`);
}

function frame(time) {
  queued = false;
  if (playing) {
    coarsen(time - before);
    t += Math.min(0.1, Math.max(0, (time - before) / 1000)) * speed;
    before = time;
    if (t >= tape.end) loop ? (t %= tape.end) : play(false, tape.end);
  }
  draw();
  if (playing) redraw();
}

// If pictures take long, those of a playing run have fewer pixels.
function coarsen(interval) {
  pace += 0.1 * (Math.min(interval, 200) - pace);
  if (pace < 38 || fine < 0.5) return;
  fine *= 0.75;
  pace = 16;
}

function redraw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(frame);
}

// ---- The current time
function visit(time) {
  play(false, Math.max(0, Math.min(tape.end, time)));
}

// To the next moment between two steps, or the one before.
function stepBy(sign) {
  const k = sign > 0 ? Math.floor(t / tape.dt + 1e-6) + 1 : Math.ceil(t / tape.dt - 1e-6) - 1;
  visit(Math.min(tape.steps, Math.max(0, k)) * tape.dt);
}

function play(on, time = t) {
  t = on && time >= tape.end ? 0 : time;
  playing = on;
  before = performance.now();
  find("play").setAttribute("aria-label", on ? "Pause" : "Play");
  find("play").classList.toggle("playing", on);
  for (const id of ["first", "previous"]) find(id).setAttribute("aria-disabled", String(!on && t <= 0));
  for (const id of ["next", "last"]) find(id).setAttribute("aria-disabled", String(!on && t >= tape.end));
  if (!on) remember();
  redraw();
}

function choose(i) {
  scene.chosen = i >= 0 && i < tape.count ? i : -1;
  if (scene.chosen < 0) eye.follows = false;
  if (scene.chosen < 0 && find("chosen").contains(document.activeElement)) world.focus(); // what had the focus is gone
  scene.at(t);
  panel.choose(scene.chosen);
  find("which").value = scene.chosen < 0 ? "" : scene.chosen;
  moved();
}

function moved() {
  find("follow").setAttribute("aria-pressed", String(eye.follows));
  remember();
  redraw();
}

// The address contains the time, the place of the eye and the chosen body; it is written now and then.
function remember() {
  clearTimeout(remembered);
  remembered = setTimeout(() => {
    const parts = ["t=" + Number(t.toPrecision(9)), "view=" + eye.words];
    if (scene.chosen >= 0) parts.push("body=" + scene.chosen + (eye.follows ? "+" : ""));
    const words = "#" + parts.join("&");
    if (playing || words === location.hash) return;
    try {
      history.replaceState(null, "", words);
    } catch (error) {
      location.replace(words);
    }
  }, 400);
}

// True if the address contained a time.
function fromFragment() {
  const part = name => (new RegExp("[#&]" + name + "=([^&]*)").exec(location.hash) || [])[1];
  const time = parseFloat(part("t")), body = part("body");
  if (part("view")) eye.words = part("view");
  if (body) choose(parseInt(body, 10));
  eye.follows = Boolean(body) && body.endsWith("+") && scene.chosen >= 0;
  if (isNumber(time)) visit(time);
  moved();
  return isNumber(time);
}

// ---- Controls
// A run that is soon over is first shown slowly.
function speeds() {
  const list = [1 / 4, 1 / 2, 1, 2, 4], select = find("speed");
  while (tape.end / list[0] < 12 && list[0] > 1e-12) list.unshift(list[0] / 2);
  while (tape.end / list[list.length - 1] > 60 && list.length < 40) list.push(list[list.length - 1] * 2);
  speed = tape.end >= 3 ? 1 : list.find(x => tape.end / x <= 8) || list[0];
  const part = x => (x === 0.25 ? "¼" : x === 0.5 ? "½" : x > 1e-3 ? "1/" + Math.round(1 / x) : decimal(x, 1));
  for (const x of list) {
    const option = make("option", "", (x >= 1 ? x : part(x)) + "×");
    option.value = x;
    option.selected = x === speed;
    select.append(option);
  }
  select.addEventListener("change", () => (speed = Number(select.value)));
}

function faster(by) {
  const select = find("speed"), { length } = select.options;
  select.selectedIndex = Math.max(0, Math.min(length - 1, select.selectedIndex + by));
  speed = Number(select.value);
}

// A button that is on or off.
function toggle(id, on, act) {
  const button = find(id), set = state => {
    button.setAttribute("aria-pressed", String(state));
    act(state);
    redraw();
  };
  button.addEventListener("click", () => set(button.getAttribute("aria-pressed") !== "true"));
  set(on);
}

function press(id, act) {
  find(id).addEventListener("click", act);
}

function controls() {
  find("slider").max = tape.steps;
  find("slider").addEventListener("input", event => visit(Math.round(Number(event.target.value)) * tape.dt));
  press("first", () => visit(0));
  press("previous", () => stepBy(-1));
  press("next", () => stepBy(1));
  press("last", () => visit(tape.end));
  press("play", () => play(!playing));
  press("near", () => eye.zoomBy(1.4));
  press("away", () => eye.zoomBy(1 / 1.4));
  press("reset", () => eye.reset());
  press("close", () => choose(-1));
  toggle("loop", false, on => (loop = on));
  toggle("trails", true, on => (scene.trails = on));
  toggle("touches", true, on => (marks.contacts = on));
  toggle("follow", false, on => (eye.follows = on && scene.chosen >= 0));
  find("which").max = tape.count - 1;
  find("which").addEventListener("input", event => choose(event.target.value === "" ? -1 : Number(event.target.value)));
  speeds();
  addEventListener("keydown", keys);
  new Hand(eye, (x, y, limit) => choose(scene.pick(eye, x, y, limit)));
}

function keys(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, input[type=number]")) return;
  const acts = { ArrowLeft: () => stepBy(-1), ArrowRight: () => stepBy(1), Home: () => visit(0),
    End: () => visit(tape.end), "+": () => faster(1), "=": () => faster(1), "-": () => faster(-1),
    Escape: () => choose(-1) };
  if (acts[event.key] && (!event.shiftKey || event.key === "+")) acts[event.key]();
  else if (event.key === " " && !event.target.closest("button, summary, a")) play(!playing);
  else return;
  event.preventDefault();
}

// The numbers of this time in one line: smaller ones where they do not fit, and then without the step.
function fitReadout() {
  const line = find("readout");
  write("now", tape.timeText(tape.end)); // the longest one
  for (const name of ["", " tight", " tight tighter"]) {
    line.className = "readout" + name;
    if (line.scrollWidth <= line.clientWidth) return;
  }
}

// ---- Begin
function begin() {
  panel.begin(story);
  legend(tape, story);
  write("steps", tape.steps.toLocaleString("en"));
  const reds = Math.max(0, ...tape.crowd(Math.min(tape.steps, 2000) || 1));
  const widest = { step: tape.steps, reds, contacts: tape.contacts.length };
  for (const [id, most] of Object.entries(widest)) find(id).style.minWidth = most.toLocaleString("en").length + "ch";
  document.body.classList.toggle("flat", tape.dim === 2);
  if (tape.dim === 2) document.documentElement.style.setProperty("--tall", tape.half[1] / tape.half[0]);
  find("which").placeholder = "0–" + (tape.count - 1);
  write("dragging", tape.dim === 3 ? "In the picture a drag or Shift-arrows turn, a right drag or W A S D move" :
    "In the picture a drag or W A S D move");
  write("finger", tape.dim === 3 ? "A finger turns the picture" : "A finger moves the picture");
  story.bodies = story.contacts = story.shapes = null; // they are packed now
  const wide = matchMedia("(min-width: 761px)").matches;
  document.querySelectorAll("details").forEach(details => (details.open = wide));
  controls();
  beginPainter();
  world.addEventListener("webglcontextlost", event => {
    event.preventDefault();
    painter = null;
  });
  world.addEventListener("webglcontextrestored", () => {
    beginPainter();
    redraw();
  });
  // Drawn anew before the frame of the new size is shown: a bitmap of the old size would be stretched.
  const resized = new ResizeObserver(() => {
    fitReadout();
    draw();
  });
  for (const canvas of [world, find("strip")]) resized.observe(canvas);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) {
    matchMedia(query).addEventListener("change", () => {
      readColours();
      draw();
    });
  }
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(details => (details.open = true)));
  addEventListener("hashchange", fromFragment);
  if (!fromFragment() && !calm.matches) play(true);
}

begin();
