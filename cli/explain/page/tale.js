// The story, read for drawing. Nothing is computed that it does not contain.

// The story, ready to be drawn.
function prepareStory(story) {
  const title = ({ name, part, part_word }) => (isNumber(part) ? `${part_word} ${part} of ${name}` : name);
  const bodies = story.bodies.map(body => ({ name: body.name, title: title(body), mesh: prepareMesh(body.mesh),
    others: (body.others || []).map(prepareMesh).filter(Boolean), faces: prepareFaces(body.faces) }));
  const named = (story.points || []).map(p => ({ at: vector(p.at), a: vector(p.a), b: vector(p.b), label: p.label }));
  const made = story.minkowski, answer = story.answer || {};
  const vertices = made ? made.vertices.map((v, i) => ({ at: vector(v), a: vector(made.a && made.a[i]),
    b: vector(made.b && made.b[i]), label: "" })) : [];
  const evidence = story.evidence || {}, { motion = null, ray } = story;
  return { dim: story.dim, bodies, core: prepareMesh(story.core), cso: prepareMesh(story.cso), points: named, vertices,
    steps: story.steps || [], axes: story.axes || [], best: story.best_axis, evidence, r: story.r || 0,
    sum: Boolean(made && made.of === "sum"), distance: isNumber(answer.distance) ? answer.distance : null,
    relation: answer.relation, a: vector(answer.point_a), b: vector(answer.point_b),
    normal: unit(vector(answer.normal)), direction: unit(vector(evidence.direction)),
    motion, separator: motion && motion.evidence.shown ? unit(vector(motion.evidence.direction)) : null,
    point: motion && vector(answer.point), nonconvex: answer.stopped === "nonconvex",
    ray: ray ? { inside: ray.inside, total: ray.hit_total, origin: vector(ray.origin),
      hits: ray.hits.map(c => vector(c.at)).filter(Boolean) } : null,
    contacts: (story.contacts || []).map(c => ({ a: vector(c.point_a), b: vector(c.point_b) })) };
}

// By how much B is moved out of A.
function push(tale) {
  return tale.relation === "overlapping" && tale.a && tale.b ? minus(tale.a, tale.b) : null;
}

function worldPoints(tale) {
  const out = push(tale), points = tale.bodies.flatMap(pointsOf), [, b] = tale.bodies;
  if (out && b) points.push(...[b.faces || b.mesh].flatMap(part => (part ? part.points.map(p => add(p, out)) : [])));
  if (tale.ray && tale.ray.inside) points.push(tale.ray.origin, ...tale.ray.hits);
  return points.concat([tale.a, tale.b].filter(Boolean));
}

function differencePoints(tale) {
  const points = [[0, 0, 0], ...tale.vertices.map(v => v.at)];
  const { low, high } = bounds(worldPoints(tale)), size = Math.max(...minus(high, low)) / 2;
  for (const mesh of [tale.core, tale.cso]) {
    points.push(...(mesh ? mesh.points : []));
    if (mesh && mesh.plane) {
      const foot = times(mesh.normal, dot(mesh.point, mesh.normal)), tangent = perpendicular(mesh.normal);
      points.push(add(foot, tangent, size), add(foot, tangent, -size));
    }
  }
  for (const p of tale.points) if (p.at) points.push(p.at);
  return points.filter(Boolean);
}

const middleOf = mesh => {
  const { low, high } = bounds(mesh.points);
  return low.map((x, i) => x / 2 + high[i] / 2);
};

// In 2D in order around their middle, so that they can be drawn as one outline.
function around(points, dim) {
  if (dim === 3 || points.length < 4) return points;
  const middle = times(points.reduce((sum, p) => add(sum, p), [0, 0, 0]), 1 / points.length);
  const angle = p => Math.atan2(p[1] - middle[1], p[0] - middle[0]);
  return [...points].sort((p, q) => angle(p) - angle(q));
}

// The hull of a few points, by its edges.
function drawSimplex(view, points, colour, { dash = [5, 4], width = 2, alpha = 0.14 } = {}) {
  const chain = around(points, view.dim).map(p => view.at(p));
  if (chain.length < 4 || view.dim === 2) {
    if (chain.length > 2) view.fillArea(chain, colour, alpha);
    if (chain.length > 1) view.stroke(chain, colour, { dash, width, closed: chain.length > 2 });
    return;
  }
  chain.forEach((p, i) => chain.slice(i + 1).forEach((q, j) => {
    chain.slice(i + j + 2).forEach(r => view.fillArea([p, q, r], colour, alpha / 2));
    view.stroke([p, q], colour, { dash, width });
  }));
}

const story = JSON.parse(document.getElementById("story").textContent);
const tale = prepareStory(story);
