// The faces of meshes, and the ray that hits them.

const MOST_DOTS = 4; // the dots are in the first view if the whole mesh is at most so many times larger than the faces

// The dots are vertices of a mesh of which not all faces are drawn.
function prepareFaces(faces) {
  const points = faces && faces.points.map(vector), dots = faces && faces.dots.map(vector);
  if (!points || !points.every(Boolean) || !dots.every(Boolean)) return null;
  const { corners, solid } = faces, normals = corners[0].length === 3 ? crosses(points, corners).map(unit) : [];
  return { points, corners, solid, dots, normals };
}

// All points of a body that are drawn.
function pointsOf({ mesh, others, faces }) {
  const points = [mesh, ...others, faces].flatMap(part => (part ? part.points : []));
  if (!faces || !faces.dots.length) return points;
  const size = list => Math.max(...minus(bounds(list).high, bounds(list).low));
  return size(faces.dots) <= MOST_DOTS * size(points) ? [...points, ...faces.dots] : points;
}

// Both bodies, that behind first. Two meshes in 3D are drawn together, so that each hides what is behind it. But a solid
// does not hide the body inside it. `between` draws what lies between the bodies.
function drawBodies(view, order, isInside, between) {
  const faced = order.filter(([{ faces }]) => faces);
  if (view.dim === 2 || isInside || faced.length < 2) {
    order.forEach(([body, colour], i) => {
      if (i === 1) between();
      drawBody(view, body, colour);
    });
    return;
  }
  between();
  for (const [{ faces }, colour] of faced) drawDots(view, faces, colour);
  surface(view, faced.map(([{ faces }, colour]) => ({ ...faces, colour })), {});
  for (const [{ mesh }, colour] of faced) if (mesh) decidingFace(view, mesh, colour);
}

// A body: all faces of a mesh pale, and the deciding one in strong colour.
function drawBody(view, { mesh, faces }, colour, options = {}) {
  const { alpha = view.dim === 3 ? 0.62 : 0.5, faint = false, dash = [], move = [0, 0, 0] } = options;
  if (!faces) return view.mesh(mesh, colour, { alpha, faint, dash, move });
  if (!faint) drawDots(view, faces, colour);
  view.dim === 2 ? outlines(view, faces, colour, { faint, dash, move }) :
    surface(view, [{ ...faces, colour }], { faint, move });
  if (mesh && !faint) decidingFace(view, mesh, colour);
}

function decidingFace(view, mesh, colour) {
  const places = mesh.points.map(p => view.at(p)), closed = places.length > 2;
  if (mesh.smooth || places.length < 2) return view.mesh(mesh, colour, { alpha: 0.9 });
  view.stroke(closed ? outline(places) : places, "paper", { width: 7, closed, alpha: 0.8 });
  if (closed) view.fillArea(outline(places), colour, 0.85);
  view.stroke(closed ? outline(places) : places, colour, { width: closed ? 3 : 5, closed });
}

function drawDots(view, { dots }, colour) {
  const { paper } = view;
  paper.save();
  Object.assign(paper, { fillStyle: view.colour(colour), globalAlpha: 0.5 });
  for (const p of dots) {
    const [x, y] = view.at(p);
    if (Math.abs(x) < 1e4 && Math.abs(y) < 1e4) paper.fillRect(x - 0.9, y - 0.9, 1.8, 1.8);
  }
  paper.restore();
}

// 2D: a solid is filled by the even-odd rule, as the sum of the triangles of its edges and one point.
function outlines(view, { points, corners, solid }, colour, { faint, dash, move }) {
  const { paper } = view, places = points.map(p => view.at(add(p, move)));
  const near = edge => edge.flat().every(x => Math.abs(x) < 1e6);
  const edges = corners.map(([i, j]) => [places[i], places[j]]).filter(near);
  paper.save();
  Object.assign(paper, { fillStyle: view.colour(colour), strokeStyle: view.colour(colour), lineJoin: "round",
    lineCap: "round", lineWidth: faint ? 1.2 : 2 });
  if (solid && edges.length === corners.length) {
    paper.beginPath();
    for (const [p, q] of edges) {
      paper.moveTo(...places[0]);
      paper.lineTo(...p);
      paper.lineTo(...q);
      paper.closePath();
    }
    paper.globalAlpha = faint ? 0.06 : 0.18;
    paper.fill("evenodd");
  }
  paper.beginPath();
  for (const [p, q] of edges) {
    paper.moveTo(...p);
    paper.lineTo(...q);
  }
  paper.globalAlpha = faint ? 0.5 : 1;
  paper.setLineDash(dash);
  paper.stroke();
  paper.restore();
}

// 3D: the triangles of meshes from back to front on the sheet, which is laid over translucently. Small ones have no
// edges.
function surface(view, meshes, { faint = false, move = [0, 0, 0] }) {
  const paper = view.sheet.getContext("2d"), { ratio } = view;
  const dark = parseInt(view.colour("paper").slice(1, 3), 16) < 128;
  const lit = n => LIGHT[0] * dot(n, view.right) + LIGHT[1] * dot(n, view.up) + LIGHT[2] * dot(n, view.toward);
  const shadeOf = (t, colour) =>
    mix(view.colour("paper"), view.colour(colour), dark ? 0.15 + 0.5 * t : 0.62 - 0.45 * t);
  const area = ([p, q, r]) => Math.abs((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2;
  const drawn = meshes.flatMap(({ points, corners, normals, colour }) => {
    const places = points.map(p => view.at(add(p, move))), depths = points.map(p => dot(view.inner(p), view.toward));
    const chains = corners.map(t => t.map(i => places[i]));
    const edged = chains.reduce((sum, chain) => sum + area(chain), 0) > 40 * chains.length;
    const line = mix(view.colour("paper"), view.colour(colour), dark ? 0.75 : 0.85);
    return chains.map((chain, f) => ({ chain, colour, normal: normals[f], line: edged ? line : null,
      depth: corners[f].reduce((sum, i) => sum + depths[i], 0) }));
  });
  paper.setTransform(ratio, 0, 0, ratio, 0, 0);
  paper.clearRect(0, 0, view.width, view.height);
  paper.lineJoin = "round";
  for (const { chain, colour, normal: n, line } of drawn.sort((f, g) => f.depth - g.depth)) {
    const shade = shadeOf(n ? Math.max(0, lit(dot(n, view.toward) < 0 ? times(n, -1) : n)) : 0.5, colour);
    if (!view.path(paper, chain, true)) continue;
    Object.assign(paper, { fillStyle: shade, strokeStyle: line || shade, lineWidth: line ? 0.8 : 0.6 });
    paper.fill();
    paper.stroke();
  }
  view.paper.save();
  view.paper.globalAlpha = faint ? 0.2 : 0.7;
  view.paper.drawImage(view.sheet, 0, 0, view.width, view.height);
  view.paper.restore();
}

// The ray from a point inside a solid, and where it leaves it.
function drawRay(view, { origin, hits }) {
  if (!hits.length) return;
  const end = hits[hits.length - 1], d = unit(minus(end, origin));
  if (d) view.arrow(origin, add(end, d, view.length(24)), "proof");
  for (const at of hits) view.dot(at, "proof", 5, true);
  view.dot(origin, "proof");
}
