// The page: where in the story we are, the controls, and what is written.

// The places of the story in order: the query, every step, every axis, the answer.
const places = [{ kind: "query" }, ...tale.steps.map((_, k) => ({ kind: "step", k })),
  ...tale.axes.map((_, k) => ({ kind: "axis", k })),
  ...(tale.motion ? tale.motion.moments : []).map((_, k) => ({ kind: "moment", k })), { kind: "answer" }];
const last = places.length - 1;
let now = 0, hover = -1, timer = 0, queued = false;

// ---- The two views
const turn = { yaw: 0.6, pitch: 0.35 };
const world = new View(find("world"), tale.dim, turn, redraw);
const difference = new View(find("difference"), tale.dim, turn, redraw);
const scenes = tale.motion ? [new MotionWorld(tale, world), new MotionPath(tale, difference)] :
  [new World(tale, world), new Difference(tale, difference)];

// In 3D the first view is across the direction from A to B, which lies in the picture: a gap is visible. With faces, which
// would be seen from their sides, it is turned further.
function aim() {
  const u = tale.motion && unit(vector(tale.motion.u)), motionDirection = u && times(u, tale.motion.ray ? 1 : -1);
  const d = motionDirection || tale.normal || tale.direction, level = d ? Math.hypot(d[0], d[1]) : 0;
  if (d && level < 0.45) turn.pitch = 0.12;
  const slant = -Math.tan(turn.pitch) * (d ? d[2] : 0) / level;
  if (Math.abs(slant) <= 1) turn.yaw = Math.atan2(d[1], d[0]) - Math.acos(slant);
  if (tale.motion && !tale.point) aimAcross(tale, turn);
  if (tale.bodies.some(({ faces }) => faces)) [turn.yaw, turn.pitch] = [turn.yaw + 0.45, Math.max(turn.pitch, 0.3)];
  turn.first = { yaw: turn.yaw, pitch: turn.pitch };
  world.frame(tale.motion ? motionPoints(tale) : worldPoints(tale));
  difference.frame(tale.motion ? pathPoints(tale) : differencePoints(tale));
  world.bars = scenes[0].bars();
}

function hovered() {
  return hover < 0 ? null : hover < tale.points.length ? tale.points[hover] : tale.vertices[hover - tale.points.length];
}

function draw() {
  const colours = readPalette(), bases = scales();
  [world, difference].forEach((view, i) => {
    view.begin(colours, bases[i]);
    scenes[i].draw(places[now], hovered());
  });
}

function redraw() {
  if (queued) return;
  queued = true;
  requestAnimationFrame(() => {
    queued = false;
    draw();
  });
}

// How large each view is drawn: in 2D, lengths are the same in both if that leaves neither small.
function scales() {
  const bases = [world.fitting(), difference.fitting()], alike = world.size / difference.size;
  const ratio = bases[0] / (bases[1] * alike);
  if (tale.dim === 2 && ratio >= 1 && ratio < 1.7) bases[0] = bases[1] * alike;
  if (tale.dim === 2 && ratio < 1 && ratio > 1 / 1.7) bases[1] = bases[0] / alike;
  return bases;
}

difference.picked = found => {
  difference.canvas.classList.toggle("picking", found >= 0);
  if (found === hover) return;
  hover = found;
  redraw();
};

// ---- On small screens the words of a step are folded to their first lines
function unfold(open) {
  find("telling").classList.toggle("open", open);
  find("more").setAttribute("aria-expanded", String(open));
}

function foldable() {
  const words = find("step-words"), open = find("telling").classList.contains("open");
  find("more").classList.toggle("idle", !open && words.scrollHeight <= words.clientHeight + 2);
}

// ---- The current place
function go(k, quiet) {
  now = Math.max(0, Math.min(last, Math.round(k) || 0));
  const place = places[now], words = powers(wordsOf(place));
  hover = -1;
  find("slider").value = now;
  find("slider").setAttribute("aria-valuetext", titleOf(place));
  find("step-title").textContent = titleOf(place);
  writeColoured(find("step-words"), words, { found: place.kind === "step" ? "walk" : "proof" });
  foldable();
  legends(place);
  world.canvas.setAttribute("aria-label", `The shapes. ${titleOf(place)}: ${words}`);
  difference.canvas.setAttribute("aria-label", `Their ${tale.sum ? "sum" : "difference"}. ${titleOf(place)}: ${words}`);
  for (const id of ["first", "previous"]) find(id).setAttribute("aria-disabled", String(now === 0));
  for (const id of ["next", "last"]) find(id).setAttribute("aria-disabled", String(now === last));
  if (band) {
    band.mark(place.kind === "step" ? place.k + 1 : place.kind === "answer" ? band.rows.length : 0);
    find("searches").textContent = band.boundsText();
  }
  if (bar) bar.mark(tale.motion.moments.indexOf(momentOf(tale, place)));
  table.show(place);
  document.querySelectorAll("button.axis").forEach((row, i) => {
    row.classList.toggle("now", place.kind === "axis" && place.k === i);
  });
  if (!quiet) remember();
  redraw();
}

function remember() {
  try {
    history.replaceState(null, "", "#step=" + now);
  } catch (error) {
    location.replace("#step=" + now);
  }
}

function fromFragment() {
  const found = /step=(\d+)/.exec(location.hash);
  if (found && Number(found[1]) !== now) go(Number(found[1]), true);
}

// Playing only jumps from place to place, as all stepping; slowly, if the user prefers reduced motion.
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const pace = () => (calm.matches ? 3000 : 1200);

function play(on = !timer) {
  clearTimeout(timer);
  timer = 0;
  if (on) {
    if (now === last) go(0);
    const further = () => {
      if (now === last) return play(false);
      go(now + 1);
      timer = setTimeout(further, pace());
    };
    timer = setTimeout(further, pace());
  }
  find("play").setAttribute("aria-label", timer ? "Pause" : "Play");
  find("play").classList.toggle("playing", Boolean(timer));
}

function visit(k) {
  play(false);
  go(k);
}

// To where A and B are nearest, or deepest in each other.
function closer(view) {
  const w = minus(tale.a, tale.b), middle = view === world ? add(tale.b, w, 0.5) : times(w, 0.5);
  view.focus(middle, Math.abs(tale.distance));
}

function zoomButtons(view) {
  const row = view.canvas.parentElement.querySelector(".zoom");
  const near = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" });
  near.append(svg("circle", { cx: 12, cy: 12, r: 6 }), svg("path", { d: "M12 2v8M12 14v8M2 12h8M14 12h8" }));
  const buttons = [["Zoom in (+)", "+", () => view.zoomBy(1.5)], ["Zoom out (−)", "−", () => view.zoomBy(1 / 1.5)],
    ["Reset the view (0)", "⟲", () => view.reset()]];
  if (tale.a && tale.b) buttons.unshift(["Zoom to the nearest points", near, () => closer(view)]);
  for (const [title, sign, act] of buttons) {
    const button = row.appendChild(make("button"));
    button.append(sign);
    Object.assign(button, { type: "button", title });
    button.setAttribute("aria-label", title);
    button.addEventListener("click", act);
  }
}

function controls() {
  find("slider").max = last;
  find("slider").addEventListener("input", event => visit(Number(event.target.value)));
  const moves = { first: () => 0, previous: () => now - 1, next: () => now + 1, last: () => last };
  for (const [id, target] of Object.entries(moves)) find(id).addEventListener("click", () => visit(target()));
  find("play").addEventListener("click", () => play());
  addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const keys = { ArrowLeft: () => now - 1, ArrowRight: () => now + 1, Home: () => 0, End: () => last };
    if (keys[event.key]) visit(keys[event.key]());
    else if (event.key === " " && !event.target.closest("button, summary, a")) play();
    else return;
    event.preventDefault();
  });
  // Drawn anew before the frame of the new size is shown: a bitmap of the old size would be stretched.
  const resized = new ResizeObserver(draw);
  for (const view of [world, difference]) {
    zoomButtons(view);
    resized.observe(view.canvas);
  }
  addEventListener("resize", redraw);
  new ResizeObserver(fitPhases).observe(find("marks"));
  find("more").addEventListener("click", () => unfold(!find("telling").classList.contains("open")));
  new ResizeObserver(foldable).observe(find("step-words"));
  addEventListener("hashchange", fromFragment);
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", redraw);
}

// The steps at which phases change and searches stop.
function marks() {
  const strip = find("marks"), at = k => (last ? 100 * k / last : 0) + "%";
  let begin = 1;
  places.forEach(({ kind, k }, i) => {
    if (kind !== "step" && kind !== "axis") return;
    const phase = j => (places[j].kind === "axis" ? "axis" : (tale.steps[places[j].k] || {}).phase);
    if (kind === "step" && tale.steps[k].stop) strip.append(tick(at(i), "stop"));
    if (phase(i + 1) === phase(i) && places[i + 1].kind === kind) return;
    const bar = make("span", "phase");
    bar.append(make("span", "", PHASES[phase(i)] || phase(i)));
    bar.style.left = at(begin - 0.5);
    bar.style.width = 100 * (i + 1 - begin) / last + "%";
    strip.append(bar);
    begin = i + 1;
  });
  if (places.length <= 60) places.forEach((_, i) => strip.append(tick(at(i), "")));
}

// Names of phases stand where there is space for them.
function fitPhases() {
  for (const bar of find("marks").querySelectorAll(".phase")) {
    bar.firstChild.hidden = false;
    bar.firstChild.hidden = bar.scrollWidth > bar.clientWidth + 1;
  }
}

function tick(left, className) {
  const mark = make("i", className);
  mark.style.left = left;
  return mark;
}

// ---- Below the views
function header() {
  const answer = story.answer || {}, words = story.words || {};
  const title = (words.query || "A query").replaceAll(" ≤ ", "\u00a0≤\u00a0");
  writeColoured(find("query-title"), title, { pattern: /\b([AB])\b/ });
  document.title = powers(words.query || "A query") + " · Graze";
  const verdict = find("verdict");
  if (tale.relation) verdict.append(make("strong", "relation", tale.relation));
  if (isNumber(answer.distance)) verdict.append(make("span", "", `distance ${decimal(answer.distance, 6)}`));
  if (isNumber(answer.lower) && isNumber(answer.upper)) {
    verdict.append(make("span", "interval", `guaranteed interval [${exactly(answer.lower)}, ${exactly(answer.upper)}]`));
  }
  if (tale.vertices.length) {
    const holds = story.minkowski.holds_origin ? "contains" : "does not contain";
    verdict.append(make("span", "", `${tale.vertices.length} vertices; ${holds} the origin`));
  }
  if (tale.motion) passing(verdict, answer);
  const proved = tale.evidence.verdict;
  if (proved) verdict.append(make("span", "badge " + proved, (proved === "verified" ? "✓ " : "") + proved));
  find("dragging").textContent = tale.dim === 3 ? "turn" : "move";
  find("set").textContent = tale.sum ? "A + B" : "A − B";
  const pair = story.of_parts && !tale.motion, name = tale.sum ? "Minkowski sum " : pair ? "" : "Minkowski difference ";
  find("difference-title").replaceChildren(make("span", "long", tale.motion ? "The path against " : name),
    tale.sum ? "A + B" : "A − B",
    make("span", "long", !pair ? "" : tale.ray ? " of the nearest pair" : " of the deciding pair"));
  drawn((story.words || {}).drawn);
}

// The meaning of the colours of faces, and how many are drawn.
function drawn(words) {
  const faced = tale.bodies.filter(({ faces }) => faces), face = tale.dim === 2 ? "edges" : "triangles";
  find("drawn").hidden = !faced.length;
  const strong = faced.some(({ mesh }) => mesh) ? `The deciding ${face} have a strong colour.` : "";
  find("drawn").textContent = [strong, words,
    faced.some(({ faces }) => faces.dots.length) ? "The dots are some vertices of the whole mesh." : ""].filter(Boolean).join(" ");
}

// The result of a motion.
function passing(verdict, answer) {
  const { t_lower: lower, t_upper: upper, min_distance: near } = answer, clear = lower === null;
  verdict.append(make("strong", clear ? "relation" : "met", answer.result || (answer.hit ? "hit" : "clear")));
  if (!clear) {
    const prefix = answer.path === "discrete" ? "first contact between two samples, at" : "first contact at";
    verdict.append(make("span", "interval", `${prefix} t in [${exactly(lower)}, ${exactly(upper)}]`));
  }
  if (clear && near && isNumber(near[0])) {
    const upTo = isNumber(near[1]) ? `, ${exactly(near[1])}]` : " or more";
    verdict.append(make("span", "interval", `minimum distance ${isNumber(near[1]) ? "in [" : ""}${exactly(near[0])}${upTo}`));
  }
}

// Rows of the evidence about a motion.
function motionRows({ evidence, u }) {
  return [["relative velocity u", tuple(u, 6)],
    ["closing speed of the gap", isNumber(evidence.closing) && exactly(evidence.closing)],
    ["proved lower bound of the gap", isNumber(evidence.gap) && exactly(evidence.gap)],
    ["this direction proves no contact until t =", isNumber(evidence.free_until) && exactly(evidence.free_until)],
    ["proved upper bound of the minimum distance", isNumber(evidence.near_upper) && exactly(evidence.near_upper)]];
}

function certificate() {
  const sentences = (story.words || {}).certificate || [], evidence = tale.evidence, list = find("sentences");
  for (const text of sentences.map(sentence)) writeColoured(list.appendChild(make("p")), text, { found: "proof" });
  const rows = [["direction, from A to B", evidence.direction && tuple(evidence.direction, 6)],
    ["max d·a over A", isNumber(evidence.max_a) && exactly(evidence.max_a)],
    ["min d·b over B", isNumber(evidence.min_b) && exactly(evidence.min_b)],
    ["proved lower bound", isNumber(evidence.lower) && exactly(evidence.lower)],
    ["proved upper bound", isNumber(evidence.upper) && exactly(evidence.upper)]];
  if (tale.motion) rows.push(...motionRows(tale.motion));
  (evidence.points || []).forEach((i, k) => {
    const p = tale.points[i], weight = (evidence.weights || [])[k];
    const part = isNumber(weight) ? ", weight " + decimal(weight) : "";
    if (p) rows.push([p.label || "point " + (k + 1), tuple(story.points[i].at, 6) + part]);
  });
  for (const [name, value] of rows) {
    if (value) find("evidence").append(make("dt", "", name), make("dd", "", value));
  }
  const raw = (story.answer || {}).certificate;
  find("raw").hidden = !raw;
  find("raw").querySelector("pre").textContent = JSON.stringify(raw, null, 1);
  find("certificate").hidden = !sentences.length && !raw && !evidence.verdict;
}

function axes() {
  const first = places.findIndex(place => place.kind === "axis");
  find("axes").hidden = !tale.axes.length;
  tale.axes.forEach((axis, k) => {
    const row = axisRow(axis, k + 1, k === tale.best);
    row.addEventListener("click", () => visit(first + k));
    find("axis-rows").append(row);
  });
}

// The steps as a table; of very many those around the current one.
class Table {
  constructor(place) {
    this.place = place;
    this.window = 100;
  }

  show({ kind, k }) {
    const at = kind === "step" ? k : kind === "query" ? 0 : tale.steps.length - 1;
    const from = Math.max(0, Math.min(at - this.window / 2, tale.steps.length - this.window));
    if (from !== this.from) {
      this.from = from;
      const some = tale.steps.slice(from, from + this.window);
      this.place.replaceChildren(...some.map((step, i) => this.row(step, from + i)));
    }
    [...this.place.children].forEach((row, i) => row.classList.toggle("now", kind === "step" && from + i === k));
  }

  row(step, k) {
    const row = make("tr"), cell = (words, className) => row.append(make("td", className, words));
    const point = story.points[step.point] || {}, number = make("button", "", String(k + 1));
    number.type = "button";
    number.setAttribute("aria-label", "Go to step " + (k + 1));
    row.append(make("td"));
    row.firstChild.append(number);
    cell(PHASES[step.phase] || step.phase, "words");
    cell(tuple(step.direction));
    cell("", "walk");
    if (point.label) row.lastChild.append(make("span", "words", point.label), " ");
    row.lastChild.append(make("span", "", tuple(point.at)));
    cell(decimal(step.origin_check));
    const names = (step.simplex || []).map(i => (tale.points[i] || {}).label || "#" + (i + 1));
    cell(names.map(name => name.replaceAll(" ", "\u00a0")).join(", "), "words");
    for (const bound of [rows[k].own.lower, rows[k].own.upper]) cell(bound === null ? "–" : decimal(bound, 6));
    cell(step.stop || "", "words");
    row.addEventListener("click", () => visit(1 + k));
    return row;
  }
}

function showQuery() {
  const text = JSON.stringify(story.query), status = find("copied");
  find("copy").hidden = !story.query;
  find("query-text").textContent = story.query ? text : `The line has ${story.query_size} bytes and is not repeated here.`;
  find("copy").addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      status.textContent = "copied";
    } catch (error) {
      getSelection().selectAllChildren(find("query-text"));
      status.textContent = "selected: copy it with the keyboard";
    }
  });
}

const rows = intervals(story);
const chart = rows.length && !tale.nonconvex; // the steps of a pair of faces do not bound the depth of a solid
const band = chart ? new Band(find("chart"), rows, x => visit(x > tale.steps.length ? last : x)) : null;
const bar = tale.motion ? new TimeBar(find("time-bar"), tale.motion, k => visit(1 + k)) : null;
const table = new Table(find("rows"));
find("band").hidden = !band;
find("steps").hidden = !tale.steps.length;
find("time").hidden = !bar;
find("pointing").hidden = Boolean(bar);
if (bar) find("time-legend").replaceChildren(...timeLegend(tale.motion));
document.body.classList.toggle("moving", Boolean(bar));
find("difference-figure").hidden = !bar && !tale.core && !tale.cso && !tale.vertices.length && !tale.points.length;
if (isNumber((story.answer || {}).lower) && isNumber(story.answer.upper)) {
  find("lower").textContent = exactly(story.answer.lower);
  find("upper").textContent = exactly(story.answer.upper);
  find("width").textContent = decimal(story.answer.upper - story.answer.lower, 3);
} else {
  find("final").hidden = true;
}
header();
certificate();
axes();
showQuery();
aim();
controls();
marks();
go(0, true);
fromFragment();
