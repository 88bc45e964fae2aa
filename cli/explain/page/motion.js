// Bodies that move: where they are at a moment, the relative path against A − B, and the time bar.

const STATES = { free: ["proof", "proved free"], undecided: ["open", "undecided"],
  met: ["met", "after the first contact"] };

// The moment that a place of the story shows.
function momentOf({ motion }, { kind, k }) {
  return motion.moments[kind === "moment" ? k : kind === "answer" ? motion.key : 0];
}

// The transformation of a body from the start to a moment.
function carrier(from, to) {
  const [p, q] = [vector(from.position), vector(to.position)], [w, ...v] = product(to.rotation, inverse(from.rotation));
  const turn = x => {
    const t = times(cross(v, x), 2 / (w * w + dot(v, v)));
    return add(add(x, t, w), cross(v, t));
  };
  return { direction: turn, point: x => add(turn(minus(x, p)), q) };
}

const inverse = ([w, x, y, z]) => [w, -x, -y, -z];

// Quaternions of any length: the larger one is scaled first.
function product(p, q) {
  const small = r => r.map(x => x / Math.max(...r.map(Math.abs)));
  const [[a, ...u], [b, ...v]] = [small(p), small(q)];
  return [a * b - dot(u, v), ...add(add(times(v, a), u, b), cross(u, v))];
}

// A mesh of the story, carried along.
function carried(mesh, transform) {
  if (!mesh) return null;
  if (mesh.kind === "plane") {
    const point = transform.point(vector(mesh.point)), normal = transform.direction(vector(mesh.normal));
    return prepareMesh({ ...mesh, point, normal });
  }
  return prepareMesh({ ...mesh, points: mesh.points.map(p => transform.point(vector(p))) });
}

// The bodies as they are then.
function bodiesAt(tale, moment) {
  const { motion } = tale;
  motion.seen = motion.seen || new Map();
  if (!motion.seen.has(moment)) {
    motion.seen.set(moment, tale.bodies.map((body, i) => {
      const key = i ? "b" : "a", transform = carrier(motion.moments[0][key], moment[key]), raw = story.bodies[i];
      if (moment === motion.moments[0]) return body;
      const others = (raw.others || []).map(mesh => carried(mesh, transform)).filter(Boolean);
      const carry = p => transform.point(vector(p)), { points, dots } = raw.faces || {};
      const faces = raw.faces && prepareFaces({ ...raw.faces, points: points.map(carry), dots: dots.map(carry) });
      return { ...body, mesh: carried(raw.mesh, transform), others, faces };
    }));
  }
  return motion.seen.get(moment);
}

// A − B as it is then, of its cores and whole, where bodies turn and that was recorded.
function turned(moment) {
  moment.meshes = moment.meshes || [prepareMesh(moment.core), prepareMesh(moment.cso)];
  return moment.meshes;
}

const velocityOf = ({ motion }, i) => vector(i ? motion.velocity_b : motion.velocity_a) || [0, 0, 0];
const movesAt = ({ motion: { moments } }, i) =>
  new Set(moments.map(moment => JSON.stringify(moment[i ? "b" : "a"]))).size > 1;
const pathAt = ({ motion }, t) => (t > 0 ? times(vector(motion.u), t) : [0, 0, 0]);

// All that is to be seen of the bodies until the end of the path that is drawn.
function motionPoints(tale) {
  const { motion } = tale, shown = motion.moments.filter((m, k) => k === motion.key || m.t <= motion.t_drawn);
  const points = shown.flatMap(moment => bodiesAt(tale, moment)).flatMap(pointsOf);
  tale.bodies.forEach(({ mesh, faces }, i) => {
    const parts = [mesh, faces].flatMap(part => (part ? part.points : []));
    points.push(...parts.map(p => add(p, velocityOf(tale, i), motion.t_drawn)));
  });
  return points.concat(tale.point ? [tale.point] : []);
}

function pathPoints(tale) {
  const points = [...differencePoints(tale), pathAt(tale, tale.motion.t_drawn), pathAt(tale, tale.motion.t_key)];
  for (const moment of tale.motion.turns ? tale.motion.moments : []) {
    for (const mesh of turned(moment)) points.push(...(mesh ? mesh.points : []));
  }
  return points;
}

// In 3D the first view of a motion is nearly across its path and the separating direction.
function aimAcross({ motion, separator, direction }, turn) {
  const d = separator || direction, toward = d && unit(cross(vector(motion.u), d));
  if (!toward) return;
  const [x, y, z] = toward[2] < 0 ? times(toward, -1) : toward;
  turn.yaw = Math.atan2(y, x) + 0.2;
  turn.pitch = Math.min(1.1, Math.asin(Math.min(1, z)) + 0.15);
}

class MotionWorld extends World {
  draw(place) {
    const { tale, view } = this, moment = momentOf(tale, place), bodies = bodiesAt(tale, moment);
    const d = tale.separator || tale.direction, order = [[bodies[0], "a"], [bodies[1], "b"]];
    view.measures();
    if (moment.t > 0) this.starts();
    for (const { name, others } of bodies) {
      for (const mesh of others) view.mesh(mesh, name.toLowerCase(), { faint: true });
    }
    if (d && dot(d, view.toward) < 0) order.reverse();
    drawBodies(view, order, tale.ray && tale.ray.inside, () => this.gap(moment));
    this.hits(place);
    const meets = tale.point && (place.kind === "answer" || moment.t === tale.motion.t_key);
    if (!meets) bodies.forEach((body, i) => this.velocity(body, i));
    new World({ ...tale, bodies }, view).names();
    if (meets) this.contact();
    view.labels.draw();
  }

  // Their places at the start.
  starts() {
    this.tale.bodies.forEach((body, i) => {
      if (movesAt(this.tale, i)) drawBody(this.view, body, i ? "b" : "a", { faint: true, dash: [4, 4] });
    });
  }

  // The faces that a ray hits, and why a body at the start is inside.
  hits({ kind }) {
    const { tale: { ray }, view } = this;
    if (ray && ray.inside && kind === "answer") drawRay(view, ray);
    if (!ray || ray.inside || !ray.hits.length) return;
    view.line(ray.origin, ray.hits[ray.hits.length - 1], "b", { width: 1, dash: [3, 4] });
    for (const at of ray.hits) view.dot(at, "met", 4, true);
  }

  // The gap between A and B along d, while it is proved.
  gap({ t }) {
    const { tale, view } = this, { evidence, spans } = tale.motion, d = tale.separator;
    const free = spans.find(span => span.state === "free");
    if (!d || !free || t > free.to || !isNumber(evidence.max_a) || tale.motion.sweep) return;
    const [endA, begin] = [evidence.max_a + t * dot(d, velocityOf(tale, 0)),
      evidence.min_b + t * dot(d, velocityOf(tale, 1))];
    if (view.dim === 2) this.slab(d, endA, begin);
    const near = view.center;
    view.across(times(d, endA), d, "proof", { near, dash: [], width: 1.5, radius: 0.5 });
    view.across(times(d, begin), d, "proof", { near, dash: [], width: 1.5, radius: 0.5 });
  }

  velocity({ mesh }, i) {
    const { tale, view } = this, v = unit(velocityOf(tale, i));
    if (!v || !mesh || mesh.plane) return;
    const from = middleOf(mesh), to = add(from, v, view.length(46));
    view.arrow(from, to, i ? "b" : "a");
  }

  contact() {
    const { tale, view } = this;
    if (tale.normal) view.arrow(tale.point, add(tale.point, tale.normal, view.length(40)), "met");
    view.dot(tale.point, "met", 5.5);
  }
}

class MotionPath extends Difference {
  draw(place) {
    const { tale, view } = this, moment = momentOf(tale, place);
    view.measures();
    const [core, cso] = moment.t > 0 ? turned(moment) : [null, null], late = Boolean(core || cso);
    view.mesh(tale.cso, "c", { faint: Boolean(tale.core) || late, alpha: 0.2, dash: late ? [4, 4] : [] });
    view.mesh(tale.core, "c", { alpha: 0.4, faint: late, dash: late ? [4, 4] : [] });
    view.mesh(cso, "c", { faint: Boolean(core), alpha: 0.2 });
    view.mesh(core, "c", { alpha: 0.4 });
    this.border();
    this.path();
    if (place.kind === "answer") this.proof();
    view.origin();
    if (place.kind !== "query") this.point(moment);
    view.labels.draw();
  }

  // The end of A − B along d: the path is beyond it while it is proved free.
  border() {
    const { tale, view } = this, { evidence, sweep } = tale.motion, d = tale.separator;
    if (!d || sweep || !isNumber(evidence.max_a) || !isNumber(evidence.min_b)) return;
    view.across(times(d, evidence.max_a - evidence.min_b), d, "proof",
      { near: pathAt(tale, tale.motion.t_key), radius: 0.5 });
  }

  path() {
    const { tale, view } = this, { spans, t_drawn: drawn } = tale.motion;
    for (const { from, to, state } of spans) {
      if (from >= drawn) continue;
      const options = { width: 3.5, ...(state === "met" ? { dash: [3, 6] } : {}) };
      const ends = [pathAt(tale, from), pathAt(tale, Math.min(to, drawn))], [colour] = STATES[state];
      if (to >= drawn || state === spans[spans.length - 1].state) view.arrow(...ends, colour, options);
      else view.line(...ends, colour, options);
    }
  }

  // The name of a point of A − B, on the side where the path is not.
  inside({ at, label }) {
    const { view } = this, [x, y] = view.flat(this.tale.separator || [0, 0, 0]);
    view.text(view.at(at), label, "proof", { move: [-34 * x, 5 - 16 * y], size: 13, spare: true });
  }

  point({ at }) {
    const { tale, view } = this, p = vector(at);
    if (!p || !unit(vector(tale.motion.u))) return; // it stays on the origin
    view.dot(p, "walk", 6.5);
    view.text(view.at(p), "t·u", "walk", { move: [0, -14], size: 14 });
  }

  // The points of the certificate, and how near the path passes.
  proof() {
    const { tale, view } = this, { motion } = tale, [lower, upper] = (story.answer || {}).min_distance || [];
    const named = motion.turns ? [] : (motion.evidence.points || []).map(i => tale.points[i]).filter(p => p && p.at);
    drawSimplex(view, named.map(p => p.at), "proof");
    for (const p of named) {
      view.dot(p.at, "proof");
      if (p.label && named.length < 4) this.inside(p);
    }
    if (!isNumber(lower) || !isNumber(upper) || !tale.separator || motion.turns) return;
    const at = pathAt(tale, motion.t_key), foot = add(at, tale.separator, -upper);
    view.line(at, foot, "proof", { width: 2.5 });
    view.dot(foot, "proof");
    view.measure(at, foot, decimal(upper));
  }
}

// The time bar. `choose(k)` is called with the moment that was pointed at.
class TimeBar {
  constructor(place, motion, choose) {
    Object.assign(this, { place, motion, choose, now: -1 });
    new ResizeObserver(() => this.draw()).observe(place);
  }

  mark(k) {
    this.now = k;
    this.draw();
  }

  x(t) {
    return 8 + (this.motion.t_end > 0 ? t / this.motion.t_end : 0) * (this.width - 16);
  }

  draw() {
    this.width = Math.max(200, Math.floor(this.place.clientWidth));
    const picture = svg("svg", { viewBox: `0 0 ${this.width} 54`, width: this.width, height: 54, role: "img",
      "aria-label": "The times that are proved free of contact, and the relation in each sample" });
    this.spans(picture);
    this.samples(picture);
    this.numbers(picture);
    const moment = this.motion.moments[this.now], x = moment ? this.x(moment.t) : 0;
    if (moment) picture.append(svg("line", { class: "cursor", x1: x, x2: x, y1: 1, y2: 39 }));
    picture.addEventListener("click", event => this.point(event.clientX - picture.getBoundingClientRect().left));
    this.place.replaceChildren(picture);
  }

  // An undecided span is visible, however short.
  spans(picture) {
    for (const { from, to, state } of [...this.motion.spans].reverse()) {
      const least = state === "undecided" ? 3 : 0, left = Math.min(this.x(from), this.width - 8 - least);
      const width = Math.max(least, (this.motion.t_end > 0 ? this.x(to) : this.width - 8) - left);
      picture.append(svg("rect", { class: "span " + state, x: left, y: 5, width, height: 14 }));
    }
    const ends = this.motion.steps.slice(0, -1);
    for (const { to } of ends.length > 120 ? [] : ends) {
      picture.append(svg("line", { class: "cut", x1: this.x(to), x2: this.x(to), y1: 5, y2: 19 }));
    }
  }

  samples(picture) {
    for (const { t, sampled, relation } of this.motion.moments) {
      if (sampled) picture.append(svg("circle", { class: "sample " + relation, cx: this.x(t), cy: 31, r: 4.5 }));
    }
  }

  // 0, the time that matters, and the end; where they would meet, the former is left out last.
  numbers(picture) {
    const { t_key: key, t_end: end } = this.motion, y = 51;
    const name = "t = " + decimal(key, 6), half = name.length * 3.7, last = decimal(end, 4);
    const x = Math.max(half + 2, Math.min(this.width - half - 2, this.x(key)));
    if (key > 0) picture.append(svg("text", { class: "tick key", x, y, "text-anchor": "middle" }, name));
    if (!(key > 0) || x - half > 24) picture.append(svg("text", { class: "tick", x: 4, y }, "0"));
    if (key > 0 && x + half > this.width - 14 - last.length * 7.5) return;
    picture.append(svg("text", { class: "tick", x: this.width - 4, y, "text-anchor": "end" }, last));
  }

  point(x) {
    const away = ({ t }) => Math.abs(this.x(t) - x), { moments } = this.motion;
    this.choose(moments.reduce((best, m, k) => (away(m) < away(moments[best]) ? k : best), 0));
  }
}

// The meaning of the colours that occur.
function timeLegend(motion) {
  const signs = [...new Set(motion.spans.map(span => span.state))].map(state => ["span " + state, STATES[state][1]]);
  const samples = [...new Set(motion.moments.filter(m => m.sampled).map(m => m.relation))];
  return [...signs, ...samples.map((name, i) => ["sample " + name, (i ? "" : "sampled: ") + name])].map(([name, words]) => {
    const part = make("span", "", words);
    part.prepend(make("i", name));
    return part;
  });
}
