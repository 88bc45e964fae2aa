// The shapes in the world, for a place of the story.

const BESIDE = 40; // pixels between the shapes and their projections

class World {
  constructor(tale, view) {
    Object.assign(this, { tale, view });
  }

  // `place`: { kind, k } is a place in the story; `hover` is a point of the difference, or null.
  draw(place, hover) {
    const { tale, view } = this, between = () => this.between(place);
    view.measures();
    const [a, b] = tale.bodies, d = this.facing(place), bInFront = !d || dot(d, view.toward) >= 0;
    for (const { name, others } of tale.bodies) {
      for (const mesh of others) view.mesh(mesh, name.toLowerCase(), { faint: true });
    }
    const order = [[a, "a"], [b, "b"]].filter(([body]) => body);
    if (!bInFront) order.reverse();
    drawBodies(view, order, tale.ray && tale.ray.inside, between);
    if (order.length < 2) between();
    this.names();
    this[place.kind](place.k);
    if (hover) this.parents(hover);
    view.labels.draw();
  }

  // The direction from A to B by which the one in front is known.
  facing({ kind, k }) {
    const { tale } = this;
    if (tale.relation === "separated" && (tale.direction || tale.normal)) return tale.direction || tale.normal;
    return kind === "axis" ? unit(vector(tale.axes[k].direction)) : tale.normal;
  }

  // The names of the shapes: inside them, above the small, off the middle where another is.
  names() {
    const { tale, view } = this, named = ({ mesh, faces, ...body }) => ({ ...body, mesh: mesh || faces });
    const bodies = tale.bodies.map(named).filter(body => body.mesh);
    const places = bodies.map(({ mesh }) => (mesh.plane ? this.inside(mesh) : view.at(middleOf(mesh))));
    bodies.forEach(({ name, mesh }, i) => {
      const [x, y] = places[i], corners = mesh.points.map(p => view.at(p));
      const radius = Math.max(0, ...corners.map(p => Math.hypot(p[0] - x, p[1] - y)));
      const other = places[1 - i] || [Infinity, 0], crowded = Math.hypot(other[0] - x, other[1] - y) < 30;
      const opposite = corners.reduce((best, p) => (Math.hypot(p[0] - other[0], p[1] - other[1]) >
        Math.hypot(best[0] - other[0], best[1] - other[1]) ? p : best), [x, y]);
      const at = crowded && radius > 60 ? [(x + opposite[0]) / 2, (y + opposite[1]) / 2] : [x, y];
      view.text(at, name, name.toLowerCase(), { size: 17, move: [0, radius < 22 && corners.length ? -radius - 6 : 6] });
    });
  }

  // A place of a half-space near its border.
  inside({ point, normal }) {
    const middle = this.view.middle(), foot = add(middle, normal, -dot(minus(middle, point), normal));
    return this.view.at(add(foot, normal, -this.view.length(30)));
  }

  // The separating plane or slab between the shapes.
  between({ kind, k }) {
    const { tale, view } = this, near = this.near();
    if (kind === "answer" && tale.relation !== "overlapping" && tale.direction) {
      const { max_a: endA, min_b: begin } = tale.evidence, d = tale.direction;
      if (!isNumber(endA) || !isNumber(begin)) return;
      if (view.dim === 2) this.slab(d, endA, begin);
      view.across(times(d, endA), d, "proof", { near, dash: [] , width: 1.5, radius: 0.5 });
      view.across(times(d, begin), d, "proof", { near, dash: [], width: 1.5, radius: 0.5 });
    }
    if (kind === "step") this.supports(k);
  }

  near() {
    const { tale } = this;
    return tale.a && tale.b ? times(add(tale.a, tale.b), 0.5) : this.view.center;
  }

  // The strip that no point of A or B enters.
  slab(d, endA, begin) {
    const { view } = this, middle = view.middle(), span = view.length(view.width + view.height);
    const tangent = [-d[1], d[0], 0];
    const foot = h => add(middle, d, h - dot(middle, d));
    const [p, q] = [foot(endA), foot(begin)];
    const corners = [add(p, tangent, span), add(p, tangent, -span), add(q, tangent, -span), add(q, tangent, span)];
    view.fillArea(corners.map(x => view.at(x)), "proof", 0.1);
  }

  // The support points of a step, and the lines that bound A and B there.
  supports(k) {
    const { tale, view } = this, step = tale.steps[k], d = unit(vector(step.direction)), w = tale.points[step.point];
    if (!d || !w || !w.a || !w.b) return;
    view.across(w.a, d, "a", { near: w.a, radius: 0.3, width: 1.5 });
    view.across(w.b, d, "b", { near: w.b, radius: 0.3, width: 1.5 });
  }

  query() {}

  step(k) {
    const { tale, view } = this, step = tale.steps[k], d = unit(vector(step.direction));
    for (const i of step.simplex || []) {
      const w = tale.points[i];
      if (w && w.a && w.b && i !== step.point) this.pair(w, false);
    }
    const w = tale.points[step.point];
    if (!w || !w.a || !w.b) return;
    if (d) {
      const [x, y] = view.at(w.a), [u, v] = view.at(w.b); // so that two arrows towards each other do not meet
      const length = view.length(Math.min(46, Math.max(20, Math.hypot(u - x, v - y) / 2 - 18)));
      view.arrow(w.a, add(w.a, d, length), "walk");
      view.arrow(w.b, add(w.b, d, -length), "walk");
      this.tip(w.a, add(w.a, d, length), "d");
      this.tip(w.b, add(w.b, d, -length), "−d");
    }
    this.pair(w, true);
  }

  tip(p, q, words) {
    const [x, y] = this.view.at(p), [u, v] = this.view.at(q), length = Math.hypot(u - x, v - y) || 1;
    const move = [12 * (u - x) / length, 12 * (v - y) / length + 5];
    this.view.text([u, v], words, "walk", { move, size: 14, spare: true, fixed: true });
  }

  // The two parents of a point of the difference.
  pair(w, strong) {
    const { view } = this, [a, b] = (w.label || "").split(" − ");
    view.dot(w.a, "a", strong ? 6 : 4);
    view.dot(w.b, "b", strong ? 6 : 4);
    const font = strong ? { size: 14 } : { size: 12, weight: 400, spare: true };
    if (a) view.text(view.at(w.a), a, "a", { move: this.away(w.a, 0), ...font });
    if (b) view.text(view.at(w.b), b, "b", { move: this.away(w.b, 1), ...font });
  }

  // Beside a point of a body, on its far side from the middle.
  away(p, k) {
    const body = this.tale.bodies[k], [x, y] = this.view.at(p);
    const [u, v] = body && body.mesh && !body.mesh.plane ? this.view.at(middleOf(body.mesh)) : [x - 1, y];
    const length = Math.hypot(x - u, y - v) || 1;
    return [16 * (x - u) / length, 16 * (y - v) / length + 5];
  }

  parents(w) {
    if (!w.a || !w.b) return;
    this.view.line(w.b, w.a, "walk", { dash: [3, 4] });
    this.view.dot(w.a, "a", 8, true);
    this.view.dot(w.b, "b", 8, true);
    this.pair(w, true);
  }

  // The projections on an axis, on a line beside the shapes.
  axis(k) {
    const { tale, view } = this, axis = tale.axes[k], d = unit(vector(axis.direction));
    if (!d || ![...(axis.a || [NaN]), ...(axis.b || [NaN])].every(isNumber)) return;
    const flat = [dot(d, view.right), -dot(d, view.up)], length = Math.hypot(...flat);
    if (length < 0.05) return; // seen from its end
    const lines = this.sidesOf(flat, length).map(side => this.beside(side));
    const ends = [...axis.a, ...axis.b], low = Math.min(...ends), high = Math.max(...ends);
    const foot = t => view.at(add(view.center, d, t - dot(view.center, d)));
    const [right, bottom] = view.corner, hidden = (x, y) => Math.max(0, Math.min(x - right, y - bottom) + 16);
    const beyondX = x => Math.max(0, 16 - x, x - view.width + 16);
    const beyondY = y => Math.max(0, 22 - y, y - view.height + 30);
    const outside = ({ place }) => ends.map(t => place(foot(t))).reduce((sum, [x, y]) => sum + hidden(x, y) +
      beyondX(x) + beyondY(y), 0);
    const { place: beside, side } = outside(lines[0]) <= outside(lines[1]) ? lines[0] : lines[1];
    const back = Math.min(BESIDE * 1.5, Math.max(...ends.map(t => beside(foot(t))).map(([x, y]) =>
      Math.max(Math.abs(side[0]) > 0.3 ? beyondX(x) / Math.abs(side[0]) : 0,
        Math.abs(side[1]) > 0.3 ? beyondY(y) / Math.abs(side[1]) : 0))));
    const place = p => beside(p).map((x, i) => x - back * side[i]); // into the frame, if need be over the shapes
    const beyond = view.length(20 / Math.max(length, 0.2));
    view.stroke([place(foot(low - beyond)), place(foot(high + beyond))], "ink", { width: 1, alpha: 0.5 });
    [["a", axis.a, -4], ["b", axis.b, 4]].forEach(([colour, [from, to], shift]) => {
      const moved = t => place(foot(t)).map((x, i) => x + shift * side[i]);
      const { mesh } = tale.bodies[colour === "a" ? 0 : 1];
      for (const t of mesh ? [from, to] : []) {
        view.stroke([place(foot(t)), this.extreme(mesh, d, t, side)], colour, { width: 1, dash: [3, 4], alpha: 0.7 });
      }
      view.stroke([moved(from), moved(to)], colour, { width: 6 });
      const move = [side[0] * shift * 4, side[1] * shift * 4 + 5];
      view.text(moved(from / 2 + to / 2), colour.toUpperCase(), colour, { size: 14, move });
    });
  }

  // The two directions across one on the screen.
  sidesOf([x, y], length) {
    return [[-y / length, x / length], [y / length, -x / length]];
  }

  // For each axis, on either side of the shapes, where its bars end: at a scale, and moved by pixels.
  bars() {
    const { tale, view } = this, all = tale.bodies.flatMap(body => (body.mesh ? body.mesh.points : []));
    const flatten = q => [dot(q, view.right), -dot(q, view.up)], places = all.map(p => flatten(view.inner(p)));
    const found = [];
    for (const axis of tale.axes) {
      const d = unit(vector(axis.direction)), ends = [...(axis.a || [NaN]), ...(axis.b || [NaN])];
      if (!d || !ends.every(isNumber)) continue;
      const flat = flatten(d), length = Math.hypot(...flat), middle = dot(view.center, d);
      if (length < 0.05) continue;
      found.push(this.sidesOf(flat, length).map(side => {
        const border = Math.max(0, ...places.map(p => p[0] * side[0] + p[1] * side[1]));
        return [Math.min(...ends), Math.max(...ends)].map(t => ({ shift: times([...side, 0], BESIDE).slice(0, 2),
          at: [0, 1].map(i => flat[i] * (t - middle) / view.size + side[i] * border) }));
      }));
    }
    return found;
  }

  // The screen point at which a shape ends at t along d; of several corners the one farthest to a side.
  extreme(mesh, d, t, side) {
    const misses = mesh.points.map(p => Math.abs(dot(p, d) - t)), near = Math.min(...misses) + this.view.length(0.5);
    const places = mesh.points.filter((_, i) => misses[i] <= near).map(p => this.view.at(p));
    const offset = p => p[0] * side[0] + p[1] * side[1];
    return places.reduce((best, p) => (offset(p) > offset(best) ? p : best));
  }

  // The line beyond all shapes on one side, given by that side: it moves places there.
  beside(side) {
    const { tale, view } = this, [u, v] = view.at(view.center);
    const shapes = tale.bodies.flatMap(body => (body.mesh ? body.mesh.points : [])).map(p => view.at(p));
    const beyond = Math.max(...shapes.map(p => (p[0] - u) * side[0] + (p[1] - v) * side[1]), 20) + BESIDE;
    return { side, place: ([x, y]) => [x + beyond * side[0], y + beyond * side[1]] };
  }

  answer() {
    const { tale, view } = this, out = push(tale);
    if (tale.ray && tale.ray.inside) drawRay(view, tale.ray);
    if (tale.contacts.length) return this.contacts();
    if (!tale.a || !tale.b) return;
    const [, b] = tale.bodies;
    if (out && b) drawBody(view, b, "b", { move: out, faint: true, dash: [4, 4] });
    out ? view.arrow(tale.b, tale.a, "proof") : view.arrow(tale.a, tale.b, "proof");
    view.dot(tale.a, "proof");
    view.dot(tale.b, "proof");
    if (tale.distance !== null) view.measure(tale.a, tale.b, (out ? "depth " : "") + decimal(Math.abs(tale.distance)));
  }

  contacts() {
    const { tale, view } = this;
    tale.contacts.forEach(({ a, b }, i) => {
      if (!a || !b) return;
      view.line(a, b, "proof", { width: 3 });
      view.dot(a, "proof");
      view.dot(b, "proof");
      view.text(view.at(a), String(i + 1), "proof", { move: [12, -8], size: 14 });
    });
  }
}
