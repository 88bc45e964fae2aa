// Certificates: repeating a query with one, and writing it with the keys of query lines
// (docs/guide/command-line.md). Indices of vertices and parts count from 0.
#include "answers.hpp"

enum { MAX_POINTS = 1 << 16, FIRST_NODES = 1024 };

graze_options options_of(const Options &from, graze_error *error) {
  graze_options options = graze_default_options();
  options.clearance = from.clearance;
  options.max_distance = from.max_distance;
  options.tolerance = from.tolerance;
  options.max_iterations = from.max_iterations;
  options.method = from.method;
  options.error = error;
  return options;
}

// Copies the surface out of the workspace.
static void keep_surface(Proof &proof) {
  graze_surface &s = proof.surface;
  if (proof.certificate.surface == nullptr) return;
  proof.pairs.assign(s.pairs, s.pairs + s.pair_count);
  for (size_t i = 0; i < s.face_count; i++) proof.faces.push_back({s.faces[i][0], s.faces[i][1], s.faces[i][2]});
  if (s.points) proof.points.assign(s.points, s.points + s.point_count);
  s.pairs = proof.pairs.data();
  s.faces = reinterpret_cast<const int32_t(*)[3]>(proof.faces.data());
  s.points = s.points ? proof.points.data() : nullptr;
  proof.certificate.surface = &s;
}

static bool has_parts(const Placed &placed) {
  return placed.placed.shape.kind == GRAZE_COMPOUND || placed.placed.shape.kind == GRAZE_MESH;
}

std::shared_ptr<const Proof> prove(const Answer &answer, bool whole, graze_answer *found) {
  const Placed &a = answer.placed_a(), &b = answer.placed_b();
  auto proof = std::make_shared<Proof>(Proof{whole});
  graze_error error = {};
  graze_options options = options_of(answer.options, &error);
  options.certificate = &proof->certificate;
  size_t nodes = FIRST_NODES, parts = FIRST_NODES;
  const bool by_frontier = a.placed.shape.kind == GRAZE_MESH || b.placed.shape.kind == GRAZE_MESH;
  const bool by_parts = whole && (has_parts(a) || has_parts(b));
  Workspace workspace;
  if (answer.options.large) workspace.set(options, LARGE_POINTS);
  if (by_parts && !by_frontier) parts = graze_part_count(&a.placed) * graze_part_count(&b.placed);
  for (size_t points = answer.dim() == 3 ? PROOF_POINTS : LARGE_POINTS;; points *= 4) {
    if (points > MAX_POINTS) points = MAX_POINTS;
    if (whole && !answer.relation_only) {
      workspace.set(options, points);
      options.surface = &proof->surface;
    }
    if (by_parts) {
      proof->parts.resize(parts);
      options.parts = proof->parts.data();
      options.part_capacity = parts;
    }
    if (by_parts && by_frontier) {
      proof->nodes.resize(nodes);
      proof->frontier.nodes = proof->nodes.data();
      proof->frontier.node_capacity = nodes;
      options.frontier = &proof->frontier;
    }
    const graze_status status =
        (answer.relation_only ? graze_intersect : graze_distance)(&a.placed, &b.placed, &options, found);
    finish_callbacks();
    const size_t needed_nodes = proof->frontier.node_count, needed_parts = proof->certificate.part_count;
    if (status == GRAZE_NO_SPACE && by_parts && by_frontier && (needed_nodes > nodes || needed_parts > parts)) {
      nodes = needed_nodes;
      parts = needed_parts + 1;
      points /= 4;
      continue;
    }
    if (status == GRAZE_NO_SPACE && whole && points < MAX_POINTS) continue;
    check(status, answer.relation_only ? "intersect" : "distance", &error);
    keep_surface(*proof);
    return proof;
  }
}

// ---- Dictionaries

// The points that the values of a certificate name, and their dimension.
struct Context {
  const graze_vec *points;
  int dim;
};

// An index, or for curved shapes the point that it names.
static nb::object vertex(int32_t index, const Context &c) {
  return index >= 0 ? nb::object(nb::int_(index)) : nb::cast(vector(c.points[-1 - index], c.dim));
}

static nb::list pairs(const graze_pair *list, size_t count, const Context &c) {
  nb::list result;
  for (size_t i = 0; i < count; i++) {
    nb::object a = vertex(list[i].a, c), b = vertex(list[i].b, c);
    result.append(list[i].end ? nb::make_tuple(a, b, list[i].end) : nb::make_tuple(a, b));
  }
  return result;
}

static void set_direction(nb::dict &to, const graze_direction &d, const Context &c) {
  const nb::list list = pairs(d.pairs, (size_t)d.count, c);
  switch (d.form) {
  case GRAZE_DIRECTION_VECTOR: to["direction"] = vector(d.vector, c.dim); return;
  case GRAZE_DIRECTION_NEAREST: to["nearest"] = list; return;
  case GRAZE_DIRECTION_FACET: to["facet"] = list; break;
  case GRAZE_DIRECTION_EDGE:
    to["edge"] = list;
    to["axis"] = d.axis;
    break;
  case GRAZE_DIRECTION_NONE: return;
  }
  to["sign"] = d.sign;
}

// In 2D, boxes count as polygons.
static const char *axes_word(int dim) { return dim == 2 ? "polygon" : "box"; }

static nb::list internal_edge(const graze_certificate &c, const Context &context) {
  nb::list touches;
  for (const graze_internal_edge_touch &touch : c.internal_edge) {
    nb::dict entry;
    entry["part_a"] = touch.part_a;
    entry["part_b"] = touch.part_b;
    entry["kind"] = "touch";
    entry["facet"] = pairs(touch.pairs, 2, context);
    entry["sign"] = touch.sign;
    entry["pairs"] = pairs(touch.pairs, (size_t)touch.pair_count, context);
    touches.append(entry);
  }
  return touches;
}

static nb::object relation(const graze_certificate &c, const Context &context) {
  static const char *const kinds[] = {"",      "separated", "touch", "inside", "near",
                                      "plane", "seam",      "axes",  "in_a",   "in_b"};
  if (c.kind == GRAZE_CERTIFICATE_NONE) return nb::none();
  nb::dict entry;
  entry["kind"] = kinds[c.kind];
  if (c.kind == GRAZE_CERTIFICATE_SEPARATED || c.kind == GRAZE_CERTIFICATE_TOUCH)
    set_direction(entry, c.direction, context);
  switch (c.kind) {
  case GRAZE_CERTIFICATE_TOUCH:
  case GRAZE_CERTIFICATE_INSIDE:
  case GRAZE_CERTIFICATE_NEAR:
  case GRAZE_CERTIFICATE_IN_A:
  case GRAZE_CERTIFICATE_IN_B: entry["pairs"] = pairs(c.pairs, (size_t)c.pair_count, context); break;
  case GRAZE_CERTIFICATE_HALFSPACE: entry["vertex"] = vertex(c.vertex, context); break;
  case GRAZE_CERTIFICATE_INTERNAL_EDGE: entry["seam"] = internal_edge(c, context); break;
  case GRAZE_CERTIFICATE_AXES: entry["axes"] = axes_word(context.dim); break;
  default: break;
  }
  return entry;
}

static void set_relation(nb::dict &to, const graze_certificate &c, const Context &context) {
  nb::object value = relation(c, context);
  if (!value.is_none()) to["relation"] = value;
}

static void set_lower(nb::dict &to, const graze_certificate &c, const Context &context) {
  nb::dict lower;
  if (c.kind == GRAZE_CERTIFICATE_HALFSPACE)
    to["lower"] = to["relation"];
  else if (c.direction.form != GRAZE_DIRECTION_NONE) {
    set_direction(lower, c.direction, context);
    to["lower"] = lower;
  }
}

// The radius that rounds the core of a shape, or of one of its parts.
static double radius_of(const graze_placed &placed, int32_t part) {
  double radius = placed.shape.margin;
  graze_frame frame;
  graze_placed found = placed;
  if (placed.shape.kind == GRAZE_COMPOUND) {
    found = graze_part(&placed, (size_t)part, &frame);
    radius += found.shape.margin;
  }
  const graze_shape &s = found.shape;
  return radius + (s.kind == GRAZE_SPHERE ? s.as.sphere.radius : s.kind == GRAZE_CAPSULE ? s.as.capsule.radius : 0);
}

// Pairs prove a gap, or a depth up to the radii, but not how deep the cores overlap.
static bool pairs_prove_upper(const Answer &answer, const graze_certificate &c) {
  if (c.pair_count == 0 || c.depth_proof != GRAZE_DEPTH_BY_PAIRS || c.kind == GRAZE_CERTIFICATE_INSIDE) return false;
  const graze_answer &x = answer.answer;
  const double radii = radius_of(answer.placed_a().placed, x.part_a) + radius_of(answer.placed_b().placed, x.part_b) +
                       answer.options.clearance;
  return x.relation != GRAZE_OVERLAPPING || -x.upper <= radii;
}

static nb::dict surface_dict(const graze_surface &surface, int dim) {
  nb::dict entry;
  entry["pairs"] = pairs(surface.pairs, surface.pair_count, {surface.points, dim});
  if (dim == 2) return entry;
  nb::list faces;
  for (size_t i = 0; i < surface.face_count; i++)
    faces.append(nb::make_tuple(surface.faces[i][0], surface.faces[i][1], surface.faces[i][2]));
  entry["faces"] = faces;
  return entry;
}

static void set_upper(nb::dict &to, const Answer &answer, const graze_certificate &c, const Context &context) {
  nb::dict upper;
  if (c.kind == GRAZE_CERTIFICATE_HALFSPACE)
    to["upper"] = to["relation"];
  else if (c.depth_proof == GRAZE_DEPTH_BY_AXES)
    upper["axes"] = axes_word(context.dim);
  else if (c.depth_proof == GRAZE_DEPTH_BY_SURFACE && c.surface)
    upper["surface"] = surface_dict(*c.surface, context.dim);
  else if (pairs_prove_upper(answer, c))
    upper["pairs"] = pairs(c.pairs, (size_t)c.pair_count, context);
  if (nb::len(upper) > 0) to["upper"] = upper;
}

static nb::list frontier_list(const graze_frontier &frontier, int dim) {
  static const char *const kinds[] = {"a", "b", "direction", "pair"};
  nb::list nodes;
  for (size_t i = 0; i < frontier.node_count; i++) {
    const graze_frontier_node &node = frontier.nodes[i];
    nodes.append(node.kind == GRAZE_FRONTIER_DIRECTION ? nb::cast(vector(node.direction, dim))
                                                       : nb::object(nb::str(kinds[node.kind])));
  }
  return nodes;
}

nb::dict certificate_dict(const Answer &answer, const Proof &proof) {
  const graze_certificate &c = proof.certificate;
  const Context context = {c.points, answer.dim()};
  nb::dict result;
  set_relation(result, c, context);
  if (!answer.relation_only || answer.answer.relation == GRAZE_UNDECIDED) {
    set_lower(result, c, context);
    set_upper(result, answer, c, context);
  }
  if (c.parts == nullptr && c.frontier == nullptr) return result;
  nb::list parts;
  for (size_t i = 0; c.parts && i < c.part_count; i++) {
    const graze_part_proof &part = c.parts[i];
    const Context of_part = {part.certificate.points, answer.dim()};
    nb::dict entry, certificate;
    set_relation(certificate, part.certificate, of_part);
    set_lower(certificate, part.certificate, of_part);
    entry["part_a"] = part.part_a;
    entry["part_b"] = part.part_b;
    entry["certificate"] = certificate;
    parts.append(entry);
  }
  result["parts"] = parts;
  if (c.frontier) result["frontier"] = frontier_list(*c.frontier, answer.dim());
  return result;
}

nb::dict cast_certificate_dict(const graze_certificate &c, int dim) {
  const Context context = {c.points, dim};
  nb::dict result;
  set_relation(result, c, context);
  set_lower(result, c, context);
  result["pairs"] = pairs(c.pairs, (size_t)c.pair_count, context);
  if (c.pair_count == 0 && c.depth_proof == GRAZE_DEPTH_BY_AXES) result["axes"] = axes_word(dim);
  if (c.steps == nullptr) return result;
  nb::list steps;
  for (size_t i = 0; i < c.step_count; i++) {
    nb::dict step;
    step["direction"] = vector(c.steps[i].direction, dim);
    step["t0"] = c.steps[i].from;
    step["t1"] = c.steps[i].to;
    steps.append(step);
  }
  result["steps"] = steps;
  return result;
}
