// Shapes built from points: hulls with their faces, smallest boxes, outlines and their decomposition.
#include "shapes.hpp"

#include <cmath>
#include <cstring>

// ---- Hulls

namespace {
struct Hull {
  std::shared_ptr<graze_hull> hull;
  std::vector<size_t> indices; // of the vertices in the input
};
} // namespace

static Hull new_hull(PointsLike value) {
  int dim = 0;
  const std::vector<graze_vec> points = read_points(value.value, "points", dim);
  const auto hull = make_hull(points, dim, "Hull");
  return {hull, {hull->indices, hull->indices + hull->vertex_count}};
}

// The hull of the vertices of another one, with the indices of those vertices.
static Hull restore_hull(PointsLike vertices, const std::vector<size_t> &indices) {
  Hull hull = new_hull(vertices);
  for (size_t index : hull.indices)
    if (index >= indices.size()) reject("indices", nb::cast(indices), "one for each vertex");
  for (size_t &index : hull.indices) index = indices[index];
  return hull;
}

static nb::list hull_faces(const Hull &h) {
  nb::list faces;
  for (size_t f = 0; f < h.hull->face_count; f++) {
    nb::list face;
    for (int32_t i = h.hull->face_start[f]; i < h.hull->face_start[f + 1]; i++) face.append(h.hull->face_vertices[i]);
    faces.append(face);
  }
  return faces;
}

static void bind_hull(Module &m) {
  Class<Hull>(m, "Hull", R"(The convex hull of a set of points, with its faces. Immutable.

>>> import graze
>>> hull = graze.Hull([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (0.1, 0.1, 0.1)])
>>> len(hull.faces), round(hull.volume, 6), hull.shape
(4, 0.166667, hull(<4 points>)))")
      .def(
          "__init__", [](Hull *self, PointsLike points) { new (self) Hull(new_hull(points)); }, "points"_a,
          "points: shape (n, 2) or (n, 3), n >= 1.")
      .def_prop_ro(
          "shape",
          [](const Hull &h) {
            return Shape{graze_hull_shape(h.hull.get()), h.hull};
          },
          "The hull as a shape.")
      .def_prop_ro(
          "dim", [](const Hull &h) { return h.hull->dim; }, "2 or 3.")
      .def_prop_ro(
          "affine_dim", [](const Hull &h) { return h.hull->affine_dim; },
          "0: one point, 1: a segment, 2: a polygon, 3: a solid.")
      .def_prop_ro(
          "vertices", [](const Hull &h) { return points_list(h.hull->vertices, h.hull->vertex_count, h.hull->dim); },
          nb::sig("def vertices(self) -> list[tuple[float, ...]]"), "The extreme points, each once, unrounded.")
      .def_prop_ro(
          "indices", [](const Hull &h) { return h.indices; }, nb::sig("def indices(self) -> list[int]"),
          "The input index of each vertex; for equal points, the first index.")
      .def_prop_ro("faces", &hull_faces, nb::sig("def faces(self) -> list[list[int]]"),
                   "The vertices of each face, counter-clockwise from outside. Coplanar faces are merged.")
      .def_prop_ro(
          "area", [](const Hull &h) { return h.hull->area; }, "The area of a polygon, or of the surface of a solid.")
      .def_prop_ro(
          "volume", [](const Hull &h) { return h.hull->volume; }, "The volume of a solid, otherwise 0.")
      .def("__repr__",
           [](const Hull &h) {
             return "<Hull: " + std::to_string(h.hull->dim) + "D, " + std::to_string(h.hull->vertex_count) +
                    " vertices, " + std::to_string(h.hull->face_count) + " faces>";
           })
      .def(
          "__reduce__",
          [](nb::handle_t<Hull> h) { return reduced("_restore_hull", h.attr("vertices"), h.attr("indices")); },
          nb::sig("def __reduce__(self) -> tuple[object, ...]"));
}

// ---- Smallest boxes

static nb::tuple fit_box(PointsLike value, graze_effort effort) {
  int dim = 0;
  const std::vector<graze_vec> points = read_points(value.value, "points", dim);
  graze_fitted_box fitted;
  graze_error error = {};
  graze_status status;
  {
    nb::gil_scoped_release release;
    status = graze_fit_box(points.data(), points.size(), dim, effort, nullptr, &fitted, &error);
  }
  check(status, "fit_box", &error);
  const Placed box = {graze_place(&fitted.box, fitted.pose), {}};
  return nb::make_tuple(box, fitted.measure);
}

// ---- Outlines

namespace {
struct OutlineError {
  graze_outline_error error;
};

struct Outline {
  bool convex, simple;
  graze_winding winding;
  double area;
  std::vector<OutlineError> errors;
};

struct Decomposition {
  std::shared_ptr<graze_decomposition> decomposition;
  std::vector<std::vector<graze_vec>> rings; // the outline and the holes
  graze_splitting splitting;
};
} // namespace

static std::string outline_error_text(const graze_outline_error &e) {
  return std::string(graze_outline_error_text(e.kind)) + ", ring " + std::to_string(e.ring) + ", index " +
         std::to_string(e.index) + ", other_ring " + std::to_string(e.other_ring) + ", other " +
         std::to_string(e.other);
}

static Outline validate_outline(PointsLike vertices) {
  int dim = 2;
  const std::vector<graze_vec> points = read_points(vertices.value, "vertices", dim);
  const auto outline = owned<graze_outline, graze_outline_destroy>();
  graze_error error = {};
  check(graze_validate_outline(points.data(), points.size(), nullptr, outline.get(), &error), "validate_outline",
        &error);
  Outline result = {outline->convex, outline->simple, outline->winding, outline->area, {}};
  for (size_t i = 0; i < outline->error_count; i++) result.errors.push_back({outline->errors[i]});
  return result;
}

static nb::tuple reduce_outline_error(const OutlineError &e) {
  const graze_outline_error &x = e.error;
  return reduced("_restore_outline_error", x.kind, x.ring, x.index, x.other_ring, x.other);
}

static OutlineError restore_outline_error(graze_outline_error_kind kind, size_t ring, size_t index, size_t other_ring,
                                          size_t other) {
  return {{kind, ring, index, other_ring, other}};
}

static nb::tuple reduce_outline(const Outline &o) {
  return reduced("_restore_outline", o.convex, o.simple, o.winding, o.area, o.errors);
}

static Outline restore_outline(bool convex, bool simple, graze_winding winding, double area,
                               const std::vector<OutlineError> &errors) {
  return {convex, simple, winding, area, errors};
}

static std::string outline_text(const Outline &o) {
  return std::string("<Outline: ") + (o.simple ? "simple" : "not simple") + ", " +
         (o.convex ? "convex" : "not convex") + ", " + nb::cast<std::string>(nb::cast(o.winding).attr("name")) +
         ", area " + number_text(o.area) + ", " + std::to_string(o.errors.size()) + " errors>";
}

static std::vector<graze_ring> rings_of(const std::vector<std::vector<graze_vec>> &from) {
  std::vector<graze_ring> rings;
  for (const auto &ring : from) rings.push_back({ring.data(), ring.size()});
  return rings;
}

static Decomposition decompose(PointsLike vertices, nb::sequence holes, graze_splitting splitting) {
  int dim = 2;
  size_t index = 0;
  Decomposition d = {owned<graze_decomposition, graze_decomposition_destroy>(), {}, splitting};
  d.rings.push_back(read_points(vertices.value, "vertices", dim));
  for (nb::handle hole : holes)
    d.rings.push_back(read_points(hole, ("holes[" + std::to_string(index++) + "]").c_str(), dim));
  const std::vector<graze_ring> rings = rings_of(d.rings);
  graze_outline_error reason = {};
  graze_error error = {};
  const graze_status status = graze_decompose(rings[0], rings.data() + 1, rings.size() - 1, splitting, nullptr,
                                              d.decomposition.get(), &reason, &error);
  if (status == GRAZE_NOT_SIMPLE)
    raise(status, "decompose: the rings do not bound a polygon (" + outline_error_text(reason) + ")", "vertices",
          (ptrdiff_t)reason.index);
  // C names the vertex of a hole, and as the value the ring.
  std::string name;
  if (status == GRAZE_BAD_NUMBER && error.what && std::strcmp(error.what, "holes") == 0 && error.index >= 0) {
    const size_t ring = (size_t)error.value;
    const graze_vec vertex = d.rings[ring][(size_t)error.index];
    name = "holes[" + std::to_string(ring - 1) + "]";
    error.what = name.c_str();
    error.value = std::fabs(vertex.x) <= GRAZE_LARGEST ? vertex.y : vertex.x;
  }
  check(status, "decompose", &error);
  return d;
}

static nb::list pieces_of(const Decomposition &d) {
  const graze_decomposition &all = *d.decomposition;
  nb::list pieces;
  for (size_t i = 0; i < all.piece_count; i++)
    pieces.append(points_list(all.vertices + all.piece_start[i], all.piece_start[i + 1] - all.piece_start[i], 2));
  return pieces;
}

static nb::list internal_edges_of(const Decomposition &d) {
  nb::list edges;
  for (size_t i = 0; i < d.decomposition->internal_edge_count; i++) {
    const graze_internal_edge &e = d.decomposition->internal_edges[i];
    edges.append(nb::make_tuple(e.left, e.right, vector(e.from, 2), vector(e.to, 2)));
  }
  return edges;
}

// The arguments of decompose().
static nb::tuple source_of(const Decomposition &d) {
  nb::list holes;
  for (size_t i = 1; i < d.rings.size(); i++) holes.append(points_list(d.rings[i].data(), d.rings[i].size(), 2));
  return nb::make_tuple(points_list(d.rings[0].data(), d.rings[0].size(), 2), holes, d.splitting);
}

static Shape shape_of_pieces(const Decomposition &d) {
  graze_compound *compound;
  check(graze_decomposition_compound(d.decomposition.get(), nullptr, &compound), "shape");
  nb::object module = nb::module_::import_("graze._graze");
  nb::list parts;
  for (nb::handle piece : pieces_of(d)) parts.append(module.attr("place")(module.attr("polygon")(piece)));
  return decomposed_shape(compound, nb::tuple(parts), source_of(d));
}

static Shape restore_decomposed(PointsLike vertices, nb::sequence holes, graze_splitting splitting) {
  return shape_of_pieces(decompose(vertices, holes, splitting));
}

static nb::tuple reduce_decomposition(const Decomposition &d) {
  const nb::tuple source = source_of(d);
  return reduced("_restore_decomposition", source[0], source[1], source[2]);
}

static std::string decomposition_text(const Decomposition &d) {
  return "<Decomposition: " + std::to_string(d.decomposition->piece_count) + " pieces, area " +
         number_text(d.decomposition->area) + ">";
}

static bool verify_pieces(const Decomposition &d) {
  const std::vector<graze_ring> rings = rings_of(d.rings);
  const graze_status status =
      graze_verify_pieces(rings[0], rings.data() + 1, rings.size() - 1, d.decomposition.get(), nullptr);
  check(status, "verify");
  return true;
}

static void bind_outlines(Module &m) {
  nb::enum_<graze_winding>(m, "Winding", "The orientation of an outline.")
      .value("NONE", GRAZE_WINDING_NONE, "The signed area is 0.")
      .value("CCW", GRAZE_WINDING_CCW, "Counter-clockwise.")
      .value("CW", GRAZE_WINDING_CW, "Clockwise.");
  nb::enum_<graze_outline_error_kind>(m, "OutlineErrorKind", "The kinds of errors of an outline.")
      .value("FEW_POINTS", GRAZE_OUTLINE_FEW_POINTS, "Fewer than 3 distinct points.")
      .value("ZERO_AREA", GRAZE_OUTLINE_ZERO_AREA, "The signed area is 0, or the holes cover the outline.")
      .value("REPEATED_NEIGHBOUR", GRAZE_OUTLINE_REPEATED_NEIGHBOUR, "Vertex `index` equals the previous one, `other`.")
      .value("REPEATED_POINT", GRAZE_OUTLINE_REPEATED_POINT, "Vertex `index` equals the earlier vertex `other`.")
      .value("EDGES_TOUCH", GRAZE_OUTLINE_EDGES_TOUCH, "Edges `index` < `other` have common points.")
      .value("EDGES_CROSS", GRAZE_OUTLINE_EDGES_CROSS, "Edges `index` < `other` cross.")
      .value("HOLE_OUTSIDE", GRAZE_OUTLINE_HOLE_OUTSIDE, "Hole `ring` encloses points outside the polygon.");
  nb::enum_<graze_splitting>(m, "Splitting", "How decompose() reduces the number of pieces.")
      .value("AUTO", GRAZE_SPLIT_AUTO, "FEWEST for up to 100 vertices without holes, otherwise FEW.")
      .value("FEW", GRAZE_SPLIT_FEW, "Without holes, at most 4 times as many pieces as the fewest.")
      .value("FEWEST", GRAZE_SPLIT_FEWEST, "The fewest pieces; not for holes.");
  Class<OutlineError>(m, "OutlineError", "An error of an outline, and where it is. Edge i starts at vertex i.")
      .def_prop_ro(
          "kind", [](const OutlineError &e) { return e.error.kind; }, "The kind of the error.")
      .def_prop_ro(
          "ring", [](const OutlineError &e) { return e.error.ring; }, "0: the outline, 1: the first hole.")
      .def_prop_ro(
          "index", [](const OutlineError &e) { return e.error.index; }, "The index of the vertex or edge in its ring.")
      .def_prop_ro(
          "other_ring", [](const OutlineError &e) { return e.error.other_ring; },
          "The ring of the second vertex or edge, if there is one.")
      .def_prop_ro(
          "other", [](const OutlineError &e) { return e.error.other; },
          "The index of the second vertex or edge in its ring, if there is one.")
      .def("__repr__", [](const OutlineError &e) { return "OutlineError(" + outline_error_text(e.error) + ")"; })
      .def("__reduce__", &reduce_outline_error, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_outline_error", "OutlineError", &restore_outline_error, "kind", "ring", "index",
                 "other_ring", "other");
  Class<Outline>(m, "Outline", "The result of validate_outline(). Immutable.")
      .def_prop_ro(
          "convex", [](const Outline &o) { return o.convex; },
          "Whether the outline is a convex polygon; false if all points are on one line.")
      .def_prop_ro(
          "simple", [](const Outline &o) { return o.simple; }, "Whether there are no errors.")
      .def_prop_ro(
          "winding", [](const Outline &o) { return o.winding; },
          "The orientation of the outline: the sign of its signed area.")
      .def_prop_ro(
          "area", [](const Outline &o) { return o.area; }, "The absolute value of the signed area, rounded.")
      .def_prop_ro(
          "errors", [](const Outline &o) { return o.errors; }, "All errors, sorted by kind, index and other.")
      .def("__repr__", &outline_text)
      .def("__reduce__", &reduce_outline, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_outline", "Outline", &restore_outline, "convex", "simple", "winding", "area", "errors");
  Class<Decomposition>(m, "Decomposition", "Convex pieces that tile a polygon exactly. Immutable.")
      .def_prop_ro("pieces", &pieces_of, nb::sig("def pieces(self) -> list[list[tuple[float, ...]]]"),
                   "The vertices of each piece, counter-clockwise.")
      .def_prop_ro("internal_edges", &internal_edges_of,
                   nb::sig("def internal_edges(self) -> list[tuple[int, int, tuple[float, ...], tuple[float, ...]]]"),
                   "(left, right, start, end) of each edge that two pieces share.")
      .def_prop_ro(
          "fewest", [](const Decomposition &d) { return d.decomposition->fewest; },
          "A lower bound of the number of pieces without new vertices; after FEWEST the number itself.")
      .def_prop_ro(
          "area", [](const Decomposition &d) { return d.decomposition->area; },
          "The area of the polygon: that of all pieces, rounded.")
      .def_prop_ro("shape", &shape_of_pieces,
                   R"(The polygon as one shape: a compound whose parts are the pieces, in order.

In answers about it, part_a and part_b are indices of `pieces`. Points on the edges between pieces are inside the shape.
Each use makes a new shape.)")
      .def("verify", &verify_pieces, "Proves exactly that the pieces tile the polygon. Raises Error if not.")
      .def("__repr__", &decomposition_text)
      .def("__reduce__", &reduce_decomposition, nb::sig("def __reduce__(self) -> tuple[object, ...]"));
  define_restore(m, "_restore_decomposition", "Decomposition", &decompose, "vertices", "holes", "splitting");
  m.def("validate_outline", &validate_outline, "vertices"_a,
        R"(Validates an outline: convexity, winding, area, errors. Exact.

vertices: shape (n, 2), in order, either winding.

>>> import graze
>>> bow = graze.validate_outline([(0, 0), (2, 2), (2, 0), (0, 1)])
>>> bow.simple, bow.errors[0].kind.name
(False, 'EDGES_CROSS'))");
  m.def("decompose", &decompose, "vertices"_a, "holes"_a = nb::make_tuple(), "splitting"_a = GRAZE_SPLIT_AUTO,
        nb::sig("def decompose(vertices: graze.typing.PointsLike, "
                "holes: collections.abc.Sequence[graze.typing.PointsLike] = (), "
                "splitting: Splitting = ...) -> Decomposition"),
        R"(Splits a polygon with holes into convex pieces that tile it exactly, without new vertices.

vertices: shape (n, 2), in order, either winding. holes: the same for each hole.

>>> import graze
>>> parts = graze.decompose([(0, 0), (4, 0), (4, 4), (2, 1)])
>>> len(parts.pieces), parts.verify()
(2, True))");
}

void bind_building(Module &m) {
  nb::enum_<graze_effort>(m, "Effort", "How long fit_box() searches in 3D.")
      .value("FAST", GRAZE_FAST, "A good box by local search.")
      .value("BEST", GRAZE_BEST, "The smallest box, up to rounding, for hulls of up to about 600 vertices.");
  bind_hull(m);
  define_restore(m, "_restore_hull", "Hull", &restore_hull, "vertices", "indices");
  m.def("fit_box", &fit_box, "points"_a, "effort"_a = GRAZE_BEST,
        nb::sig("def fit_box(points: graze.typing.PointsLike, effort: Effort = ...) -> tuple[Placed, float]"),
        R"(Computes a small box around points: (box, measure).

points: shape (n, 2) or (n, 3), n >= 1. box is a placed shape that contains all points exactly. measure is its area, in
3D its volume.

>>> import graze
>>> box, area = graze.fit_box([(0, 0), (1, 1), (2, 0), (1, -1)])
>>> round(area, 6)
2.0)");
  bind_outlines(m);
  define_restore(m, "_restore_decomposed", "Shape", &restore_decomposed, "vertices", "holes", "splitting");
}
