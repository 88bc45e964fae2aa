// A − B, where the searches walk, for a place of the story.

class Difference {
  constructor(tale, view) {
    Object.assign(this, { tale, view });
  }

  draw(place, hover, hovered) {
    const { tale, view } = this;
    view.measures();
    view.mesh(tale.cso, "c", { faint: Boolean(tale.core), alpha: 0.2 });
    view.mesh(tale.core, "c", { alpha: 0.4 });
    this[place.kind](place.k);
    view.origin();
    tale.vertices.forEach((v, i) => this.vertex(v, i));
    if (hover && hover.at) {
      view.dot(hover.at, "walk", 9, true);
      if (hover.label) view.text(view.at(hover.at), hover.label, "walk", { move: [0, -16], size: 14 });
    }
    view.labels.draw();
  }

  vertex(v, i) {
    if (!v.at) return;
    this.view.dot(v.at, "walk");
    this.view.spot(v.at, this.tale.points.length + i);
  }

  query() {}

  // The numbers of the steps that found each point, up to step k.
  numbers(k) {
    const { tale, view } = this, found = new Map();
    for (let i = 0; i <= k; i++) {
      const index = tale.steps[i].point;
      if (tale.points[index] && tale.points[index].at) found.set(index, [...(found.get(index) || []).slice(-2), i + 1]);
    }
    const simplex = new Set(tale.steps[k].simplex || []);
    for (const [index, numbers] of found) {
      const at = tale.points[index].at, current = index === tale.steps[k].point;
      view.spot(at, index);
      view.dot(at, "walk", 3.5);
      if (!current) view.badge(at, numbers.join(","), simplex.has(index));
    }
  }

  step(k) {
    const { tale, view } = this, step = tale.steps[k], d = unit(vector(step.direction)), w = tale.points[step.point];
    const places = list => (list || []).map(i => tale.points[i] && tale.points[i].at).filter(Boolean);
    if (step.polytope) this.surface({ ...step.polytope, nearest: this.expanded(step) }, "walk");
    else drawSimplex(view, places(step.simplex), "walk");
    for (const i of [...(step.simplex || []), ...((step.polytope || {}).points || [])]) {
      if (tale.points[i] && tale.points[i].at) view.spot(tale.points[i].at, i);
    }
    if (d && w && w.at) view.across(w.at, d, "walk", { near: w.at, width: 1.5, radius: 0.35, alpha: 0.07 });
    this.numbers(k);
    if (d) this.direction(d, "d", "walk");
    if (!w || !w.at) return;
    view.dot(w.at, "walk", 13, true);
    view.badge(w.at, String(k + 1));
  }

  // The face (2D: edge) of EPA's polytope that a step moves outward: its points are the step's simplex.
  expanded({ polytope: { points, faces }, simplex }) {
    const has = face => simplex.length > 1 && simplex.every(i => face.includes(i));
    if (this.view.dim === 3) return faces.findIndex(has);
    return points.findIndex((p, i) => has([p, points[(i + 1) % points.length]]));
  }

  // Above a point, or below it where the origin's name is above.
  name({ at, label }) {
    const [x, y] = this.view.at(at), [u, v] = this.view.at([0, 0, 0]);
    const below = Math.abs(x - u) < 40 && Math.abs(y - v) < 24;
    this.view.text([x, y], label, "proof", { move: [0, below ? 26 : -12], size: 13, spare: true });
  }

  // An arrow from the origin.
  direction(d, words, colour) {
    const { view } = this, tip = times(d, view.length(Math.min(60, view.width / 8, view.height / 6)));
    const [x, y] = view.at(tip), [u, v] = view.at([0, 0, 0]);
    const length = Math.hypot(x - u, y - v);
    view.arrow([0, 0, 0], tip, colour);
    if (length > 8) view.text([x + 12 * (x - u) / length, y + 12 * (y - v) / length + 5], words, colour, { size: 14 });
  }

  // A polytope given by the indices of its points, and its faces (2D: in order).
  surface({ points, faces, nearest }, colour) {
    const { tale, view } = this, at = i => tale.points[i] && tale.points[i].at && view.at(tale.points[i].at);
    const chains = view.dim === 2 || !faces || !faces.length ? [points] : faces;
    chains.forEach((face, f) => {
      const chain = face.map(at);
      if (!chain.every(Boolean)) return;
      view.fillArea(chain, colour, view.dim === 2 ? 0.14 : f === nearest ? 0.35 : 0.05);
      view.stroke(chain, colour, { width: view.dim === 2 ? 2 : 1.2, closed: true, alpha: f === nearest ? 1 : 0.75 });
    });
    if (view.dim === 2 && nearest >= 0) {
      const edge = [points[nearest], points[(nearest + 1) % points.length]].map(at);
      if (edge.every(Boolean)) view.stroke(edge, colour, { width: 4 });
    }
  }

  axis(k) {
    const { tale, view } = this, axis = tale.axes[k], d = unit(vector(axis.direction));
    if (!d || !isNumber(axis.separation)) return;
    const p = times(d, -axis.separation);
    view.across(p, d, "proof", { near: [0, 0, 0], radius: 0.5 });
    view.arrow(axis.separation < 0 ? [0, 0, 0] : p, axis.separation < 0 ? p : [0, 0, 0], "proof");
    view.measure(p, [0, 0, 0], decimal(Math.abs(axis.separation)));
  }

  answer() {
    const { tale, view } = this, { evidence, direction } = tale;
    if (evidence.surface) this.surface(evidence.surface, "proof");
    const named = (evidence.points || []).map(i => tale.points[i]).filter(p => p && p.at);
    if (!evidence.surface) drawSimplex(view, named.map(p => p.at), "proof");
    if (direction && !tale.nonconvex && isNumber(evidence.max_a) && isNumber(evidence.min_b)) {
      const border = times(direction, evidence.max_a - evidence.min_b);
      view.across(border, direction, "proof", { near: [0, 0, 0], radius: 0.5 });
    }
    const surface = evidence.surface ? evidence.surface.points : [];
    for (const i of new Set([...(evidence.points || []), ...surface])) {
      const p = tale.points[i];
      if (!p || !p.at) continue;
      view.spot(p.at, i);
      view.dot(p.at, "proof");
      if (p.label && tale.points.length < 40) this.name(p);
    }
    if (!tale.a || !tale.b || tale.nonconvex) return;
    const w = minus(tale.a, tale.b);
    push(tale) ? view.arrow([0, 0, 0], w, "proof") : view.arrow(w, [0, 0, 0], "proof");
    view.dot(w, "proof");
  }
}
